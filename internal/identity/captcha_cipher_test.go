package identity

import (
	"encoding/base64"
	"strings"
	"testing"
)

// Vectors of `openssl enc -aes-128-ecb -base64 -A -K …`; the first two are those
// of the wire contract.
var captchaVectors = []struct{ key, plain, text string }{
	{"XwKsGlMcdPMEhR1B", `{"x":123.5,"y":5}`, "CYOub5du4jRgdyK2RTZZ2aQdo5ChmvcuSLkPpa63WiM="},
	{"XwKsGlMcdPMEhR1B", `a1b2c3---{"x":123.5,"y":5}`, "7tnfVTd26in75w62uEdCLH8I3IoQWnTW8efmahbPY7c="},
	{"0123456789abcdef", "", "N3Ii4GGpJMWRzZwn6hY+1A=="},
	{"0123456789abcdef", "28", "lE2R4aoRsewom4IPVVcDsg=="},
	{"0123456789abcdef", "sixteen bytes ab", "BGQmjpSkIW9uINKLiwKCAjdyIuBhqSTFkc2cJ+oWPtQ="},
	{"0123456789abcdef", `坐标{"x":1}`, "mN4/aFAUYVgkeGmbgVlPfg=="},
}

func TestCaptchaCipherVectors(t *testing.T) {
	for _, v := range captchaVectors {
		if got, err := captchaEncrypt(v.plain, v.key); err != nil || got != v.text {
			t.Errorf("encrypt %q: %s, %v", v.plain, got, err)
		}
		if got, err := captchaDecrypt(v.text, v.key); err != nil || got != v.plain {
			t.Errorf("decrypt %q: %q, %v", v.text, got, err)
		}
	}
}

func TestCaptchaDecryptRefuses(t *testing.T) {
	const key = "XwKsGlMcdPMEhR1B"
	whole, _ := captchaEncrypt("sixteen bytes ab", key)
	raw, _ := base64.StdEncoding.DecodeString(whole)
	for name, text := range map[string]string{
		"empty":            "",
		"not base64":       "%%%",
		"url alphabet":     strings.Repeat("-_", 16),
		"not whole blocks": base64.StdEncoding.EncodeToString(raw[:20]),
		"padding cut off":  base64.StdEncoding.EncodeToString(raw[:16]),
		"loose bits":       "7tnfVTd26in75w62uEdCLH8I3IoQWnTW8efmahbPY7d=",
		"noise":            base64.StdEncoding.EncodeToString(make([]byte, 32)),
	} {
		if got, err := captchaDecrypt(text, key); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, key := range []string{"", "short", strings.Repeat("k", 17)} {
		if _, err := captchaEncrypt("x", key); err == nil {
			t.Errorf("encrypted with a key of %d bytes", len(key))
		}
		if _, err := captchaDecrypt(whole, key); err == nil {
			t.Errorf("decrypted with a key of %d bytes", len(key))
		}
	}
}

func FuzzCaptchaCipher(f *testing.F) {
	for _, v := range captchaVectors {
		f.Add(v.plain)
		f.Add(v.text)
	}
	const key = "0123456789abcdef"
	f.Fuzz(func(t *testing.T, s string) {
		if plain, err := captchaDecrypt(s, key); err == nil {
			if _, err := captchaEncrypt(plain, key); err != nil {
				t.Fatal(err)
			}
		}
		s = strings.ToValidUTF8(s, "")
		text, err := captchaEncrypt(s, key)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := captchaDecrypt(text, key); err != nil || back != s {
			t.Fatalf("%q came back as %q, %v", s, back, err)
		}
	})
}
