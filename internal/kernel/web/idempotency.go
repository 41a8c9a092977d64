package web

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// Migrations creates the table of idempotency keys.
//
//go:embed migrations/*.sql
var Migrations embed.FS

type idempotencyKey struct{}

// RequestKey is the idempotency key that the caller sent, empty when he sent none.
func RequestKey(ctx context.Context) string {
	key, _ := ctx.Value(idempotencyKey{}).(string)
	return key
}

const (
	sqlClaimKey = `INSERT INTO web_idempotency (tenant_id, user_id, idem_key, body_hash, answer, create_time)
 VALUES (:tenant, :user, :key, :hash, '', :now) ON CONFLICT (tenant_id, user_id, idem_key) DO NOTHING`
	sqlFindKey   = `SELECT body_hash, answer FROM web_idempotency WHERE tenant_id = :tenant AND user_id = :user AND idem_key = :key`
	sqlAnswerKey = `UPDATE web_idempotency SET answer = :answer WHERE tenant_id = :tenant AND user_id = :user AND idem_key = :key`
	sqlExpireKey = `DELETE FROM web_idempotency WHERE create_time < :before`
)

const maxKey = 128

// claim takes the caller's idempotency key inside the transaction. replay is true when
// the same request was answered before; then answer holds that answer. A concurrent
// request with the same key waits for this one on the unique index.
func (c *Call) claim(ctx context.Context, in, answer any) (replay bool, err error) {
	key, _ := ctx.Value(idempotencyKey{}).(string)
	who := actor.From(ctx)
	if key == "" || who.Kind != actor.User {
		return false, nil
	}
	if len(key) > maxKey {
		return false, errs.ErrInvalid.With("Idempotency-Key")
	}
	body, err := json.Marshal(in)
	if err != nil {
		return false, err
	}
	sum := sha256.Sum256(append([]byte(c.Name()+"\n"), body...))
	hash := hex.EncodeToString(sum[:])
	n, err := store.Exec(ctx, sqlClaimKey, store.Args{"user": who.UserID, "key": key, "hash": hash, "now": clock.Millis()})
	if err != nil || n == 1 {
		return false, err
	}
	type stored struct{ BodyHash, Answer string }
	old, err := store.One[stored](ctx, sqlFindKey, store.Args{"user": who.UserID, "key": key})
	if err != nil {
		return false, err
	}
	if old.BodyHash != hash {
		return false, errs.ErrKeyReused.With()
	}
	return true, json.Unmarshal([]byte(old.Answer), answer)
}

func (c *Call) remember(ctx context.Context, answer any) error {
	key, _ := ctx.Value(idempotencyKey{}).(string)
	who := actor.From(ctx)
	if key == "" || who.Kind != actor.User {
		return nil
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	return store.Later(ctx, sqlAnswerKey, store.Args{"user": who.UserID, "key": key, "answer": string(body)})
}

// KeyLife is how long an idempotency key is remembered, in milliseconds.
const KeyLife = 24 * 3600 * 1000

// ExpireKeys forgets keys older than KeyLife; a job calls it.
func ExpireKeys(ctx context.Context) error {
	ctx = store.AcrossTenants(ctx, "web: forget old idempotency keys")
	return store.Write(ctx, func(ctx context.Context) error {
		_, err := store.Exec(ctx, sqlExpireKey, store.Args{"before": clock.Millis() - KeyLife})
		return err
	})
}
