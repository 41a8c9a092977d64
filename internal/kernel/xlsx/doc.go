// Package xlsx writes and reads workbooks of one sheet: exports, import
// templates and imports.
//
// Writing streams: rows beyond a few megabytes wait in a temporary file, not in
// memory. Cells are typed, so text never becomes a formula whatever it begins
// with. Reading checks the archive before anything is unpacked and again while
// it is unpacked, so that neither a small file that swells nor one that lies
// about its size costs memory; see Limits.
package xlsx
