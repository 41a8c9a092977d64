package identity

import (
	"context"
	"time"

	"viva/internal/kernel/id"
	"viva/internal/kernel/store"
)

// captchaSkew is how far the clocks of nodes may differ.
const captchaSkew = time.Minute

// What a captcha leaves in the database, where every node finds it: nothing when it is
// asked for, one row when it is answered. The row marks the token as used and, after a
// right answer, holds the proof that one sign-in may bring.
const (
	sqlCaptchaKey     = `SELECT secret FROM system_secret WHERE name = 'captcha'`
	sqlKeepCaptchaKey = `INSERT INTO system_secret (name, secret, create_time) VALUES ('captcha', :secret, :now) ON CONFLICT (name) DO NOTHING`
	sqlUseCaptcha     = `INSERT INTO system_captcha (token_hash, proof_hash, expires_time) VALUES (:token, :proof, :expires) ON CONFLICT (token_hash) DO NOTHING`
	sqlUseProof       = `UPDATE system_captcha SET proof_hash = '' WHERE proof_hash = :proof AND proof_hash <> '' AND expires_time > :now`
	sqlPurgeCaptchas  = `DELETE FROM system_captcha WHERE expires_time < :captcha_before`
)

// sealing gives the seal that all nodes share. Its key is made once per installation,
// by whichever node is asked first, and leaves the database for this memory only.
func (c *Captcha) sealing(ctx context.Context) (*captchaSeal, error) {
	if s := c.seal.Load(); s != nil {
		return s, nil
	}
	key, ok, err := store.Get[string](ctx, sqlCaptchaKey, nil)
	if err == nil && !ok {
		key, err = c.makeKey(ctx)
	}
	if err != nil {
		return nil, err
	}
	s, err := newCaptchaSeal(key)
	if err == nil {
		c.seal.Store(s)
	}
	return s, err
}

// makeKey keeps a fresh key unless another node was quicker, and gives the one that is kept.
func (c *Captcha) makeKey(ctx context.Context) (key string, err error) {
	err = store.Write(ctx, func(ctx context.Context) error {
		if _, err := store.Exec(ctx, sqlKeepCaptchaKey, store.Args{"secret": id.Token(32), "now": c.now().UnixMilli()}); err != nil {
			return err
		}
		key, err = store.One[string](ctx, sqlCaptchaKey, nil)
		return err
	})
	return key, err
}

// use marks a token as used, with the proof of a right answer or "" after a wrong one;
// false when it was used before, here or on another node.
func (c *Captcha) use(ctx context.Context, token, proof string) (fresh bool, err error) {
	err = store.Write(ctx, func(ctx context.Context) error {
		n, err := store.Exec(ctx, sqlUseCaptcha, store.Args{"token": id.Hash(token), "proof": proof, "expires": c.now().Add(captchaPassTTL).UnixMilli()})
		fresh = n == 1
		return err
	})
	return fresh, err
}

// Verify consumes the proof that a sign-in carries: of all who bring the same one, on
// whichever nodes, it tells one that it is good.
func (c *Captcha) Verify(ctx context.Context, verification string) (ok bool, err error) {
	if verification == "" {
		return false, nil
	}
	err = store.Write(ctx, func(ctx context.Context) error {
		n, err := store.Exec(ctx, sqlUseProof, store.Args{"proof": id.Hash(verification), "now": c.now().UnixMilli()})
		ok = n == 1
		return err
	})
	return ok, err
}
