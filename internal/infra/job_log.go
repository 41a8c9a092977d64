package infra

import (
	"context"
	"strconv"
	"time"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/field"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

func itoa(n int) string { return strconv.Itoa(n) }

func (s *Service) mountJobLogs(m *web.Module) {
	query := web.Perm("infra:job:query")
	web.Get(m, "/job-log/page", query, guarded(logPage), web.Title("任务日志分页"))
	web.Get(m, "/job-log/get", query, guarded(logByID), web.Title("任务日志详情"))
	web.Get(m, "/job-log/list", query, guarded(logList), web.Title("若干任务日志"))
	web.Stream(m, "/job-log/export-excel", web.Perm("infra:job:export"), guarded(s.exportLogs), web.Title("导出任务日志"))
}

// LogFilter narrows the list of logs; both times are points, not ranges.
type LogFilter struct {
	JobID       int64  `query:"jobId" doc:"任务编号|Schedule id"`
	HandlerName string `query:"handlerName" maxLength:"100" doc:"处理器|Handler"`
	BeginTime   string `query:"beginTime" maxLength:"30" doc:"开始时间|From"`
	EndTime     string `query:"endTime" maxLength:"30" doc:"结束时间|To"`
	Status      string `query:"status" enum:"0,1,2" doc:"任务状态|Status"`
}

func (f LogFilter) filter(ctx context.Context) (job.LogFilter, error) {
	out := job.LogFilter{ScheduleID: f.JobID, Handler: f.HandlerName}
	if f.BeginTime != "" {
		span, err := field.ParseSpan(ctx, "beginTime", []string{f.BeginTime})
		if err != nil {
			return out, err
		}
		out.Begin = *span.From
	}
	if f.EndTime != "" {
		span, err := field.ParseSpan(ctx, "endTime", []string{f.EndTime, f.EndTime})
		if err != nil {
			return out, err
		}
		out.End = *span.To
	}
	if f.Status != "" {
		n, err := strconv.Atoi(f.Status)
		if err != nil {
			return out, errs.ErrInvalid.With("status")
		}
		out.Status = &n
	}
	return out, nil
}

type logPageIn struct {
	store.Paging
	LogFilter
}

func logPage(ctx context.Context, in logPageIn) (store.Page[job.Log], error) {
	f, err := in.filter(ctx)
	if err != nil {
		return store.Page[job.Log]{}, err
	}
	return job.Logs(ctx, f, in.Paging)
}

func logByID(ctx context.Context, in idIn) (job.Log, error) { return job.GetLog(ctx, in.ID) }

// logList passes over ids that do not exist.
func logList(ctx context.Context, in idsIn) ([]job.Log, error) {
	list := []job.Log{}
	for _, id := range in.IDs {
		row, err := job.GetLog(ctx, id)
		if errs.Is(err, errs.ErrNoRecord) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, nil
}

const maxExport = 50_000

var errLogExport = errs.Define(1001001900, errs.Limit, "超过 {} 行，请先缩小筛选范围再导出", "More than {} rows; narrow the filter before exporting")

func (s *Service) exportLogs(ctx context.Context, in LogFilter) (*web.Download, error) {
	f, err := in.filter(ctx)
	if err != nil {
		return nil, err
	}
	status, err := s.labels(ctx, "infra_job_log_status")
	if err != nil {
		return nil, err
	}
	headers := []string{"日志编号", "任务编号", "处理器的名字", "处理器的参数", "第几次执行", "开始执行时间", "结束执行时间", "执行时长", "任务状态", "结果数据", "创建时间"}
	if i18n.Lang(ctx) == i18n.EN {
		headers = []string{"Id", "Schedule id", "Handler", "Parameter", "Try", "Begin", "End", "Duration (ms)", "Status", "Result", "Created"}
	}
	return workbook("任务日志", headers, func(add func(...any) error) error {
		n := 0
		return job.EachLog(ctx, f, func(l job.Log) error {
			if n++; n > maxExport {
				return errLogExport.With(maxExport)
			}
			return add(l.ID, l.ScheduleID, l.Handler, l.Param, l.ExecuteIndex, timeCell(l.BeginTime), timeCell(l.EndTime), l.Duration, status(l.Status), l.Result, timeCell(l.CreateTime))
		})
	}), nil
}

// timeCell leaves a cell empty for a time that has not come.
func timeCell(ms int64) any {
	if ms == 0 {
		return nil
	}
	return time.UnixMilli(ms)
}
