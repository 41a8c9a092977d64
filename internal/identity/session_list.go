package identity

import (
	"context"
	"strconv"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/id"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// SessionRow is a session in the administrators' list. The tokens themselves are stored
// as hashes and cannot be shown: accessToken is a handle for the delete call.
type SessionRow struct {
	ID           int64  `json:"id"`
	AccessToken  string `json:"accessToken"`
	RefreshToken string `json:"refreshToken"`
	UserID       int64  `json:"userId"`
	UserType     int    `json:"userType"`
	Username     string `json:"username"`
	Nickname     string `json:"nickname"`
	ClientID     string `json:"clientId" db:"client"`
	UserIP       string `json:"userIp"`
	UserAgent    string `json:"userAgent"`
	CreateTime   int64  `json:"createTime"`
	LastTime     int64  `json:"lastTime"`
	ExpiresTime  int64  `json:"expiresTime" db:"access_expires"`
}

// OwnSession is one of the caller's own sessions.
type OwnSession struct {
	ID          int64  `json:"id"`
	UserIP      string `json:"userIp"`
	UserAgent   string `json:"userAgent"`
	CreateTime  int64  `json:"createTime"`
	LastTime    int64  `json:"lastTime" doc:"last sign-in or refresh"`
	ExpiresTime int64  `json:"expiresTime" db:"refresh_expires"`
	Current     bool   `json:"current"`
}

const (
	sessionColumns = `s.id, s.user_id, t.user_type, t.username, t.nickname, s.client, s.user_ip, s.user_agent, s.create_time, s.last_time, s.access_expires`
	sessionFrom    = `FROM system_session s JOIN system_users t ON t.tenant_id = s.tenant_id AND t.id = s.user_id
 WHERE s.tenant_id = :tenant AND s.refresh_expires > :now`
	sqlOwnSessions = `SELECT id, user_ip, user_agent, create_time, last_time, refresh_expires FROM system_session
 WHERE tenant_id = :tenant AND user_id = :user AND refresh_expires > :now ORDER BY last_time DESC, id DESC`
	sqlOwnsSession = `SELECT COUNT(*) FROM system_session WHERE tenant_id = :tenant AND user_id = :user AND id = :id`
	sqlByToken     = `SELECT id FROM system_session WHERE tenant_id = :tenant AND access_hash = :hash`
)

func (s *Service) mountSessions() {
	remove := web.Perm("system:oauth2-token:delete")
	web.Get(s.m, "/oauth2-token/page", web.Perm("system:oauth2-token:page"), s.sessionPage, web.Title("会话分页"))
	web.Delete(s.m, "/oauth2-token/delete", remove, func(ctx context.Context, in tokenInput) (bool, error) {
		return true, s.forceOut(ctx, in.AccessToken)
	}, web.Title("强制下线"))
	web.Delete(s.m, "/oauth2-token/delete-list", remove, func(ctx context.Context, in tokensInput) (bool, error) {
		for _, list := range in.AccessTokens {
			for handle := range strings.SplitSeq(list, ",") {
				if err := s.forceOut(ctx, handle); err != nil {
					return false, err
				}
			}
		}
		return true, nil
	}, web.Title("批量强制下线"))
	web.Get(s.m, "/user/profile/sessions", web.SignedIn, s.ownSessions, web.Title("我的登录设备"))
	web.Delete(s.m, "/user/profile/sessions", web.SignedIn, s.endOwnSession, web.Title("终止我的会话"))
}

type sessionFilter struct {
	store.Paging
	UserID   int64  `query:"userId" doc:"用户|User"`
	UserType string `query:"userType" enum:"1,2" doc:"用户类型|User type"`
	Username string `query:"username" maxLength:"100" doc:"账号|User name"`
	ClientID string `query:"clientId" maxLength:"100" doc:"客户端|Client"`
}

func sessionsQuery(ctx context.Context) *store.Query {
	q := store.Build(sessionFrom, store.Args{"now": clock.Millis()})
	userScope(ctx, q)
	return q
}

func (s *Service) sessionPage(ctx context.Context, in sessionFilter) (store.Page[SessionRow], error) {
	q := sessionsQuery(ctx).
		If(in.UserID != 0, " AND s.user_id = :user", "user", in.UserID).
		If(in.UserType == "1", " AND t.user_type = 1", "", nil).
		If(in.UserType == "2", " AND t.user_type = 2", "", nil).
		If(in.Username != "", ` AND t.username LIKE :username ESCAPE '\'`, "username", store.Contains(in.Username)).
		If(in.ClientID != "", ` AND s.client LIKE :client ESCAPE '\'`, "client", store.Contains(in.ClientID))
	page, err := store.SelectPage[SessionRow](ctx, sessionColumns, q, "s.id DESC", in.Paging)
	for i := range page.List {
		page.List[i].AccessToken = strconv.FormatInt(page.List[i].ID, 10)
	}
	return page, err
}

type tokenInput struct {
	AccessToken string `query:"accessToken" required:"true" maxLength:"128" doc:"令牌|Token"`
}

type tokensInput struct {
	AccessTokens []string `query:"accessTokens,explode" required:"true" minItems:"1" maxItems:"500" doc:"令牌|Tokens"`
}

// forceOut ends another user's session, given by its handle or its very token.
func (s *Service) forceOut(ctx context.Context, handle string) error {
	number, err := strconv.ParseInt(handle, 10, 64)
	if len(handle) == tokenLength {
		number, _, err = store.Get[int64](ctx, sqlByToken, store.Args{"hash": id.Hash(handle)})
	}
	if err != nil || number <= 0 {
		return errs.ErrNoRecord.With()
	}
	q := sessionsQuery(ctx).If(true, " AND s.id = :id", "id", number)
	row, err := store.One[SessionRow](ctx, store.Build("SELECT "+sessionColumns+" ", nil).Add(q.SQL()).SQL(), q.Args())
	if err != nil {
		return err
	}
	if err := s.endSession(ctx, row.ID); err != nil {
		return err
	}
	if err := writeLoginLog(ctx, loginEvent{kind: logForced, user: row.UserID, userType: row.UserType, username: row.Username}); err != nil {
		return err
	}
	return audit.Record(ctx, audit.Entry{Table: "system_session", Title: "会话", RowID: row.ID, Op: audit.Event, Action: "强制用户“" + row.Username + "”下线"})
}

func (s *Service) ownSessions(ctx context.Context, _ web.None) ([]OwnSession, error) {
	who := actor.From(ctx)
	list, err := store.Select[OwnSession](ctx, sqlOwnSessions, store.Args{"user": who.UserID, "now": clock.Millis()})
	for i := range list {
		list[i].Current = list[i].ID == who.SessionID
	}
	return list, err
}

type ownSessionInput struct {
	ID int64 `query:"id" minimum:"0" doc:"会话编号，不填为其他所有会话|Session; all others when left out"`
}

func (s *Service) endOwnSession(ctx context.Context, in ownSessionInput) (bool, error) {
	who := actor.From(ctx)
	if in.ID == 0 {
		return true, s.endOtherSessions(ctx, who.UserID, who.SessionID)
	}
	n, _, err := store.Get[int64](ctx, sqlOwnsSession, store.Args{"user": who.UserID, "id": in.ID})
	if err != nil || n == 0 {
		return false, orElse(err, errs.ErrNoRecord.With())
	}
	return true, s.endSession(ctx, in.ID)
}
