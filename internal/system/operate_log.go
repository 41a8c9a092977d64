package system

import (
	"context"
	"encoding/json"
	"io"
	"strconv"
	"time"

	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/kernel/xlsx"
)

// OperateLog is an audit row as people read it: the union of the two generations of the
// wire contract. Before and After are the changed fields; the page leaves them out.
type OperateLog struct {
	ID            int64           `json:"id"`
	TraceID       string          `json:"traceId"`
	UserID        int64           `json:"userId"`
	UserName      string          `json:"userName"`
	UserNickname  string          `json:"userNickname"`
	UserType      int             `json:"userType"`
	Type          string          `json:"type"`
	SubType       string          `json:"subType"`
	BizID         int64           `json:"bizId"`
	Action        string          `json:"action"`
	Extra         string          `json:"extra"`
	RequestMethod string          `json:"requestMethod"`
	RequestURL    string          `json:"requestUrl"`
	UserIP        string          `json:"userIp"`
	UserAgent     string          `json:"userAgent"`
	CreateTime    int64           `json:"createTime"`
	Module        string          `json:"module"`
	Name          string          `json:"name"`
	Content       string          `json:"content"`
	StartTime     int64           `json:"startTime"`
	Success       bool            `json:"success"`
	Entity        string          `json:"entity"`
	Op            int             `json:"op"`
	Before        json.RawMessage `json:"before"`
	After         json.RawMessage `json:"after"`
	ChainNo       *int64          `json:"chainNo"`
	Hash          string          `json:"hash"`
}

const (
	logColumns = `a.id, a.tenant_id, a.create_time, a.actor_kind, a.user_id, a.user_type, a.user_name, a.trace_id, a.user_ip, a.user_agent,
 a.method, a.url, a.entity, a.type, a.sub_type, a.op, a.biz_id, a.action, a.before, a.after, a.reason, a.chain_no, a.prev_hash, a.hash`
	sqlLogs  = `FROM audit_log a WHERE a.tenant_id = :tenant`
	logOrder = `a.id DESC`
)

func (s *Service) mountOperateLog(m *web.Module) {
	query := web.Perm("system:operate-log:query")
	web.Get(m, "/operate-log/page", query, s.logPage, web.Title("操作日志分页"))
	web.Get(m, "/operate-log/get", query, s.logByID, web.Title("操作日志详情"))
	web.Get(m, "/operate-log/verify-chain", query, verifyChain, web.Title("校验操作日志的完整性"))
	for _, name := range []string{"export-excel", "export"} {
		web.Stream(m, "/operate-log/"+name, web.Perm("system:operate-log:export"), s.exportLogs, web.Title("导出操作日志"))
	}
}

// LogFilter holds the filters of both generations; module and userNickname are the
// older names of type and the user's name, startTime that of createTime.
type LogFilter struct {
	UserID       int64    `query:"userId" doc:"操作人编号|User id"`
	BizID        int64    `query:"bizId" doc:"业务编号|Row id"`
	Type         string   `query:"type" maxLength:"100" doc:"操作模块|Module"`
	Module       string   `query:"module" maxLength:"100" doc:"操作模块|Module"`
	SubType      string   `query:"subType" maxLength:"100" doc:"操作名|Operation"`
	Action       string   `query:"action" maxLength:"100" doc:"操作内容|Content"`
	UserNickname string   `query:"userNickname" maxLength:"100" doc:"操作人|User"`
	Entity       string   `query:"entity" maxLength:"100" doc:"数据表|Table"`
	CreateTime   []string `query:"createTime,explode" maxItems:"2" doc:"操作时间|Time"`
	StartTime    []string `query:"startTime,explode" maxItems:"2" doc:"操作时间|Time"`
}

func (f LogFilter) apply(ctx context.Context, q *store.Query) (*store.Query, error) {
	times, name := f.CreateTime, "createTime"
	if len(times) == 0 {
		times, name = f.StartTime, "startTime"
	}
	span, err := field.ParseSpan(ctx, name, times)
	if err != nil {
		return nil, err
	}
	title := f.Type
	if title == "" {
		title = f.Module
	}
	return q.
		If(f.UserID != 0, " AND a.user_id = :user", "user", f.UserID).
		If(f.BizID != 0, " AND a.biz_id = :biz", "biz", f.BizID).
		If(title != "", ` AND a.type LIKE :title ESCAPE '\'`, "title", store.Contains(title)).
		If(f.SubType != "", ` AND a.sub_type LIKE :sub ESCAPE '\'`, "sub", store.Contains(f.SubType)).
		If(f.UserNickname != "", ` AND a.user_name LIKE :name ESCAPE '\'`, "name", store.Contains(f.UserNickname)).
		If(f.Entity != "", ` AND a.entity = :entity`, "entity", f.Entity).
		If(f.Action != "", ` AND (a.action LIKE :text ESCAPE '\' OR a.before LIKE :text ESCAPE '\' OR a.after LIKE :text ESCAPE '\')`, "text", store.Contains(f.Action)).
		If(span.From != nil, " AND a.create_time >= :from", "from", span.From).
		If(span.To != nil, " AND a.create_time <= :to", "to", span.To), nil
}

type logPageIn struct {
	store.Paging
	LogFilter
}

func (s *Service) logPage(ctx context.Context, in logPageIn) (store.Page[OperateLog], error) {
	out := store.Page[OperateLog]{List: []OperateLog{}}
	q, err := in.apply(ctx, store.Build(sqlLogs, nil))
	if err != nil {
		return out, err
	}
	rows, err := store.SelectPage[audit.Row](ctx, logColumns, q, logOrder, in.Paging)
	if err != nil {
		return out, err
	}
	out.Total, out.Capped = rows.Total, rows.Capped
	r, err := s.newReader(ctx, rows.List)
	if err != nil {
		return out, err
	}
	for _, row := range rows.List {
		out.List = append(out.List, r.read(row))
	}
	return out, nil
}

func (s *Service) logByID(ctx context.Context, in idIn) (OperateLog, error) {
	row, err := store.One[audit.Row](ctx, `SELECT `+logColumns+` `+sqlLogs+` AND a.id = :id`, store.Args{"id": in.ID})
	if err != nil {
		return OperateLog{}, err
	}
	r, err := s.newReader(ctx, []audit.Row{row})
	if err != nil {
		return OperateLog{}, err
	}
	log := r.read(row)
	log.Before, log.After = object(row.Before), object(row.After)
	return log, nil
}

func object(text string) json.RawMessage {
	if text == "" {
		return json.RawMessage("{}")
	}
	return json.RawMessage(text)
}

// Chain is the outcome of a check: Broken is the id of the first row that does not fit,
// 0 when all do. Rows written in the last seconds are not chained yet.
type Chain struct {
	OK     bool  `json:"ok"`
	Rows   int64 `json:"rows"`
	Broken int64 `json:"broken"`
}

func verifyChain(ctx context.Context, _ web.None) (Chain, error) {
	rows, broken, err := audit.Verify(ctx)
	return Chain{OK: broken == 0, Rows: rows, Broken: broken}, err
}

const maxLogExport = 50_000

var errLogExport = errs.Define(1002009900, errs.Limit, "超过 {} 行，请先缩小筛选范围再导出", "More than {} rows; narrow the filter before exporting")

func (s *Service) exportLogs(ctx context.Context, in LogFilter) (*web.Download, error) {
	q, err := in.apply(ctx, store.Build("SELECT "+logColumns+" "+sqlLogs, nil))
	if err != nil {
		return nil, err
	}
	q.Add(" ORDER BY a.id DESC LIMIT :max_rows").Args()["max_rows"] = maxLogExport + 1
	r, err := s.newReader(ctx, nil)
	if err != nil {
		return nil, err
	}
	users, err := s.dict.labels(ctx, "user_type")
	if err != nil {
		return nil, err
	}
	headers := []string{"日志编号", "操作人", "用户类型", "操作模块类型", "操作名", "操作模块业务编号", "操作内容", "请求地址", "操作 IP", "操作时间"}
	if i18n.Lang(ctx) == i18n.EN {
		headers = []string{"Id", "User", "User type", "Module", "Operation", "Row id", "Content", "Address", "IP", "Time"}
	}
	name := i18n.Pick(ctx, "操作日志", "operation-log") + "-" + clock.Now().In(clock.Shanghai).Format("20060102-1504") + ".xlsx"
	return &web.Download{Name: name, Type: web.SheetType, Write: func(w io.Writer) error {
		sheet, err := xlsx.NewWriter(w, i18n.Pick(ctx, "数据列表", "Data"), headers)
		if err != nil {
			return err
		}
		defer sheet.Abort()
		n := 0
		err = store.Each(ctx, q.SQL(), q.Args(), func(row audit.Row) error {
			if n++; n > maxLogExport {
				return errLogExport.With(maxLogExport)
			}
			log := r.read(row)
			kind := users[strconv.Itoa(log.UserType)]
			return sheet.Row([]any{log.ID, log.UserName, kind, log.Type, log.SubType, log.BizID, log.Action, log.RequestURL, log.UserIP, time.UnixMilli(log.CreateTime)})
		})
		if err != nil {
			return err
		}
		return sheet.Close()
	}}, nil
}
