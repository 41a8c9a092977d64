package identity

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"
)

// captchaAsked is an open captcha: what was asked, when, and what is expected.
type captchaAsked struct {
	kind   string
	answer int
	at     time.Time
}

// captchaKinds number the kinds inside a token.
var captchaKinds = []string{1: BlockPuzzle, 2: Arithmetic}

const (
	captchaTokenBytes = aes.BlockSize // 32 hex digits on the wire
	captchaNonceBytes = 4
)

// captchaSeal makes and reads tokens. A token is the open captcha itself, enciphered
// under the key of the installation, so that no node has to remember what another asked.
//
// The wire leaves a token 16 bytes, too few for a cipher text with a tag beside it, but
// just one AES block. Any other block deciphers to noise, and noise has the known kind,
// the three zero bytes and a time within the last minutes with a chance below 2^-60.
// Even such a hit would be worthless: its answer must arrive encrypted under the secret
// key of that very token, which only the answer to a real get reveals.
type captchaSeal struct {
	block   cipher.Block
	secrets []byte
}

// newCaptchaSeal derives what tokens and their secret keys are made with.
func newCaptchaSeal(key string) (*captchaSeal, error) {
	tokens, err := hkdf.Key(sha256.New, []byte(key), nil, "viva captcha tokens", 32)
	if err != nil {
		return nil, err
	}
	secrets, err := hkdf.Key(sha256.New, []byte(key), nil, "viva captcha secret keys", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(tokens)
	return &captchaSeal{block: block, secrets: secrets}, err
}

// token gives the token of an open captcha: kind, answer, time to the millisecond, a
// nonce that keeps equal captchas apart, zeros.
func (s *captchaSeal) token(a captchaAsked, nonce [captchaNonceBytes]byte) string {
	var raw [captchaTokenBytes]byte
	for n, kind := range captchaKinds {
		if kind == a.kind {
			raw[0] = byte(n)
		}
	}
	binary.BigEndian.PutUint64(raw[1:], uint64(a.at.UnixMilli())) // its two upper bytes are zero for 8000 years
	binary.BigEndian.PutUint16(raw[1:], uint16(a.answer))
	copy(raw[9:], nonce[:])
	s.block.Encrypt(raw[:], raw[:])
	return hex.EncodeToString(raw[:])
}

// open reads a token; ok is false for anything but what token gave, letter by letter.
func (s *captchaSeal) open(token string) (a captchaAsked, ok bool) {
	data, err := hex.DecodeString(token)
	if err != nil || len(data) != captchaTokenBytes || hex.EncodeToString(data) != token {
		return a, false // capitals would be a second name of the same captcha
	}
	var raw [captchaTokenBytes]byte
	s.block.Decrypt(raw[:], data)
	if raw[0] == 0 || int(raw[0]) >= len(captchaKinds) || [3]byte(raw[13:]) != [3]byte{} {
		return a, false
	}
	at := binary.BigEndian.Uint64(raw[1:]) & (1<<48 - 1)
	return captchaAsked{kind: captchaKinds[raw[0]], answer: int(binary.BigEndian.Uint16(raw[1:])), at: time.UnixMilli(int64(at))}, true
}

// secretKey gives the 16 letters and digits under which the answer to a token travels.
func (s *captchaSeal) secretKey(token string) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	mac := hmac.New(sha256.New, s.secrets)
	mac.Write([]byte(token))
	sum := mac.Sum(nil)
	chars := make([]byte, len(sum)/2)
	for i := range chars {
		chars[i] = letters[int(binary.BigEndian.Uint16(sum[2*i:]))%len(letters)]
	}
	return string(chars)
}

// inTime reports whether a captcha may still be answered. Another node may have asked,
// whose clock runs a little ahead.
func (a captchaAsked) inTime(now time.Time) bool {
	age := now.Sub(a.at)
	return age < captchaAskTTL && age >= -captchaSkew
}
