// Package crash proves what survives: its tests kill processes, restart the database
// server without a shutdown and fill the disk, while a writer acknowledges what it
// committed. An acknowledged write must be there afterwards, whole, once; one that was
// not acknowledged must be there whole or not at all.
package crash
