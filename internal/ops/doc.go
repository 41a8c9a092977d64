// Package ops saves, restores and moves an installation.
//
//   - Backup writes one directory while the server works: a consistent copy of the
//     database, then the files of the data directory, then a manifest with a SHA-256 of
//     each file and the rows of each table and tenant. The database comes first: a file
//     is on disk before a row speaks of it, so the copied files are enough for the
//     copied rows.
//   - Restore trusts nothing that the manifest does not prove, counts the rows, and only
//     then puts the backup in place of the data directory, in one step. The old one
//     stays beside it.
//   - Transfer moves an installation from SQLite to PostgreSQL in one transaction and
//     compares a checksum of every table.
package ops
