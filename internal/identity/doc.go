// Package identity knows who calls: tenants and their packages, users, roles, menus,
// departments and posts, sign-in, sessions, permissions and data scope. Its calls live
// under /system (contract system.md §3).
//
// Rules that other modules rely on:
//
//   - A token is 256 random bits and stored as its SHA-256. Access lasts 30 minutes,
//     refresh 30 days; refreshing rotates both. For 30 seconds the old refresh token
//     answers the same successor; used later it ends the whole session and is audited.
//   - What a caller may do is cached for at most 30 seconds per node; a change of a
//     user, role, menu, department or tenant is in force at once on the node that made
//     it and, through store.Signal, on the others.
//   - Students (type 1) have the role "student" and exactly StudentPermissions; other
//     users have what the menus of their enabled roles carry, within the tenant's package.
//   - Nobody grants what he does not hold, and nobody manages a user who holds more
//     than he does; see grant.go.
//   - Menus, packages and tenants are shared; only callers of the system tenant
//     (package 0) see and change tenants and packages, only its super administrators
//     change menus.
//
// Modules above add to the session answer with OnPermissionInfo and read people and
// departments through directory.go.
package identity
