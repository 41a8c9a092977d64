package infra

import (
	"context"
	"io"
	"slices"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/cron"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/kernel/xlsx"
)

// Statuses of a schedule on the wire.
const (
	jobNormal = 1
	jobPaused = 2
)

// Job is a schedule as administrators edit it. Handlers are declared by the program.
type Job struct {
	ID             int64  `json:"id"`
	Name           string `json:"name"`
	Status         int    `json:"status"`
	HandlerName    string `json:"handlerName"`
	HandlerParam   string `json:"handlerParam"`
	CronExpression string `json:"cronExpression"`
	RetryCount     int    `json:"retryCount"`
	RetryInterval  int64  `json:"retryInterval"`
	MonitorTimeout int64  `json:"monitorTimeout"`
	NextTime       int64  `json:"nextTime"`
	LastTime       int64  `json:"lastTime"`
	CreateTime     int64  `json:"createTime"`
}

func jobOf(s job.Schedule) Job {
	j := Job{ID: s.ID, Name: s.Name, Status: jobNormal, HandlerName: s.Handler, HandlerParam: s.Param, CronExpression: s.Cron, RetryCount: s.RetryCount,
		RetryInterval: s.RetryMs, MonitorTimeout: s.MonitorMs, NextTime: s.NextAt, LastTime: s.LastAt, CreateTime: s.CreateTime}
	if !s.Enabled {
		j.Status, j.NextTime = jobPaused, 0
	}
	return j
}

func (s *Service) mountJobs(m *web.Module) {
	query := web.Perm("infra:job:query")
	web.Get(m, "/job/page", query, guarded(s.jobPage), web.Title("定时任务分页"))
	web.Get(m, "/job/get", query, guarded(s.jobByID), web.Title("定时任务详情"))
	web.Get(m, "/job/list", query, guarded(s.jobList), web.Title("若干定时任务"))
	web.Get(m, "/job/handlers", query, guarded(s.jobHandlers), web.Title("可用的处理器"))
	for _, name := range []string{"get_next_times", "get-next-times"} {
		web.Get(m, "/job/"+name, query, guarded(s.nextTimes), web.Title("定时任务的下几次执行时间"))
	}
	web.Post(m, "/job/create", web.Perm("infra:job:create"), guarded(s.createJob), web.Title("新增定时任务"))
	web.Put(m, "/job/update", web.Perm("infra:job:update"), guarded(s.updateJob), web.Title("修改定时任务"))
	web.Put(m, "/job/update-status", web.Perm("infra:job:update"), guarded(s.setJobStatus), web.Title("恢复或暂停定时任务"))
	web.Delete(m, "/job/delete", web.Perm("infra:job:delete"), guarded(s.deleteJob), web.Title("删除定时任务"))
	web.Delete(m, "/job/delete-list", web.Perm("infra:job:delete"), guarded(s.deleteJobs), web.Title("批量删除定时任务"))
	web.Put(m, "/job/trigger", web.Perm("infra:job:trigger"), guarded(s.triggerJob), web.Title("立即执行定时任务"))
	web.Stream(m, "/job/export-excel", web.Perm("infra:job:export"), guarded(s.exportJobs), web.Title("导出定时任务"))
}

// guarded keeps schedules, which belong to the whole installation, in the operator's hands.
func guarded[I, O any](fn web.Func[I, O]) web.Func[I, O] {
	return func(ctx context.Context, in I) (O, error) {
		if err := web.OperatorOnly(ctx); err != nil {
			var none O
			return none, err
		}
		return fn(ctx, in)
	}
}

// JobFilter narrows the list of schedules.
type JobFilter struct {
	Name        string `query:"name" maxLength:"100" doc:"任务名称|Name"`
	HandlerName string `query:"handlerName" maxLength:"100" doc:"处理器|Handler"`
	Status      int    `query:"status" minimum:"0" maximum:"2" doc:"任务状态|Status"`
}

func (f JobFilter) filter() job.ScheduleFilter {
	out := job.ScheduleFilter{Name: f.Name, Handler: f.HandlerName}
	if f.Status != 0 {
		enabled := f.Status == jobNormal
		out.Enabled = &enabled
	}
	return out
}

type jobPageIn struct {
	store.Paging
	JobFilter
}

func (s *Service) jobPage(ctx context.Context, in jobPageIn) (store.Page[Job], error) {
	page, err := s.queue.Schedules(ctx, in.filter(), in.Paging)
	out := store.Page[Job]{List: make([]Job, 0, len(page.List)), Total: page.Total, Capped: page.Capped}
	for _, row := range page.List {
		out.List = append(out.List, jobOf(row))
	}
	return out, err
}

func (s *Service) schedule(ctx context.Context, id int64) (job.Schedule, error) {
	row, err := s.queue.GetSchedule(ctx, id)
	if errs.Is(err, errs.ErrNoRecord) {
		err = errJobMissing.With()
	}
	return row, err
}

func (s *Service) jobByID(ctx context.Context, in idIn) (Job, error) {
	row, err := s.schedule(ctx, in.ID)
	return jobOf(row), err
}

type idsIn struct {
	IDs []int64 `query:"ids,explode" required:"true" minItems:"1" maxItems:"500" doc:"编号|Ids"`
}

// jobList passes over ids that do not exist.
func (s *Service) jobList(ctx context.Context, in idsIn) ([]Job, error) {
	list := []Job{}
	for _, id := range in.IDs {
		row, err := s.queue.GetSchedule(ctx, id)
		if errs.Is(err, errs.ErrNoRecord) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, jobOf(row))
	}
	return list, nil
}

func (s *Service) jobHandlers(context.Context, web.None) ([]string, error) {
	return s.queue.Handlers(), nil
}

type nextIn struct {
	ID    int64 `query:"id" required:"true" minimum:"1" doc:"编号|Id"`
	Count int   `query:"count" default:"5" minimum:"1" maximum:"50" doc:"次数|Number"`
}

func (s *Service) nextTimes(ctx context.Context, in nextIn) ([]int64, error) {
	row, err := s.schedule(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	times, at := make([]int64, 0, in.Count), clock.Now()
	for range in.Count {
		if at, err = cron.Next(row.Cron, at, clock.Shanghai); err != nil {
			break // a text with a last year ends
		}
		times = append(times, at.UnixMilli())
	}
	return times, nil
}

type saveJobIn struct {
	ID             int64  `json:"id" doc:"编号|Id"`
	Name           string `json:"name" required:"true" minLength:"1" maxLength:"32" doc:"任务名称|Name"`
	HandlerName    string `json:"handlerName" required:"true" minLength:"1" maxLength:"64" doc:"处理器|Handler"`
	HandlerParam   string `json:"handlerParam" maxLength:"255" doc:"处理器参数|Parameter"`
	CronExpression string `json:"cronExpression" required:"true" minLength:"1" maxLength:"100" doc:"CRON 表达式|Cron expression"`
	RetryCount     int    `json:"retryCount" required:"true" minimum:"0" maximum:"100" doc:"重试次数|Retries"`
	RetryInterval  int64  `json:"retryInterval" required:"true" minimum:"0" maximum:"86400000" doc:"重试间隔|Retry interval"`
	MonitorTimeout int64  `json:"monitorTimeout" minimum:"0" maximum:"86400000" doc:"监控超时|Monitor timeout"`
}

func (in saveJobIn) schedule() job.Schedule {
	return job.Schedule{ID: in.ID, Name: in.Name, Handler: in.HandlerName, Param: in.HandlerParam, Cron: in.CronExpression, Enabled: true,
		RetryCount: in.RetryCount, RetryMs: in.RetryInterval, MonitorMs: in.MonitorTimeout}
}

func (s *Service) checkJob(in saveJobIn) error {
	if !slices.Contains(s.queue.Handlers(), in.HandlerName) {
		return errJobNoHandler.With(in.HandlerName)
	}
	if err := cron.Validate(in.CronExpression); err != nil {
		return errJobCron.With()
	}
	if _, err := cron.Next(in.CronExpression, clock.Now(), clock.Shanghai); err != nil {
		return errJobCron.With()
	}
	return nil
}

func (s *Service) createJob(ctx context.Context, in saveJobIn) (int64, error) {
	if err := s.checkJob(in); err != nil {
		return 0, err
	}
	page, err := s.queue.Schedules(ctx, job.ScheduleFilter{Handler: in.HandlerName}, store.Paging{PageSize: 500})
	if err != nil {
		return 0, err
	}
	if slices.ContainsFunc(page.List, func(row job.Schedule) bool { return row.Handler == in.HandlerName }) {
		return 0, errJobTaken.With()
	}
	in.ID = 0
	return s.queue.SaveSchedule(ctx, in.schedule())
}

// updateJob changes a schedule in force; its handler stays what it was.
func (s *Service) updateJob(ctx context.Context, in saveJobIn) (bool, error) {
	old, err := s.schedule(ctx, in.ID)
	if err != nil {
		return false, err
	}
	if !old.Enabled {
		return false, errJobPaused.With()
	}
	in.HandlerName = old.Handler
	if err := s.checkJob(in); err != nil {
		return false, err
	}
	_, err = s.queue.SaveSchedule(ctx, in.schedule())
	return err == nil, err
}

type jobStatusIn struct {
	ID     int64 `query:"id" required:"true" minimum:"1" doc:"编号|Id"`
	Status int   `query:"status" required:"true" doc:"任务状态|Status"`
}

func (s *Service) setJobStatus(ctx context.Context, in jobStatusIn) (bool, error) {
	if in.Status != jobNormal && in.Status != jobPaused {
		return false, errJobStatus.With()
	}
	row, err := s.schedule(ctx, in.ID)
	if err != nil {
		return false, err
	}
	on := in.Status == jobNormal
	if row.Enabled == on {
		return false, errJobSame.With()
	}
	err = s.queue.Enable(ctx, in.ID, on)
	return err == nil, err
}

func (s *Service) deleteJob(ctx context.Context, in idIn) (bool, error) {
	if _, err := s.schedule(ctx, in.ID); err != nil {
		return false, err
	}
	err := s.queue.DeleteSchedule(ctx, in.ID)
	return err == nil, err
}

func (s *Service) deleteJobs(ctx context.Context, in idsIn) (bool, error) {
	for _, id := range in.IDs {
		if _, err := s.deleteJob(ctx, idIn{ID: id}); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (s *Service) triggerJob(ctx context.Context, in idIn) (bool, error) {
	if _, err := s.schedule(ctx, in.ID); err != nil {
		return false, err
	}
	_, err := s.queue.Trigger(ctx, in.ID)
	return err == nil, err
}

func (s *Service) exportJobs(ctx context.Context, in JobFilter) (*web.Download, error) {
	page, err := s.queue.Schedules(ctx, in.filter(), store.Paging{PageSize: store.MaxTotal})
	if err != nil {
		return nil, err
	}
	status, err := s.labels(ctx, "infra_job_status")
	if err != nil {
		return nil, err
	}
	headers := []string{"任务编号", "任务名称", "任务状态", "处理器的名字", "处理器的参数", "CRON 表达式", "监控超时时间", "创建时间"}
	if i18n.Lang(ctx) == i18n.EN {
		headers = []string{"Id", "Name", "Status", "Handler", "Parameter", "Cron expression", "Monitor timeout", "Created"}
	}
	return workbook("定时任务", headers, func(add func(...any) error) error {
		for _, row := range page.List {
			j := jobOf(row)
			err := add(j.ID, j.Name, status(j.Status), j.HandlerName, j.HandlerParam, j.CronExpression, j.MonitorTimeout, time.UnixMilli(j.CreateTime))
			if err != nil {
				return err
			}
		}
		return nil
	}), nil
}

// labels gives the texts of a numeric dictionary; a value without one shows as it is.
func (s *Service) labels(ctx context.Context, dictType string) (func(int) string, error) {
	var labels map[string]string
	if s.app.Dictionary != nil {
		var err error
		if labels, err = s.app.Dictionary(ctx, dictType); err != nil {
			return nil, err
		}
	}
	return func(n int) string {
		text := itoa(n)
		if label := labels[text]; label != "" {
			return label
		}
		return text
	}, nil
}

// workbook is a download of one sheet that rows fills.
func workbook(name string, headers []string, rows func(add func(...any) error) error) *web.Download {
	file := name + "-" + clock.Now().In(clock.Shanghai).Format("20060102-1504") + ".xlsx"
	return &web.Download{Name: file, Type: web.SheetType, Write: func(w io.Writer) error {
		sheet, err := xlsx.NewWriter(w, name, headers)
		if err != nil {
			return err
		}
		defer sheet.Abort()
		if err := rows(func(cells ...any) error { return sheet.Row(cells) }); err != nil {
			return err
		}
		return sheet.Close()
	}}
}
