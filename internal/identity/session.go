package identity

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/id"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
)

// The lives of tokens in milliseconds.
const (
	accessLife  = 30 * 60 * 1000
	refreshLife = 30 * 24 * 3600 * 1000
	grace       = 30 * 1000
)

// The texts that clients match literally (contract §1.2).
var (
	errRefreshUnknown = errs.Code{Num: errs.CodeInvalid, Kind: errs.Invalid, Zh: "无效的刷新令牌"}
	errRefreshExpired = errs.Code{Num: errs.CodeUnauthenticated, Kind: errs.Unauthenticated, Zh: "刷新令牌已过期"}
)

// session is one sign-in on one device; refreshing keeps the row and changes its tokens.
type session struct {
	ID             int64
	TenantID       int64
	UserID         int64
	AccessHash     string
	AccessExpires  int64
	OldAccessHash  string
	OldAccessUntil int64
}

const (
	sqlFindSession = `SELECT id, tenant_id, user_id, access_hash, access_expires, old_access_hash, old_access_until FROM system_session
 WHERE access_hash = :hash OR old_access_hash = :hash`
	sqlOpenSession = `INSERT INTO system_session (tenant_id, user_id, user_ip, user_agent, create_time, last_time, access_hash, access_expires, refresh_expires)
 VALUES (:tenant, :user, :ip, :agent, :now, :now, :hash, :access_expires, :refresh_expires) RETURNING id`
	sqlKeepRefresh = `INSERT INTO system_refresh_token (tenant_id, token_hash, session_id, create_time, expires_time) VALUES (:tenant, :hash, :session, :now, :expires)`
	sqlLockRefresh = `SELECT token_hash, session_id, expires_time, used_time, successor FROM system_refresh_token
 WHERE tenant_id = :tenant AND token_hash = :hash FOR UPDATE`
	sqlUseRefresh = `UPDATE system_refresh_token SET used_time = :now, successor = :successor WHERE tenant_id = :tenant AND token_hash = :hash`
	sqlBlankOlder = `UPDATE system_refresh_token SET successor = '' WHERE tenant_id = :tenant AND session_id = :session AND used_time < :before AND successor <> ''`
	sqlGetSession = `SELECT id, tenant_id, user_id, access_hash, access_expires, old_access_hash, old_access_until FROM system_session
 WHERE tenant_id = :tenant AND id = :id FOR UPDATE`
	sqlTurnSession = `UPDATE system_session SET access_hash = :hash, access_expires = :access_expires, refresh_expires = :refresh_expires, last_time = :now,
 old_access_hash = access_hash, old_access_until = CASE WHEN access_expires < :grace_end THEN access_expires ELSE :grace_end END,
 user_ip = :ip, user_agent = :agent WHERE tenant_id = :tenant AND id = :id`
	sqlEndSession = `DELETE FROM system_session WHERE tenant_id = :tenant AND id = :id RETURNING id, tenant_id, user_id, access_hash, old_access_hash`
	sqlEndOfUser  = `DELETE FROM system_session WHERE tenant_id = :tenant AND user_id = :user AND id <> :keep
 RETURNING id, tenant_id, user_id, access_hash, old_access_hash`
	sqlEndRefresh = `DELETE FROM system_refresh_token WHERE tenant_id = :tenant AND session_id IN (:sessions)`
)

// Tokens is the answer of sign-in and refresh.
type Tokens struct {
	UserID       int64  `json:"userId"`
	AccessToken  string `json:"accessToken"`
	RefreshToken string `json:"refreshToken"`
	ExpiresTime  int64  `json:"expiresTime" doc:"end of the access token, epoch milliseconds"`
}

// tokenLength is 256 bits in hex.
const tokenLength = 64

// sessionOf resolves an access token. The lookup goes across tenants because only the
// token says which tenant it belongs to.
func (s *Service) sessionOf(ctx context.Context, token string) (session, error) {
	if len(token) != tokenLength {
		return session{}, errs.ErrUnauthenticated.With()
	}
	hash := id.Hash(token)
	found, err := s.state.sessions.get(ctx, hash, func(ctx context.Context) (session, error) {
		row, ok, err := store.Get[session](store.AcrossTenants(ctx, "identity: a token names its tenant"), sqlFindSession, store.Args{"hash": hash})
		if err == nil && !ok {
			err = errs.ErrUnauthenticated.With()
		}
		return row, err
	})
	if err != nil {
		return session{}, err
	}
	until := found.AccessExpires
	if found.AccessHash != hash {
		until = found.OldAccessUntil
	}
	if clock.Millis() >= until {
		return session{}, errs.ErrUnauthenticated.With()
	}
	return found, nil
}

// openSession starts a session of the user in the tenant of ctx, inside a Write.
func (s *Service) openSession(ctx context.Context, user int64) (Tokens, error) {
	now, r := clock.Millis(), actor.RequestOf(ctx)
	t := Tokens{UserID: user, AccessToken: id.Token(tokenLength / 2), RefreshToken: id.Token(tokenLength / 2), ExpiresTime: now + accessLife}
	session, _, err := store.Get[int64](ctx, sqlOpenSession, store.Args{"user": user, "ip": r.IP, "agent": clip(r.UserAgent, 300), "now": now,
		"hash": id.Hash(t.AccessToken), "access_expires": t.ExpiresTime, "refresh_expires": now + refreshLife})
	if err != nil {
		return t, err
	}
	return t, store.Later(ctx, sqlKeepRefresh, store.Args{"hash": id.Hash(t.RefreshToken), "session": session, "now": now, "expires": now + refreshLife})
}

func clip(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most])
	}
	return text
}

type refreshRow struct {
	TokenHash   string
	SessionID   int64
	ExpiresTime int64
	UsedTime    int64
	Successor   string
}

// refresh exchanges a refresh token. All who come with the same one within the grace
// time get the same successor; who comes later ends the session. What it does to the
// database stays even when it answers an error, hence the two results.
func (s *Service) refresh(ctx context.Context, token string) (Tokens, error) {
	var t Tokens
	var refusal error
	err := store.Write(ctx, func(ctx context.Context) (err error) {
		t, refusal, err = s.exchange(ctx, token)
		return err
	})
	if err == nil {
		err = refusal
	}
	return t, err
}

func (s *Service) exchange(ctx context.Context, token string) (t Tokens, refusal, err error) {
	now := clock.Millis()
	row, ok, err := store.Get[refreshRow](ctx, sqlLockRefresh, store.Args{"hash": id.Hash(token)})
	switch {
	case err != nil || !ok || len(token) != tokenLength:
		return t, errRefreshUnknown.With(), err
	case row.ExpiresTime <= now:
		return t, errRefreshExpired.With(), s.endSession(ctx, row.SessionID)
	case row.UsedTime == 0:
	case now-row.UsedTime <= grace && row.Successor != "":
		t, err := unseal(token, row.Successor)
		return t, nil, err
	default:
		return t, errRefreshUnknown.With(), s.replayed(ctx, row)
	}
	found, ok, err := store.Get[session](ctx, sqlGetSession, store.Args{"id": row.SessionID})
	if err != nil || !ok {
		return t, errRefreshUnknown.With(), err
	}
	if g, err := s.grantOf(ctx, found.TenantID, found.UserID); err != nil || g.user.Status != 0 {
		if errs.Is(err, errs.ErrNoRecord) || err == nil {
			return t, errRefreshExpired.With(), s.endSession(ctx, found.ID)
		}
		return t, nil, err
	}
	t, err = s.turn(ctx, found, row, token)
	return t, nil, err
}

// turn gives a session its next pair of tokens. The old access token stays good for the
// grace time, for requests that are under way.
func (s *Service) turn(ctx context.Context, found session, row refreshRow, token string) (Tokens, error) {
	now, r := clock.Millis(), actor.RequestOf(ctx)
	t := Tokens{UserID: found.UserID, AccessToken: id.Token(tokenLength / 2), RefreshToken: id.Token(tokenLength / 2), ExpiresTime: now + accessLife}
	sealed, err := seal(token, t)
	if err != nil {
		return t, err
	}
	steps := []func() (int64, error){
		func() (int64, error) {
			return store.Exec(ctx, sqlTurnSession, store.Args{"id": found.ID, "hash": id.Hash(t.AccessToken), "access_expires": t.ExpiresTime,
				"refresh_expires": now + refreshLife, "now": now, "grace_end": now + grace, "ip": r.IP, "agent": clip(r.UserAgent, 300)})
		},
		func() (int64, error) {
			return store.Exec(ctx, sqlUseRefresh, store.Args{"hash": row.TokenHash, "now": now, "successor": sealed})
		},
		func() (int64, error) {
			return store.Exec(ctx, sqlKeepRefresh, store.Args{"hash": id.Hash(t.RefreshToken), "session": found.ID, "now": now, "expires": now + refreshLife})
		},
		func() (int64, error) {
			return store.Exec(ctx, sqlBlankOlder, store.Args{"session": found.ID, "before": now - grace})
		},
	}
	for _, step := range steps {
		if _, err := step(); err != nil {
			return t, err
		}
	}
	if found.OldAccessHash != "" {
		if err := s.changed(ctx, "session "+found.OldAccessHash); err != nil {
			return t, err
		}
	}
	return t, s.changed(ctx, "session "+found.AccessHash)
}

// replayed ends a session whose refresh token came a second time: it was copied.
func (s *Service) replayed(ctx context.Context, row refreshRow) error {
	err := audit.Record(ctx, audit.Entry{Table: "system_session", Title: "会话", RowID: row.SessionID, Op: audit.Event,
		Action: "已用过的刷新令牌再次出现，可能被盗用，整个会话已终止"})
	if err != nil {
		return err
	}
	return s.endSession(ctx, row.SessionID)
}

// endSession ends one session of the tenant of ctx; an unknown id is no error.
func (s *Service) endSession(ctx context.Context, session int64) error {
	return s.ended(store.Select[ended](ctx, sqlEndSession, store.Args{"id": session}))(ctx, []int64{session})
}

// EndSessions ends every session of a user of the tenant of ctx, at once on all nodes.
func (s *Service) EndSessions(ctx context.Context, user int64) error {
	return s.endOtherSessions(ctx, user, 0)
}

// endOtherSessions ends all sessions of a user but one.
func (s *Service) endOtherSessions(ctx context.Context, user, keep int64) error {
	return store.Write(ctx, func(ctx context.Context) error {
		if err := s.ended(store.Select[ended](ctx, sqlEndOfUser, store.Args{"user": user, "keep": keep}))(ctx, nil); err != nil {
			return err
		}
		return s.userChanged(ctx, actor.From(ctx).TenantID, user)
	})
}

type ended struct {
	ID            int64
	TenantID      int64
	UserID        int64
	AccessHash    string
	OldAccessHash string
}

// ended forgets the tokens of deleted sessions.
func (s *Service) ended(rows []ended, err error) func(context.Context, []int64) error {
	return func(ctx context.Context, ids []int64) error {
		if err != nil {
			return err
		}
		for _, row := range rows {
			ids = append(ids, row.ID)
			for _, hash := range []string{row.AccessHash, row.OldAccessHash} {
				if hash == "" {
					continue
				}
				if err := s.changed(ctx, "session "+hash); err != nil {
					return err
				}
			}
		}
		_, err := store.Exec(ctx, sqlEndRefresh, store.Args{"sessions": ids})
		return err
	}
}

// seal encrypts the successor with a key that only the old refresh token gives, so that
// the database alone cannot reveal it.
func seal(token string, t Tokens) (string, error) {
	box, err := sealing(token)
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, box.NonceSize())
	_, _ = rand.Read(nonce)
	return base64.StdEncoding.EncodeToString(box.Seal(nonce, nonce, plain, nil)), nil
}

func unseal(token, sealed string) (t Tokens, err error) {
	box, err := sealing(token)
	if err != nil {
		return t, err
	}
	raw, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil || len(raw) < box.NonceSize() {
		return t, errRefreshUnknown.With().Because(err)
	}
	plain, err := box.Open(nil, raw[:box.NonceSize()], raw[box.NonceSize():], nil)
	if err != nil {
		return t, errRefreshUnknown.With().Because(err)
	}
	return t, json.Unmarshal(plain, &t)
}

func sealing(token string) (cipher.AEAD, error) {
	key := sha256.Sum256([]byte("viva refresh successor\n" + token))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

const (
	sqlPurgeSessions = `DELETE FROM system_session WHERE refresh_expires < :now`
	sqlPurgeRefresh  = `DELETE FROM system_refresh_token WHERE expires_time < :now`
	sqlPurgeSealed   = `UPDATE system_refresh_token SET successor = '' WHERE successor <> '' AND used_time < :graced`
	sqlPurgeFailures = `DELETE FROM system_login_failure WHERE first_time < :failed AND locked_until < :now`
	sqlPurgeSetup    = `DELETE FROM system_setup_link WHERE expires_time < :now`
)

// purge removes what has expired; nothing relies on it but the size of the tables.
func purge(ctx context.Context, _ *job.Run) error { return purgeNow(ctx) }

func purgeNow(ctx context.Context) error {
	now := clock.Millis()
	args := store.Args{"now": now, "graced": now - grace, "failed": now - failureWindow, "captcha_before": now - captchaSkew.Milliseconds()}
	return store.Write(store.AcrossTenants(ctx, "identity: remove expired sessions of every tenant"), func(ctx context.Context) error {
		for _, purge := range []func() (int64, error){
			func() (int64, error) { return store.Exec(ctx, sqlPurgeSessions, args) },
			func() (int64, error) { return store.Exec(ctx, sqlPurgeRefresh, args) },
			func() (int64, error) { return store.Exec(ctx, sqlPurgeSealed, args) },
			func() (int64, error) { return store.Exec(ctx, sqlPurgeFailures, args) },
			func() (int64, error) { return store.Exec(ctx, sqlPurgeSetup, args) },
			func() (int64, error) { return store.Exec(ctx, sqlPurgeCaptchas, args) },
		} {
			if _, err := purge(); err != nil {
				return err
			}
		}
		return nil
	})
}
