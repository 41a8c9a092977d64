// Package id makes random public tokens. Row ids come from the database.
package id

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
)

// Token gives n random bytes as lower-case hex; 32 bytes for session tokens.
func Token(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // crypto/rand.Read never fails since Go 1.24
	return hex.EncodeToString(b)
}

// Hash is the form in which a token is stored: SHA-256 in hex.
func Hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
