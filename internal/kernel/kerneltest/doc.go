// Package kerneltest is what the tests of all modules stand on:
//
//	kerneltest.Each(t, func(t *testing.T, db *store.DB) { … })   // SQLite and PostgreSQL
//	db := kerneltest.Open(t, thesis.Migrations)                  // SQLite only, quick
//	ctx := kerneltest.As(db, kerneltest.Admin(1))                // a context to call functions with
//	kerneltest.Run(t, app.Handler("/"), kerneltest.Scenario{…})  // calls over HTTP
//	kerneltest.Matrix(t, app, tokens, "testdata/matrix.golden", nil) // every call × every caller
//
// Databases start from a migrated template that is copied for each test. PostgreSQL is
// the installed server, started once per test process in a temporary directory and
// removed when the process ends, however it ends. The role of the tests is a plain one,
// so that row-level security binds. Without PostgreSQL its tests are skipped, unless
// VIVA_TEST_POSTGRES=required. Golden files are rewritten by go test
// -update or VIVA_UPDATE_GOLDEN=1.
package kerneltest
