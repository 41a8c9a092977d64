package identity

import (
	"context"
	"strconv"
	"time"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// Types of login log rows (contract §6.5).
const (
	logPassword = 100
	logLogout   = 200
	logForced   = 202
)

// LoginLog is one attempt to sign in or one end of a session.
type LoginLog struct {
	ID         int64  `json:"id"`
	LogType    int    `json:"logType"`
	UserID     int64  `json:"userId"`
	UserType   int    `json:"userType"`
	TraceID    string `json:"traceId"`
	Username   string `json:"username"`
	Result     int    `json:"result"`
	Status     int    `json:"status" doc:"same as result, for older clients"`
	UserIP     string `json:"userIp"`
	UserAgent  string `json:"userAgent"`
	CreateTime int64  `json:"createTime"`
}

const (
	sqlLogLogin = `INSERT INTO system_login_log (tenant_id, log_type, trace_id, user_id, user_type, username, result, user_ip, user_agent, create_time)
 VALUES (:tenant, :kind, :trace, :user, :user_type, :username, :result, :ip, :agent, :now)`
	loginLogColumns = `t.id, t.log_type, t.trace_id, t.user_id, t.user_type, t.username, t.result, t.result AS status, t.user_ip, t.user_agent, t.create_time`
	loginLogFrom    = `FROM system_login_log t WHERE t.tenant_id = :tenant`
)

type loginEvent struct {
	kind     int
	user     int64
	userType int
	username string
	result   int
}

// writeLoginLog keeps the event in the tenant of ctx, inside a Write.
func writeLoginLog(ctx context.Context, e loginEvent) error {
	r := actor.RequestOf(ctx)
	if e.userType == 0 {
		e.userType = actor.Teacher
	}
	return store.Later(ctx, sqlLogLogin, store.Args{"kind": e.kind, "trace": r.ID, "user": e.user, "user_type": e.userType, "username": clip(e.username, 100),
		"result": e.result, "ip": r.IP, "agent": clip(r.UserAgent, 512), "now": clock.Millis()})
}

// LoginLogFilter are the filters of the login log; an empty one filters nothing.
type LoginLogFilter struct {
	UserIP     string   `query:"userIp" maxLength:"64" doc:"登录地址|Address"`
	Username   string   `query:"username" maxLength:"100" doc:"账号|User name"`
	Status     string   `query:"status" enum:"true,false" doc:"状态|Status"`
	LogType    string   `query:"logType" enum:"100,101,103,104,200,202" doc:"日志类型|Type"`
	CreateTime []string `query:"createTime,explode" maxItems:"2" doc:"登录时间|Time"`
}

func (f LoginLogFilter) query(ctx context.Context) (*store.Query, error) {
	q := store.Build(loginLogFrom, nil).
		If(f.UserIP != "", ` AND t.user_ip LIKE :user_ip ESCAPE '\'`, "user_ip", store.Contains(f.UserIP)).
		If(f.Username != "", ` AND t.username LIKE :username ESCAPE '\'`, "username", store.Contains(f.Username)).
		If(f.Status == "true", " AND t.result = 0", "", nil).
		If(f.Status == "false", " AND t.result > 0", "", nil)
	if f.LogType != "" {
		kinds := map[string]int{"100": 100, "101": 101, "103": 103, "104": 104, "200": 200, "202": 202}
		q.If(true, " AND t.log_type = :kind", "kind", kinds[f.LogType])
	}
	return q, within(ctx, q, f.CreateTime)
}

type loginLogPage struct {
	store.Paging
	LoginLogFilter
}

func (s *Service) mountLoginLog() {
	query := web.Perm("system:login-log:query")
	web.Get(s.m, "/login-log/page", query, func(ctx context.Context, in loginLogPage) (store.Page[LoginLog], error) {
		q, err := in.query(ctx)
		if err != nil {
			return store.Page[LoginLog]{}, err
		}
		return store.SelectPage[LoginLog](ctx, loginLogColumns, q, "t.id DESC", in.Paging)
	}, web.Title("登录日志分页"))
	web.Get(s.m, "/login-log/get", query, func(ctx context.Context, in idInput) (LoginLog, error) {
		return store.One[LoginLog](ctx, "SELECT "+loginLogColumns+" "+loginLogFrom+" AND t.id = :id", store.Args{"id": in.ID})
	}, web.Title("登录日志详情"))
	for _, name := range []string{"export-excel", "export"} {
		web.Stream(s.m, "/login-log/"+name, web.Perm("system:login-log:export"), s.exportLoginLog, web.Title("导出登录日志"))
	}
}

func (s *Service) exportLoginLog(ctx context.Context, in LoginLogFilter) (*web.Download, error) {
	q, err := in.query(ctx)
	if err != nil {
		return nil, err
	}
	kinds, err := s.labels(ctx, "system_login_type", map[string]string{"100": "账号登录", "200": "主动登出", "202": "强制登出"})
	if err != nil {
		return nil, err
	}
	results, err := s.labels(ctx, "system_login_result", map[string]string{"0": "成功", "10": "账号或密码不正确", "20": "用户被禁用", "30": "验证码不存在", "31": "验证码不正确", "100": "未知异常"})
	if err != nil {
		return nil, err
	}
	whole := store.Build("SELECT "+loginLogColumns+" ", q.Args()).Add(q.SQL()).Add(" ORDER BY t.id DESC")
	headers := []string{"日志主键", "日志类型", "用户账号", "登录结果", "登录 IP", "浏览器 UA", "登录时间"}
	return sheet("登录日志", "数据列表", headers, func(add func(...any) error) error {
		n := 0
		return store.Each(ctx, whole.SQL(), whole.Args(), func(l LoginLog) error {
			if n++; n > maxExport {
				return tooManyRows(ctx)
			}
			return add(l.ID, kinds[strconv.Itoa(l.LogType)], l.Username, results[strconv.Itoa(l.Result)], l.UserIP, l.UserAgent, time.UnixMilli(l.CreateTime))
		})
	}), nil
}

func tooManyRows(ctx context.Context) error {
	return errs.ErrInvalid.With(i18n.Pick(ctx, "超过 50000 行，请先缩小筛选范围再导出", "more than 50000 rows; narrow the filter first"))
}
