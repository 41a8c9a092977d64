package workflow

import (
	"context"
	"errors"

	"viva/internal/identity"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/job"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// The states of a migration:
//
//	create → running ──last instance──► done
//	running ──stop──► stopped
const (
	migrationRunning = 1
	migrationDone    = 2
	migrationStopped = 3
)

const (
	migrationWork  = "workflow.migrate"
	migrationBatch = 100
)

// migrationRow is a migration. Target and map never change.
type migrationRow struct {
	ID            int64
	ProcessKey    string
	Name          string
	SourceID      string
	SourceVersion int
	TargetID      string
	TargetVersion int
	ElementMap    store.JSON[map[string]string]
	Recompute     bool
	Reason        string
	Status        int
	Total         int
	Done          int
	Failed        int
	Passed        string
	UserID        int64
	CreateTime    int64
	EndTime       int64
}

const (
	migrationColumns  = `t.id, t.process_key, t.name, t.source_id, t.source_version, t.target_id, t.target_version, t.element_map, t.recompute, t.reason, t.status, t.total, t.done, t.failed, t.passed, t.user_id, t.create_time, t.end_time`
	sqlMigrationsFrom = `FROM bpm_migration t WHERE t.tenant_id = :tenant`
	sqlMigration      = `SELECT ` + migrationColumns + ` ` + sqlMigrationsFrom + ` AND t.id = :id`
	sqlLockMigration  = sqlMigration + ` FOR UPDATE`
	sqlAddMigration   = `INSERT INTO bpm_migration (tenant_id, process_key, name, source_id, source_version, target_id, target_version, element_map, recompute, reason, status, total, user_id, create_time)
 VALUES (:tenant, :key, :name, :source, :source_version, :target, :target_version, :map, :recompute, :reason, :status, :total, :user, :now) RETURNING id`
	sqlMigrationStep = `UPDATE bpm_migration SET done = done + :done, failed = failed + :failed, passed = :passed WHERE tenant_id = :tenant AND id = :id`
	sqlMigrationEnd  = `UPDATE bpm_migration SET status = :status, end_time = :now WHERE tenant_id = :tenant AND id = :id AND status = 1`
	sqlAddItem       = `INSERT INTO bpm_migration_item (tenant_id, migration_id, instance_id, problems, migrated, at) VALUES (:tenant, :migration, :instance, :problems, :migrated, :now)`

	itemColumns  = `t.instance_id, t.problems, t.migrated, t.at, i.name`
	sqlItemsFrom = `FROM bpm_migration_item t JOIN wf_instance i ON i.tenant_id = t.tenant_id AND i.id = t.instance_id WHERE t.tenant_id = :tenant AND t.migration_id = :migration`
	failedFirst  = `t.migrated, t.instance_id`
)

// MigrationView is a migration with its progress.
type MigrationView struct {
	ID                   int64               `json:"id"`
	ProcessDefinitionKey string              `json:"processDefinitionKey"`
	Name                 string              `json:"name"`
	SourceDefinitionID   string              `json:"sourceDefinitionId"`
	SourceVersion        int                 `json:"sourceVersion"`
	TargetDefinitionID   string              `json:"targetDefinitionId"`
	TargetVersion        int                 `json:"targetVersion"`
	ElementMap           map[string]string   `json:"elementMap"`
	Recompute            bool                `json:"recompute"`
	Reason               string              `json:"reason"`
	Status               int                 `json:"status"`
	Total                int                 `json:"total"`
	Done                 int                 `json:"done"`
	Failed               int                 `json:"failed"`
	User                 *identity.UserBrief `json:"user"`
	CreateTime           int64               `json:"createTime"`
	EndTime              *int64              `json:"endTime"`
}

// MigrationItem is what became of one instance; without problems it was migrated.
type MigrationItem struct {
	ProcessInstanceID string             `json:"processInstanceId"`
	Name              string             `json:"name"`
	Migrated          bool               `json:"migrated"`
	Problems          []MigrationProblem `json:"problems"`
	Time              int64              `json:"time"`
}

func (s *Service) mountMigrations(m *web.Module) {
	query, act := web.Perm(permInstances), web.Perm(permOperate)
	web.Get(m, "/migration/page", query, s.migrationPage, web.Title("流程迁移分页"))
	web.Get(m, "/migration/get", query, s.getMigration, web.Title("流程迁移进度"))
	web.Get(m, "/migration/item-page", query, s.migrationItems, web.Title("流程迁移结果"))
	web.Post(m, "/migration/check", act, s.checkMigration, web.NoTx, web.Title("试算流程迁移")) // reads only
	web.Post(m, "/migration/create", act, s.createMigration, web.Title("开始流程迁移"))
	web.Put(m, "/migration/stop", act, s.stopMigration, web.Title("停止流程迁移"))
}

type createMigrationIn struct {
	migrationPlan
	Reason string `json:"reason" required:"true" minLength:"1" maxLength:"500" doc:"理由|Reason"`
}

// createMigration sets a migration going; the instances follow in the background, each in
// a transaction of its own.
func (s *Service) createMigration(ctx context.Context, in createMigrationIn) (id int64, err error) {
	v, err := s.versionsOf(ctx, in.migrationPlan)
	if err != nil {
		return 0, err
	}
	reason, err := plainText("reason", in.Reason)
	if err != nil || reason == "" {
		return 0, orElse(err, errs.Field("reason", "请说明理由", "give the reason"))
	}
	total, err := store.One[int64](ctx, sqlCountRunningOf, store.Args{"definition": in.SourceID})
	if err != nil || total == 0 {
		return 0, orElse(err, errMigrateNone.With())
	}
	if in.ElementMap == nil {
		in.ElementMap = map[string]string{}
	}
	id, err = store.One[int64](ctx, sqlAddMigration, store.Args{"key": v.source.Key, "name": v.target.Name, "source": v.source.ID, "source_version": v.source.Version,
		"target": v.target.ID, "target_version": v.target.Version, "map": store.JSON[map[string]string]{V: in.ElementMap}, "recompute": in.Recompute, "reason": reason,
		"status": migrationRunning, "total": total, "user": actor.From(ctx).UserID, "now": clock.Millis()})
	if errors.Is(err, store.ErrUnique) {
		return 0, errMigrateTwice.With()
	}
	if err != nil {
		return 0, err
	}
	if _, err := job.Enqueue(ctx, migrationWork, migrationPayload{ID: id}, job.Opts{}); err != nil {
		return 0, err
	}
	return id, audit.Record(ctx, audit.Entry{Table: "bpm_migration", Title: "流程迁移", RowID: id, Op: audit.Created, Action: "开始流程迁移",
		After: map[string]any{"source": v.source.ID, "target": v.target.ID, "elementMap": in.ElementMap, "total": total, "reason": reason}})
}

type stopMigrationIn struct {
	ID     int64  `json:"id" required:"true" minimum:"1" doc:"编号|Id"`
	Reason string `json:"reason" required:"true" minLength:"1" maxLength:"500" doc:"理由|Reason"`
}

// stopMigration leaves the instances that were not looked at yet where they are.
func (s *Service) stopMigration(ctx context.Context, in stopMigrationIn) (bool, error) {
	row, err := store.One[migrationRow](ctx, sqlLockMigration, store.Args{"id": in.ID})
	if err != nil {
		return false, err
	}
	if row.Status != migrationRunning {
		return false, errMigrationOver.With()
	}
	if _, err := store.Exec(ctx, sqlMigrationEnd, store.Args{"id": in.ID, "status": migrationStopped, "now": clock.Millis()}); err != nil {
		return false, err
	}
	return true, audit.Record(ctx, audit.Entry{Table: "bpm_migration", Title: "流程迁移", RowID: in.ID, Op: audit.Event, Action: "停止流程迁移", After: map[string]any{"reason": in.Reason}})
}

var errMigrationOver = errs.Define(1009023007, errs.Conflict, "迁移已结束", "The migration has ended")

type migrationPageIn struct {
	store.Paging
	ProcessDefinitionKey string `query:"processDefinitionKey" maxLength:"100" doc:"流程标识|Process"`
	Status               int    `query:"status" minimum:"0" maximum:"3" doc:"状态|Status"`
}

func (s *Service) migrationPage(ctx context.Context, in migrationPageIn) (store.Page[MigrationView], error) {
	q := store.Build(sqlMigrationsFrom, nil).If(in.ProcessDefinitionKey != "", " AND t.process_key = :key", "key", in.ProcessDefinitionKey).
		If(in.Status != 0, " AND t.status = :status", "status", in.Status)
	page, err := store.SelectPage[migrationRow](ctx, migrationColumns, q, "t.id DESC", in.Paging)
	if err != nil {
		return store.Page[MigrationView]{}, err
	}
	list, err := migrationViews(ctx, page.List)
	return store.Page[MigrationView]{List: list, Total: page.Total, Capped: page.Capped}, err
}

func migrationViews(ctx context.Context, rows []migrationRow) ([]MigrationView, error) {
	users := make([]int64, len(rows))
	for i, r := range rows {
		users[i] = r.UserID
	}
	known, err := usersOf(ctx, users)
	out := make([]MigrationView, len(rows))
	for i, r := range rows {
		out[i] = MigrationView{ID: r.ID, ProcessDefinitionKey: r.ProcessKey, Name: r.Name, SourceDefinitionID: r.SourceID, SourceVersion: r.SourceVersion,
			TargetDefinitionID: r.TargetID, TargetVersion: r.TargetVersion, ElementMap: r.ElementMap.V, Recompute: r.Recompute, Reason: r.Reason, Status: r.Status,
			Total: max(r.Total, r.Done+r.Failed), Done: r.Done, Failed: r.Failed, User: known.of(r.UserID), CreateTime: r.CreateTime, EndTime: given0(r.EndTime)}
	}
	return out, err
}

type migrationIDIn struct {
	ID int64 `query:"id" required:"true" minimum:"1" doc:"编号|Id"`
}

func (s *Service) getMigration(ctx context.Context, in migrationIDIn) (MigrationView, error) {
	row, err := store.One[migrationRow](ctx, sqlMigration, store.Args{"id": in.ID})
	if err != nil {
		return MigrationView{}, err
	}
	list, err := migrationViews(ctx, []migrationRow{row})
	return list[0], err
}

type migrationItemsIn struct {
	store.Paging
	MigrationID int64 `query:"migrationId" required:"true" minimum:"1" doc:"迁移|Migration"`
	FailedOnly  bool  `query:"failedOnly" doc:"只看未迁移的|Only those that did not go"`
}

func (s *Service) migrationItems(ctx context.Context, in migrationItemsIn) (store.Page[MigrationItem], error) {
	type itemRow struct {
		InstanceID string
		Name       string
		Problems   store.JSON[[]engine.MigrationProblem]
		Migrated   bool
		At         int64
	}
	row, err := store.One[migrationRow](ctx, sqlMigration, store.Args{"id": in.MigrationID})
	if err != nil {
		return store.Page[MigrationItem]{}, err
	}
	q := store.Build(sqlItemsFrom, store.Args{"migration": in.MigrationID}).If(in.FailedOnly, " AND t.migrated = false", "", nil)
	page, err := store.SelectPage[itemRow](ctx, itemColumns, q, failedFirst, in.Paging)
	if err != nil {
		return store.Page[MigrationItem]{}, err
	}
	from, err := s.engine.Process(ctx, row.SourceID)
	out := store.Page[MigrationItem]{List: []MigrationItem{}, Total: page.Total, Capped: page.Capped}
	for _, r := range page.List {
		out.List = append(out.List, MigrationItem{ProcessInstanceID: r.InstanceID, Name: r.Name, Migrated: r.Migrated, Problems: s.problems(ctx, from, r.Problems.V), Time: r.At})
	}
	return out, err
}

type migrationPayload struct{ ID int64 }

// runMigration migrates a batch of instances and leaves the next one to another run. Where
// it was is part of each transaction, so that a run that dies is gone on with exactly.
func (s *Service) runMigration(ctx context.Context, r *job.Run) error {
	var p migrationPayload
	if err := r.Decode(&p); err != nil {
		return err
	}
	for range migrationBatch {
		if more, err := s.migrateNext(ctx, p.ID); err != nil || !more {
			return err
		}
	}
	return store.Write(ctx, func(ctx context.Context) error {
		if err := r.Finish(ctx); err != nil {
			return err
		}
		_, err := job.Enqueue(ctx, migrationWork, p, job.Opts{})
		return err
	})
}

// migrateNext migrates one instance, or writes down why it does not go. more is false when
// none is left.
func (s *Service) migrateNext(ctx context.Context, migration int64) (more bool, err error) {
	var refused error
	var at string
	err = store.Write(ctx, func(ctx context.Context) error {
		m, id, err := nextOf(ctx, migration)
		if at, more = id, id != ""; err != nil || !more {
			return err
		}
		do := &engine.Migrate{DefinitionID: m.TargetID, Map: m.ElementMap.V, Recompute: m.Recompute}
		if _, refused = s.engine.Do(ctx, runtime.Command{Instance: id, Actor: m.UserID, Action: do}); refused != nil {
			return refused
		}
		return m.pass(ctx, id, nil)
	})
	if refused == nil || passing(refused) {
		return more, err
	}
	return true, store.Write(ctx, func(ctx context.Context) error {
		m, id, err := nextOf(ctx, migration)
		if err != nil || id != at { // another run has been here
			return err
		}
		return m.pass(ctx, id, reasonsOf(refused))
	})
}

// nextOf locks a migration and finds its next instance; at the end it closes it.
func nextOf(ctx context.Context, migration int64) (m migrationRow, id string, err error) {
	m, found, err := store.Get[migrationRow](ctx, sqlLockMigration, store.Args{"id": migration})
	if err != nil || !found || m.Status != migrationRunning {
		return m, "", err
	}
	id, found, err = store.Get[string](ctx, sqlRunningOf, store.Args{"definition": m.SourceID, "after": m.Passed, "max": 1})
	if err == nil && !found {
		_, err = store.Exec(ctx, sqlMigrationEnd, store.Args{"id": m.ID, "status": migrationDone, "now": clock.Millis()})
	}
	return m, id, err
}

// pass writes down what became of an instance.
func (m migrationRow) pass(ctx context.Context, instance string, problems []engine.MigrationProblem) error {
	done, failed := 1, 0
	if len(problems) > 0 {
		done, failed = 0, 1
	} else {
		problems = []engine.MigrationProblem{}
	}
	if _, err := store.Exec(ctx, sqlAddItem, store.Args{"migration": m.ID, "instance": instance, "migrated": done == 1, "now": clock.Millis(),
		"problems": store.JSON[[]engine.MigrationProblem]{V: problems}}); err != nil {
		return err
	}
	_, err := store.Exec(ctx, sqlMigrationStep, store.Args{"id": m.ID, "done": done, "failed": failed, "passed": instance})
	return err
}

// passing reports failures of the surroundings: the job tries again.
func passing(err error) bool {
	return errs.Is(err, errs.ErrUnavailable) || errs.Is(err, errs.ErrStale) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// reasonsOf reads the reasons out of a refusal, in both languages.
func reasonsOf(err error) []engine.MigrationProblem {
	var known *errs.Error
	if !errors.As(err, &known) {
		return []engine.MigrationProblem{{Reason: err.Error()}}
	}
	if list, ok := known.Data.([]engine.MigrationProblem); ok && len(list) > 0 {
		return list
	}
	return []engine.MigrationProblem{{Reason: known.Text("zh") + " / " + known.Text("en")}}
}
