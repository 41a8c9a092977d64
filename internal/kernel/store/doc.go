// Package store is the only way to the database: SQLite embedded or PostgreSQL.
//
//   - SQL stands as constants beside the entity that uses it; the parameter type is
//     unexported, so text put together at run time does not compile.
//   - Values are bound by name (:title); :tenant is bound from the actor in ctx.
//   - A statement on a tenant table must bind every such table to the tenant, else it
//     is refused (wall 1). PostgreSQL row-level security is wall 2.
//   - Changes happen inside Write; a nested Write joins. On SQLite one writer commits
//     groups of closures, each under a savepoint, and answers after the commit.
//   - Batch sends several statements in one exchange; Later adds one to the next. BEGIN
//     and COMMIT travel with the first and the last.
//   - Rows of audited tables are changed through package table only.
//
// Portable subset: times and money are BIGINT, booleans BOOLEAN, JSON is TEXT,
// ON CONFLICT, RETURNING, partial indexes. In migrations IDENTITY_KEY stands for the
// generated primary key. LIKE is case-insensitive on both; FOR UPDATE is dropped on SQLite.
package store
