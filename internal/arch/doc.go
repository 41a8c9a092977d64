// Package arch holds the tests that keep the house as docs/architecture.md says:
// ranks, budgets, names, comments, and the doors of the kernel.
package arch
