package identity

import (
	"crypto/aes"
	"encoding/base64"
	"errors"
	"unicode/utf8"
)

// errCaptchaCipher says that a text was not made by captchaEncrypt under the
// same key.
var errCaptchaCipher = errors.New("identity: captcha text cannot be decrypted")

// captchaEncrypt is the cipher of the captcha messages: AES-128 in ECB mode
// with PKCS#7 padding under the 16 bytes of key, in standard base64. The mode
// hides nothing from anyone who tries: it is the wire format, not a protection.
// What protects are the single try, the short lives and the throttles.
func captchaEncrypt(plain, key string) (string, error) {
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		return "", err
	}
	pad := aes.BlockSize - len(plain)%aes.BlockSize
	data := make([]byte, len(plain)+pad)
	for i := copy(data, plain); i < len(data); i++ {
		data[i] = byte(pad)
	}
	for i := 0; i < len(data); i += aes.BlockSize {
		block.Encrypt(data[i:], data[i:])
	}
	return base64.StdEncoding.EncodeToString(data), nil
}

// captchaDecrypt undoes captchaEncrypt. Anything but a clean result, including
// bytes that are no text, is errCaptchaCipher.
func captchaDecrypt(text, key string) (string, error) {
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		return "", err
	}
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(data) == 0 || len(data)%aes.BlockSize != 0 {
		return "", errCaptchaCipher
	}
	for i := 0; i < len(data); i += aes.BlockSize {
		block.Decrypt(data[i:], data[i:])
	}
	pad := int(data[len(data)-1])
	if pad == 0 || pad > aes.BlockSize {
		return "", errCaptchaCipher
	}
	for _, b := range data[len(data)-pad:] {
		if int(b) != pad {
			return "", errCaptchaCipher
		}
	}
	plain := string(data[:len(data)-pad])
	if !utf8.ValidString(plain) {
		return "", errCaptchaCipher
	}
	return plain, nil
}
