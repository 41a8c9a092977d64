package password

import (
	_ "embed"
	"errors"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The lengths of a new password in characters.
const (
	MinLength = 8
	MaxLength = 64
)

// What CheckStrength may find wrong.
var (
	ErrTooShort     = errors.New("password: shorter than 8 characters")
	ErrTooLong      = errors.New("password: longer than 64 characters")
	ErrCommon       = errors.New("password: one of the first an attacker would try")
	ErrContainsName = errors.New("password: contains the user name")
	ErrNotText      = errors.New("password: contains control characters")
)

//go:embed common.txt
var commonText string

// common holds the refused passwords in lower case.
var common = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(commonText) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			set[line] = true
		}
	}
	return set
})

// CheckStrength judges a new password; nil means that it may be set. There is
// no rule about kinds of characters: length and not being guessable are what
// counts. Stored passwords are never judged again.
func CheckStrength(pw, username string) error {
	n := utf8.RuneCountInString(pw)
	switch {
	case n < MinLength:
		return ErrTooShort
	case n > MaxLength:
		return ErrTooLong
	case !utf8.ValidString(pw) || strings.ContainsFunc(pw, unicode.IsControl):
		return ErrNotText
	}
	lower := strings.ToLower(pw)
	if name := strings.ToLower(strings.TrimSpace(username)); utf8.RuneCountInString(name) >= 3 && strings.Contains(lower, name) {
		return ErrContainsName
	}
	if common()[lower] || common()[plain.Replace(lower)] || isPattern(lower) {
		return ErrCommon
	}
	return nil
}

// plain undoes the replacements everybody makes.
var plain = strings.NewReplacer("@", "a", "0", "o", "$", "s", "3", "e", "!", "i", "1", "l", "5", "s", "7", "t")

// rows are sequences the fingers or the alphabet give.
var rows = []string{
	"abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890-=", "!@#$%^&*()_+",
	"qwertyuiop[]", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/", "qazwsxedcrfvtgbyhnujmikolp", "1q2w3e4r5t6y7u8i9o0p",
	"147258369", "789456123", "159753", "q1w2e3r4t5y6u7i8o9p0", "!qaz@wsx#edc$rfv%tgb",
}

// isPattern finds passwords without any secret in them: one unit repeated, runs
// along a row, a bare date.
func isPattern(s string) bool {
	return isRepeated(s) || isRun(s) || isDate(s)
}

// isRepeated tells whether s is a unit of up to four characters over and over.
func isRepeated(s string) bool {
	r := []rune(s)
	for unit := 1; unit <= 4; unit++ {
		same := true
		for i := unit; i < len(r) && same; i++ {
			same = r[i] == r[i-unit]
		}
		if same {
			return true
		}
	}
	return false
}

// isRun tells whether s consists of at most two pieces of rows, forwards or
// backwards, such as "qwertyui", "87654321" or "abcd1234".
func isRun(s string) bool {
	return runPieces(s) <= 2
}

// runPieces returns how many pieces of rows make up s, taking the longest
// possible piece each time; a single character counts as a piece.
func runPieces(s string) int {
	pieces := 0
	for s != "" {
		pieces++
		s = s[longestPiece(s):]
	}
	return pieces
}

func longestPiece(s string) int {
	_, best := utf8.DecodeRuneInString(s)
	for _, row := range rows {
		for _, r := range []string{row, reversed(row)} {
			for n := best + 1; n <= len(s) && strings.Contains(r, s[:n]); n++ {
				best = n
			}
		}
	}
	return best
}

func reversed(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

// isDate tells whether s is nothing but a date of the last or this century,
// year first or last, with or without separators.
func isDate(s string) bool {
	digits := strings.NewReplacer("-", "", "/", "", ".", "").Replace(s)
	if len(digits) != 8 || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	month := func(m, d string) bool { return m >= "01" && m <= "12" && d >= "01" && d <= "31" }
	year := func(y string) bool { return y >= "1900" && y <= "2099" }
	return year(digits[:4]) && month(digits[4:6], digits[6:]) ||
		year(digits[4:]) && (month(digits[:2], digits[2:4]) || month(digits[2:4], digits[:2]))
}
