export { type Access, hasPermission, hasRole, type Mode, useAccess } from "./access";
export { IfPermission, IfRole } from "./If";
