package workflow

import (
	"context"
	"slices"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// ModelView is a model as lists show it, without the diagram.
type ModelView struct {
	ID                   ModelID          `json:"id"`
	Key                  string           `json:"key"`
	Name                 string           `json:"name"`
	Description          string           `json:"description"`
	Category             string           `json:"category"`
	CategoryName         string           `json:"categoryName"`
	Icon                 string           `json:"icon"`
	FormType             *int             `json:"formType"`
	FormID               *int64           `json:"formId"`
	FormName             string           `json:"formName"`
	FormCustomCreatePath string           `json:"formCustomCreatePath"`
	FormCustomViewPath   string           `json:"formCustomViewPath"`
	Sort                 int              `json:"sort"`
	CreateTime           int64            `json:"createTime"`
	UpdateTime           int64            `json:"updateTime"`
	Version              int              `json:"version"`
	HasDiagram           bool             `json:"hasDiagram"`
	ProcessDefinition    *ModelDefinition `json:"processDefinition"`
	StartUsers           []PersonBrief    `json:"startUsers"`
	StartDepts           []DeptBrief      `json:"startDepts"`
	ModelSettings
}

// ModelDefinition is the newest deployed version of a model.
type ModelDefinition struct {
	ID              string `json:"id"`
	Version         int    `json:"version"`
	DeploymentTime  int64  `json:"deploymentTime"`
	SuspensionState int    `json:"suspensionState"`
	// Running counts the instances of this version that have not ended.
	Running int64 `json:"running"`
}

// PersonBrief and DeptBrief name who may start a process.
type PersonBrief struct {
	ID       int64  `json:"id"`
	Nickname string `json:"nickname"`
}

// DeptBrief names a department.
type DeptBrief struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// ModelDetail is a model with its diagram.
type ModelDetail struct {
	ModelView
	BpmnXML string `json:"bpmnXml"`
}

// modelRow is a line of the lists.
type modelRow struct {
	Model
	CategoryName string
	FormName     string
	HasDiagram   bool
	DefinitionID *string
	Number       *int
	DeployedAt   *int64
	Suspended    *bool
}

const (
	modelColumns = `t.id, t.key, t.name, t.description, t.category, t.icon, t.form_type, t.form_id, t.form_custom_create_path, t.form_custom_view_path, t.settings,
 t.sort, t.create_time, t.update_time, t.version, t.bpmn_xml <> '' AS has_diagram, COALESCE(c.name, '') AS category_name, COALESCE(f.name, '') AS form_name,
 d.definition_id, d.number, w.deployed_at, w.suspended`
	sqlModelFrom = `FROM bpm_model t
 LEFT JOIN bpm_category c ON c.tenant_id = t.tenant_id AND c.code = t.category AND c.deleted = false
 LEFT JOIN bpm_form f ON f.tenant_id = t.tenant_id AND f.id = t.form_id AND f.deleted = false
 LEFT JOIN bpm_process_definition_info d ON d.tenant_id = t.tenant_id AND d.model_id = t.id AND d.deleted = false AND d.number = (SELECT MAX(n.number)
 FROM bpm_process_definition_info n WHERE n.tenant_id = :tenant AND n.model_id = t.id AND n.deleted = false)
 LEFT JOIN wf_definition w ON w.tenant_id = t.tenant_id AND w.id = d.definition_id
 WHERE t.tenant_id = :tenant AND t.deleted = false`
	modelOrder = `t.sort, t.id DESC`

	sqlRunningOfVersions = `SELECT i.definition_id, COUNT(*) AS running FROM wf_instance i WHERE i.tenant_id = :tenant AND i.definition_id IN (:ids) AND i.status <> 2 GROUP BY i.definition_id`

	sqlPersonBriefs = `SELECT id, nickname FROM system_users WHERE tenant_id = :tenant AND id IN (:ids) ORDER BY id`
	sqlDeptBriefs   = `SELECT id, name FROM system_dept WHERE tenant_id = :tenant AND id IN (:ids) ORDER BY id`
)

type modelPageIn struct {
	store.Paging
	Key      string `query:"key" maxLength:"100" doc:"流程标识|Key"`
	Name     string `query:"name" maxLength:"200" doc:"流程名称|Name"`
	Category string `query:"category" maxLength:"64" doc:"流程分类|Category"`
}

func modelPage(ctx context.Context, in modelPageIn) (store.Page[ModelView], error) {
	q := store.Build(sqlModelFrom, nil).
		If(in.Key != "", " AND t.key = :key", "key", in.Key).
		If(in.Name != "", ` AND t.name LIKE :name ESCAPE '\'`, "name", store.Contains(in.Name)).
		If(in.Category != "", " AND t.category = :category", "category", in.Category)
	page, err := store.SelectPage[modelRow](ctx, modelColumns, q, modelOrder, in.Paging)
	if err != nil {
		return store.Page[ModelView]{}, err
	}
	list, err := modelViews(ctx, page.List)
	return store.Page[ModelView]{List: list, Total: page.Total, Capped: page.Capped}, err
}

type modelListIn struct {
	Name string `query:"name" maxLength:"200" doc:"流程名称|Name"`
}

const sqlModelList = `SELECT ` + modelColumns + ` ` + sqlModelFrom

// modelList gives all models: a university has dozens.
func modelList(ctx context.Context, in modelListIn) ([]ModelView, error) {
	q := store.Build(sqlModelList, nil).
		If(in.Name != "", ` AND t.name LIKE :name ESCAPE '\'`, "name", store.Contains(in.Name)).
		Add(" ORDER BY " + modelOrder + " LIMIT 2000")
	rows, err := store.Select[modelRow](ctx, q.SQL(), q.Args())
	if err != nil {
		return nil, err
	}
	return modelViews(ctx, rows)
}

type modelIDIn struct {
	ID string `query:"id" required:"true" maxLength:"64" doc:"编号|Id"`
}

const sqlModelDetail = `SELECT ` + modelColumns + `, t.bpmn_xml ` + sqlModelFrom + ` AND t.id = :id`

func getModel(ctx context.Context, in modelIDIn) (ModelDetail, error) {
	row, ok, err := store.Get[modelRow](ctx, sqlModelDetail, store.Args{"id": int64(modelID(in.ID))})
	if err != nil || !ok {
		return ModelDetail{}, orElse(err, errModelMissing.With())
	}
	views, err := modelViews(ctx, []modelRow{row})
	if err != nil {
		return ModelDetail{}, err
	}
	return ModelDetail{ModelView: views[0], BpmnXML: row.BpmnXML}, nil
}

func modelViews(ctx context.Context, rows []modelRow) ([]ModelView, error) {
	var users, depts []int64
	for _, row := range rows {
		users, depts = append(users, row.Settings.V.StartUserIDs...), append(depts, row.Settings.V.StartDeptIDs...)
	}
	people, err := briefs[PersonBrief](users, func(ids []int64) ([]PersonBrief, error) {
		return store.Select[PersonBrief](ctx, sqlPersonBriefs, store.Args{"ids": ids})
	})
	if err != nil {
		return nil, err
	}
	units, err := briefs[DeptBrief](depts, func(ids []int64) ([]DeptBrief, error) {
		return store.Select[DeptBrief](ctx, sqlDeptBriefs, store.Args{"ids": ids})
	})
	if err != nil {
		return nil, err
	}
	running, err := runningOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	views := make([]ModelView, 0, len(rows))
	for _, row := range rows {
		view := row.view()
		if view.ProcessDefinition != nil {
			view.ProcessDefinition.Running = running[view.ProcessDefinition.ID]
		}
		view.StartUsers = slices.DeleteFunc(slices.Clone(people), func(p PersonBrief) bool { return !slices.Contains(view.StartUserIDs, p.ID) })
		view.StartDepts = slices.DeleteFunc(slices.Clone(units), func(d DeptBrief) bool { return !slices.Contains(view.StartDeptIDs, d.ID) })
		views = append(views, view)
	}
	return views, nil
}

// runningOf counts the running instances of the newest versions.
func runningOf(ctx context.Context, rows []modelRow) (map[string]int64, error) {
	type figure struct {
		DefinitionID string
		Running      int64
	}
	var ids []string
	for _, row := range rows {
		if row.DefinitionID != nil {
			ids = append(ids, *row.DefinitionID)
		}
	}
	out := map[string]int64{}
	for part := range slices.Chunk(ids, 500) {
		err := store.Each(ctx, sqlRunningOfVersions, store.Args{"ids": part}, func(f figure) error { out[f.DefinitionID] = f.Running; return nil })
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// briefs reads the rows of ids in parts that a statement can bind.
func briefs[T any](ids []int64, read func([]int64) ([]T, error)) ([]T, error) {
	all := []T{}
	for part := range slices.Chunk(slices.Compact(slices.Sorted(slices.Values(ids))), 500) {
		rows, err := read(part)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

func (row modelRow) view() ModelView {
	v := ModelView{ID: ModelID(row.ID), Key: row.Key, Name: row.Name, Description: row.Description, Category: row.Category, CategoryName: row.CategoryName, Icon: row.Icon,
		FormType: given0(row.FormType), FormID: given0(row.FormID), FormName: row.FormName, FormCustomCreatePath: row.FormCustomCreatePath, FormCustomViewPath: row.FormCustomViewPath,
		Sort: row.Sort, CreateTime: row.CreateTime, UpdateTime: row.UpdateTime, Version: row.Version, HasDiagram: row.HasDiagram, ModelSettings: row.Settings.V}
	if row.DefinitionID != nil {
		state := definitionRow{Suspended: *row.Suspended}.state()
		v.ProcessDefinition = &ModelDefinition{ID: *row.DefinitionID, Version: *row.Number, DeploymentTime: *row.DeployedAt, SuspensionState: state}
	}
	return v
}

// given0 is null on the wire for what was never chosen.
func given0[T int | int64](v T) *T {
	if v == 0 {
		return nil
	}
	return &v
}

type modelStateIn struct {
	ID    ModelID `json:"id" required:"true" doc:"编号|Id"`
	State int     `json:"state" required:"true" enum:"1,2" doc:"状态|State"`
}

// setModelState suspends or activates the newest definition of a model.
func (s *Service) setModelState(ctx context.Context, in modelStateIn) (bool, error) {
	model, err := lockModel(ctx, in.ID)
	if err != nil {
		return false, err
	}
	newest, err := foundDefinition(store.Get[definitionRow](ctx, sqlNewestOfModel, store.Args{"model": model.ID}))
	if err != nil {
		return false, err
	}
	return true, s.setSuspension(ctx, newest, in.State)
}

// deleteModel takes a model away; what was deployed of it can no longer be started, and
// what was started goes on.
func (s *Service) deleteModel(ctx context.Context, in modelIDIn) (bool, error) {
	model, err := lockModel(ctx, modelID(in.ID))
	if err != nil {
		return false, err
	}
	newest, deployed, err := store.Get[definitionRow](ctx, sqlNewestOfModel, store.Args{"model": model.ID})
	if err == nil && deployed {
		err = s.setSuspension(ctx, newest, Suspended)
	}
	if err != nil {
		return false, err
	}
	rules, err := rulesOfModel(ctx, model.ID)
	if err != nil {
		return false, err
	}
	for _, rule := range rules {
		if err := assignRules.Delete(ctx, rule.ID); err != nil {
			return false, err
		}
	}
	return true, models.Delete(ctx, model.ID)
}

type sortIn struct {
	IDs []string `query:"ids,explode" required:"true" minItems:"1" maxItems:"500" doc:"编号，按新的顺序|Ids in the new order"`
}

// Locked by id, so that two who sort at once wait for each other instead of blocking both.
const sqlModelsLocked = `SELECT id, sort FROM bpm_model WHERE tenant_id = :tenant AND deleted = false ORDER BY id FOR UPDATE`

// sortModels gives the named models each other's places; the others keep theirs.
func sortModels(ctx context.Context, in sortIn) (bool, error) {
	ids, err := readIDs(ctx, in.IDs)
	if err != nil {
		return false, err
	}
	rows, err := store.Select[modelPlace](ctx, sqlModelsLocked, nil)
	if err != nil {
		return false, err
	}
	slices.SortFunc(rows, func(a, b modelPlace) int {
		if a.Sort != b.Sort {
			return a.Sort - b.Sort
		}
		return int(b.ID - a.ID) // as in modelOrder
	})
	next := 0
	for at, row := range rows {
		id := row.ID
		if slices.Contains(ids, id) {
			id = ids[next]
			next++
		}
		if _, err := models.Change(ctx, id, func(m *Model) error { m.Sort = at + 1; return nil }); err != nil {
			return false, err
		}
	}
	if next != len(ids) {
		return false, errs.ErrNoRecord.With()
	}
	return true, nil
}

type modelPlace struct {
	ID   int64
	Sort int
}
