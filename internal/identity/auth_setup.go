package identity

import (
	"context"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/id"
	"viva/internal/kernel/store"
)

// setupLife is how long the one-time administrator link works.
const setupLife = 24 * 3600 * 1000

const (
	sqlAnySuper = `SELECT COUNT(*) FROM system_users u JOIN system_user_role ur ON ur.user_id = u.id JOIN system_role r ON r.id = ur.role_id
 WHERE u.tenant_id = :tenant AND ur.tenant_id = :tenant AND r.tenant_id = :tenant AND u.deleted = false AND r.deleted = false AND r.code = 'super_admin'`
	sqlDropSetup = `DELETE FROM system_setup_link WHERE owner_tenant = :owner`
	sqlKeepSetup = `INSERT INTO system_setup_link (token_hash, owner_tenant, expires_time) VALUES (:hash, :owner, :expires)`
	sqlTakeSetup = `DELETE FROM system_setup_link WHERE token_hash = :hash AND expires_time > :now RETURNING owner_tenant`
)

// SetupLink gives a token for POST /system/auth/setup while the tenant of ctx, which is
// the system tenant, has no super administrator; created is false when it has one. A new
// token replaces the one before.
func (s *Service) SetupLink(ctx context.Context) (token string, created bool, err error) {
	owner := actor.From(ctx).TenantID
	err = store.Write(ctx, func(ctx context.Context) error {
		n, _, err := store.Get[int64](ctx, sqlAnySuper, nil)
		if err != nil || n > 0 {
			return err
		}
		token, created = id.Token(tokenLength/2), true
		if _, err := store.Exec(ctx, sqlDropSetup, store.Args{"owner": owner}); err != nil {
			return err
		}
		_, err = store.Exec(ctx, sqlKeepSetup, store.Args{"hash": id.Hash(token), "owner": owner, "expires": clock.Millis() + setupLife})
		return err
	})
	return token, created, err
}

// SetupInput makes the first administrator.
type SetupInput struct {
	Token    string `json:"token" required:"true" minLength:"1" maxLength:"128" doc:"初始化链接|Set-up link"`
	Username string `json:"username" required:"true" maxLength:"30" doc:"账号|User name"`
	Nickname string `json:"nickname" maxLength:"30" doc:"姓名|Name"`
	Password string `json:"password" required:"true" maxLength:"256" doc:"密码|Password"`
}

// setup uses the link up. Guesses at it count as failed sign-ins of their address.
func (s *Service) setup(ctx context.Context, in SetupInput) (bool, error) {
	ip := actor.RequestOf(ctx).IP
	if err := s.ips.refuse(ip); err != nil {
		return false, err
	}
	in.Username = strings.TrimSpace(in.Username)
	hash, err := hashOf(ctx, in.Username, in.Password, "")
	if err != nil {
		return false, err
	}
	err = store.Write(ctx, func(ctx context.Context) error {
		owner, ok, err := store.Get[int64](ctx, sqlTakeSetup, store.Args{"hash": id.Hash(in.Token), "now": clock.Millis()})
		if err != nil || !ok {
			return orElse(err, errSetup.With())
		}
		inside := actor.AsSystem(ctx, owner)
		user, err := s.CreateUser(inside, NewUser{Username: in.Username, Nickname: strings.TrimSpace(in.Nickname), PasswordHash: hash, Roles: []string{roleSuper}})
		if err != nil {
			return err
		}
		return audit.Record(inside, audit.Entry{Table: "system_users", Title: "用户", RowID: user, Op: audit.Event, Action: "使用一次性链接创建超级管理员“" + in.Username + "”"})
	})
	if err != nil {
		s.ips.add(ip)
	}
	return err == nil, err
}

// SetAdministrator makes or repairs a super administrator of the system tenant in ctx:
// new password, enabled, unlocked, all sessions ended. For the command line.
func (s *Service) SetAdministrator(ctx context.Context, username, secret string) (int64, error) {
	hash, err := hashOf(ctx, username, secret, "")
	if err != nil {
		return 0, err
	}
	var user int64
	err = store.Write(ctx, func(ctx context.Context) error {
		found, exists, err := store.Get[int64](ctx, sqlUserByName, store.Args{"username": lower(username)})
		if err != nil {
			return err
		}
		if user = found; !exists {
			user, err = s.CreateUser(ctx, NewUser{Username: username, PasswordHash: hash, Roles: []string{roleSuper}})
			return err
		}
		if _, err := users.Change(ctx, user, func(u *User) error {
			u.Status, u.Password = 0, hash
			return nil
		}); err != nil {
			return err
		}
		if err := forgetFailures(ctx, username); err != nil {
			return err
		}
		if err := s.EndSessions(ctx, user); err != nil {
			return err
		}
		return s.GrantRoles(ctx, user, roleSuper)
	})
	return user, err
}
