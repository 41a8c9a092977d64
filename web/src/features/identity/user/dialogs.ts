// What the page of users opens on demand, fetched together at the first opening.
export { AssignRoles } from "./AssignRoles";
export { CreateUser } from "./CreateUser";
export { ResetPassword } from "./ResetPassword";
export { UserImport } from "./UserImport";
export { UserSessions } from "./UserSessions";
