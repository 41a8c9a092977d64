package infra

import (
	"context"
	"strconv"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// mountJobRuns shows the background work of the caller's tenant, above all what died,
// and starts it again.
func mountJobRuns(m *web.Module) {
	web.Get(m, "/job-run/page", web.Perm("infra:job-run:query"), runPage, web.Title("后台任务分页"))
	web.Put(m, "/job-run/retry", web.Perm("infra:job-run:retry"), retryRun, web.Title("重新执行失败的后台任务"))
}

type runPageIn struct {
	store.Paging
	Name  string `query:"name" maxLength:"100" doc:"任务名称|Name"`
	State string `query:"state" enum:"0,1,2,3" doc:"状态|State"`
}

func runPage(ctx context.Context, in runPageIn) (store.Page[job.Record], error) {
	f := job.RunFilter{Name: in.Name}
	if in.State != "" {
		n, err := strconv.Atoi(in.State)
		if err != nil {
			return store.Page[job.Record]{}, errs.ErrInvalid.With("state")
		}
		state := job.State(n)
		f.State = &state
	}
	return job.Runs(ctx, f, in.Paging)
}

func retryRun(ctx context.Context, in idIn) (bool, error) {
	err := job.Retry(ctx, in.ID)
	return err == nil, err
}
