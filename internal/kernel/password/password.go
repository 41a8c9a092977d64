// Package password stores and checks passwords.
//
// Hashes are argon2id strings in the PHC form, $argon2id$v=19$m=…,t=…,p=…$salt$key;
// bcrypt hashes of imported accounts are verified and reported for rehashing.
// A hash costs tens of milliseconds of a core and 19 MiB, so no more run at once
// than there are cores; further callers wait in line, and a line that would take
// longer than ten seconds turns them away with ErrBusy.
package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
)

var (
	// ErrBusy says that the line for a hash is too long; the answer to give is
	// 429 or 503 with Retry-After.
	ErrBusy = errors.New("password: too many sign-ins at once")
	// ErrBadHash says that a stored hash is damaged or of a foreign kind.
	ErrBadHash = errors.New("password: unknown kind of hash")
)

// The cost of new hashes: the second recommendation of OWASP for argon2id.
const (
	memoryKiB = 19 * 1024
	passes    = 2
	lanes     = 1
	saltLen   = 16
	keyLen    = 32
)

// maxBytes bounds what is hashed at all; no password the product accepts is
// longer.
const maxBytes = 1024

// params are those of one argon2id hash.
type params struct {
	memory uint32
	passes uint32
	lanes  uint8
	salt   []byte
	key    []byte
}

func (p params) String() string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.memory, p.passes, p.lanes,
		b64.EncodeToString(p.salt), b64.EncodeToString(p.key))
}

func (p params) derive(pw string) []byte {
	return argon2.IDKey([]byte(pw), p.salt, p.passes, p.memory, p.lanes, uint32(len(p.key)))
}

// Hash returns the hash of pw under a fresh salt. It fails with ErrBusy or the
// error of ctx.
func Hash(ctx context.Context, pw string) (string, error) {
	if len(pw) > maxBytes {
		return "", ErrTooLong
	}
	p := params{memory: memoryKiB, passes: passes, lanes: lanes, salt: make([]byte, saltLen), key: make([]byte, keyLen)}
	if _, err := rand.Read(p.salt); err != nil {
		return "", fmt.Errorf("password: %w", err)
	}
	if err := work.do(ctx, func() { p.key = p.derive(pw) }); err != nil {
		return "", err
	}
	return p.String(), nil
}

// Verify tells whether pw is the password of hash, and whether the hash should
// be replaced by a new one of Hash, because it is bcrypt or of another cost;
// needsRehash is only set when ok is. The error is ErrBusy, that of ctx, or
// ErrBadHash.
func Verify(ctx context.Context, hash, pw string) (ok, needsRehash bool, err error) {
	check, current, err := parse(hash)
	if err != nil {
		return false, false, err
	}
	if len(pw) > maxBytes {
		return false, false, nil
	}
	if err := work.do(ctx, func() { ok = check(pw) }); err != nil {
		return false, false, err
	}
	return ok, ok && !current, nil
}

// parse reads a stored hash and returns its check and whether it is of the
// kind and cost Hash makes today.
func parse(hash string) (check func(pw string) bool, current bool, err error) {
	hash = strings.TrimPrefix(hash, "{bcrypt}") // as some frameworks store it
	if strings.HasPrefix(hash, "$2a$") || strings.HasPrefix(hash, "$2b$") || strings.HasPrefix(hash, "$2y$") {
		return parseBcrypt(hash)
	}
	p, err := parsePHC(hash)
	if err != nil {
		return nil, false, err
	}
	current = p.memory == memoryKiB && p.passes == passes && p.lanes == lanes && len(p.salt) >= saltLen && len(p.key) == keyLen
	return func(pw string) bool { return subtle.ConstantTimeCompare(p.derive(pw), p.key) == 1 }, current, nil
}

// maxBcryptCost bounds what an imported hash may cost to check: about 1.5 s.
const maxBcryptCost = 14

func parseBcrypt(hash string) (func(string) bool, bool, error) {
	cost, err := bcrypt.Cost([]byte(hash))
	if err != nil || cost > maxBcryptCost || len(hash) != 60 {
		return nil, false, ErrBadHash
	}
	return func(pw string) bool {
		b := []byte(pw)
		// The systems that made these hashes ignored what follows.
		return bcrypt.CompareHashAndPassword([]byte(hash), b[:min(len(b), 72)]) == nil
	}, false, nil
}

// parsePHC reads an argon2id string. The bounds keep a planted hash from
// costing more than a few ordinary ones.
func parsePHC(hash string) (p params, err error) {
	parts := strings.Split(hash, "$")
	if len(hash) > 512 || len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != "v="+strconv.Itoa(argon2.Version) {
		return params{}, ErrBadHash
	}
	costs := strings.Split(parts[3], ",")
	if len(costs) != 3 {
		return params{}, ErrBadHash
	}
	m, okM := cost(costs[0], "m=", 8, 256*1024)
	t, okT := cost(costs[1], "t=", 1, 10)
	l, okL := cost(costs[2], "p=", 1, 8)
	if !okM || !okT || !okL || m < 8*l {
		return params{}, ErrBadHash
	}
	p = params{memory: m, passes: t, lanes: uint8(l)}
	b64 := base64.RawStdEncoding.Strict()
	if p.salt, err = b64.DecodeString(parts[4]); err != nil || len(p.salt) < 8 || len(p.salt) > 64 {
		return params{}, ErrBadHash
	}
	if p.key, err = b64.DecodeString(parts[5]); err != nil || len(p.key) < 16 || len(p.key) > 64 {
		return params{}, ErrBadHash
	}
	if p.String() != hash { // the decoder skips line ends
		return params{}, ErrBadHash
	}
	return p, nil
}

// cost reads one decimal parameter within its bounds.
func cost(text, prefix string, low, high uint32) (uint32, bool) {
	digits, ok := strings.CutPrefix(text, prefix)
	if !ok || digits == "" || digits[0] == '0' || digits[0] == '+' {
		return 0, false
	}
	v, err := strconv.ParseUint(digits, 10, 32)
	return uint32(v), err == nil && uint32(v) >= low && uint32(v) <= high
}

// dummy is the parameters DummyVerify works with.
var dummy = sync.OnceValue(func() params {
	p := params{memory: memoryKiB, passes: passes, lanes: lanes, salt: make([]byte, saltLen), key: make([]byte, keyLen)}
	_, _ = rand.Read(p.salt)
	_, _ = rand.Read(p.key)
	return p
})

// DummyVerify costs what Verify of a current hash costs and is called when the
// user does not exist, so that the time of the answer does not tell. Its error
// is that of Verify.
func DummyVerify(ctx context.Context, pw string) error {
	if len(pw) > maxBytes {
		return nil
	}
	p := dummy()
	return work.do(ctx, func() { subtle.ConstantTimeCompare(p.derive(pw), p.key) })
}
