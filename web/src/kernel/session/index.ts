export { endSession, loadSession, logout, signInRoute, startSession } from "./flow";
export { watchOtherTabs } from "./otherTab";
export { canRememberPassword, forgetPassword, recallPassword, rememberPassword } from "./password";
export {
  clearTokens,
  getAccessToken,
  getRefreshToken,
  getTenantId,
  readItem,
  type SessionKey,
  saveTenant,
  saveTokens,
  type TokenPair,
  writeItem,
} from "./storage";
export { ROLE_DEFAULT, type SessionState, useSession } from "./store";
export type {
  MenuItem,
  PermissionInfo,
  SessionUser,
  StudentDto,
  TeacherDto,
  UserType,
} from "./types";
