package workflow

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// The suspension states of a definition on the wire. New instances need an active one;
// running instances are not touched.
//
//	deploy            → Active; the version before → Suspended
//	update-state 1, 2 → Active, Suspended; of the newest version only
//	delete the model  → Suspended
const (
	Active    = 1
	Suspended = 2
)

// ProcessDefinition is what a model was besides its file when a version of it was
// deployed: rows never change. The file and its state are kept by package runtime.
type ProcessDefinition struct {
	ID                   int64                     `json:"id"`
	DefinitionID         string                    `json:"definitionId"`
	ModelID              int64                     `json:"modelId"`
	Key                  string                    `json:"key"`
	Number               int                       `json:"number"`
	Name                 string                    `json:"name"`
	Description          string                    `json:"description"`
	Category             string                    `json:"category"`
	Icon                 string                    `json:"icon"`
	FormType             int                       `json:"formType"`
	FormID               int64                     `json:"formId"`
	FormName             string                    `json:"formName"`
	FormConf             string                    `json:"formConf" audit:"-"`
	FormFields           store.JSON[[]string]      `json:"formFields" audit:"-"`
	FormCustomCreatePath string                    `json:"formCustomCreatePath"`
	FormCustomViewPath   string                    `json:"formCustomViewPath"`
	Settings             store.JSON[ModelSettings] `json:"settings"`
	Digest               string                    `json:"digest"`
	Startable            bool                      `json:"startable"`
	crud.Meta
}

var definitions = table.New[ProcessDefinition]("bpm_process_definition_info", "流程定义")

var errDefinitionMissing = errs.Define(1009003002, errs.NotFound, "流程定义不存在，请先发布流程模型", "No such process definition; deploy the process model first")

const (
	definitionColumns = `t.id, t.definition_id, t.model_id, t.key, t.number, t.name, t.description, t.category, t.icon, t.form_type, t.form_id, t.form_name, t.form_conf, t.form_fields,
 t.form_custom_create_path, t.form_custom_view_path, t.settings, t.digest, t.startable, w.suspended, w.deployed_at, COALESCE(c.name, '') AS category_name`
	sqlDefinitionsFrom = `FROM bpm_process_definition_info t JOIN wf_definition w ON w.tenant_id = t.tenant_id AND w.id = t.definition_id
 LEFT JOIN bpm_category c ON c.tenant_id = t.tenant_id AND c.code = t.category AND c.deleted = false
 WHERE t.tenant_id = :tenant AND t.deleted = false`
	sqlDefinitions    = `SELECT ` + definitionColumns + ` ` + sqlDefinitionsFrom
	sqlDefinitionByID = sqlDefinitions + ` AND t.definition_id = :id`
	sqlNewestOfKey    = sqlDefinitions + ` AND t.key = :key ORDER BY t.number DESC LIMIT 1`
	sqlNewestOfModel  = sqlDefinitions + ` AND t.model_id = :model ORDER BY t.number DESC LIMIT 1`
	sqlSimpleActive   = `SELECT t.definition_id AS id, t.name, t.key FROM bpm_process_definition_info t JOIN wf_definition w ON w.tenant_id = t.tenant_id AND w.id = t.definition_id
 WHERE t.tenant_id = :tenant AND t.deleted = false AND w.suspended = false ORDER BY t.name, t.key LIMIT 2000`
)

// definitionRow is a definition with its state and the name of its category.
type definitionRow struct {
	ProcessDefinition
	Suspended    bool
	DeployedAt   int64
	CategoryName string
}

func (d definitionRow) state() int {
	if d.Suspended {
		return Suspended
	}
	return Active
}

// foundDefinition answers errDefinitionMissing when there is none.
func foundDefinition(d definitionRow, ok bool, err error) (definitionRow, error) {
	if err == nil && !ok {
		err = errDefinitionMissing.With()
	}
	return d, err
}

func definitionByID(ctx context.Context, id string) (definitionRow, error) {
	return foundDefinition(store.Get[definitionRow](ctx, sqlDefinitionByID, store.Args{"id": id}))
}

// setSuspension suspends or activates a definition and leaves a trace of it.
func (s *Service) setSuspension(ctx context.Context, d definitionRow, state int) error {
	if d.state() == state {
		return nil
	}
	if err := s.engine.Suspend(ctx, d.DefinitionID, state == Suspended); err != nil {
		return err
	}
	return audit.Record(ctx, audit.Entry{Table: definitions.Name, Title: definitions.Title, RowID: d.ID, Op: audit.Updated,
		Before: map[string]any{"suspensionState": d.state()}, After: map[string]any{"suspensionState": state}})
}

// DefinitionView is a definition on the wire.
type DefinitionView struct {
	ID                   string   `json:"id"`
	Version              int      `json:"version"`
	Name                 string   `json:"name"`
	Key                  string   `json:"key"`
	Description          string   `json:"description"`
	Category             string   `json:"category"`
	CategoryName         string   `json:"categoryName"`
	Icon                 string   `json:"icon"`
	FormType             *int     `json:"formType"`
	FormID               *int64   `json:"formId"`
	FormName             string   `json:"formName"`
	FormConf             string   `json:"formConf"`
	FormFields           []string `json:"formFields"`
	FormCustomCreatePath string   `json:"formCustomCreatePath"`
	FormCustomViewPath   string   `json:"formCustomViewPath"`
	SuspensionState      int      `json:"suspensionState"`
	DeploymentTime       int64    `json:"deploymentTime"`
	ModelID              ModelID  `json:"modelId"`
	ModelType            int      `json:"modelType"`
	ModelSettings
}

// DefinitionDetail is a definition with its diagram.
type DefinitionDetail struct {
	DefinitionView
	BpmnXML string `json:"bpmnXml"`
}

func (d definitionRow) view() DefinitionView {
	fields := d.FormFields.V
	if fields == nil {
		fields = []string{}
	}
	return DefinitionView{ID: d.DefinitionID, Version: d.Number, Name: d.Name, Key: d.Key, Description: d.Description, Category: d.Category, CategoryName: d.CategoryName, Icon: d.Icon,
		FormType: given0(d.FormType), FormID: given0(d.FormID), FormName: d.FormName, FormConf: d.FormConf, FormFields: fields,
		FormCustomCreatePath: d.FormCustomCreatePath, FormCustomViewPath: d.FormCustomViewPath, SuspensionState: d.state(), DeploymentTime: d.DeployedAt,
		ModelID: ModelID(d.ModelID), ModelType: d.Settings.V.Type, ModelSettings: d.Settings.V}
}

func (s *Service) mountDefinitions(m *web.Module) {
	query := web.Perm("bpm:process-definition:query")
	web.Get(m, "/process-definition/page", query, definitionPage, web.Title("流程定义分页"))
	web.Get(m, "/process-definition/list", web.SignedIn, startableList, web.Title("我可以发起的流程"))
	web.Get(m, "/process-definition/get", web.SignedIn, s.getDefinition, web.Title("流程定义详情"))
	web.Get(m, "/process-definition/get-bpmn-xml", query, s.definitionXML, web.Title("流程定义的流程图"))
	web.Get(m, "/process-definition/simple-list", web.SignedIn, simpleDefinitions, web.Title("流程定义精简列表"))
}

type definitionPageIn struct {
	store.Paging
	Key string `query:"key" maxLength:"100" doc:"流程标识|Key"`
}

func definitionPage(ctx context.Context, in definitionPageIn) (store.Page[DefinitionView], error) {
	q := store.Build(sqlDefinitionsFrom, nil).If(in.Key != "", " AND t.key = :key", "key", in.Key)
	page, err := store.SelectPage[definitionRow](ctx, definitionColumns, q, "t.id DESC", in.Paging)
	out := store.Page[DefinitionView]{List: make([]DefinitionView, 0, len(page.List)), Total: page.Total, Capped: page.Capped}
	for _, row := range page.List {
		out.List = append(out.List, row.view())
	}
	return out, err
}

type definitionListIn struct {
	SuspensionState int `query:"suspensionState" minimum:"0" maximum:"2" doc:"状态|State"`
}

const permDefinition = "bpm:process-definition:query"

// startableList gives the active definitions that the caller may start. Suspended ones
// are for those who may see all definitions.
func startableList(ctx context.Context, in definitionListIn) ([]DefinitionView, error) {
	out := []DefinitionView{}
	if in.SuspensionState == Suspended && !actor.From(ctx).Can(permDefinition) {
		return out, nil
	}
	q := store.Build(sqlDefinitions, nil).
		If(in.SuspensionState != Suspended, " AND w.suspended = false", "", nil).
		If(in.SuspensionState == Suspended, " AND w.suspended = true", "", nil).
		Add(" ORDER BY t.category, t.name, t.number DESC LIMIT 1000")
	rows, err := store.Select[definitionRow](ctx, q.SQL(), q.Args())
	for _, row := range rows {
		if row.startableBy(actor.From(ctx)) {
			out = append(out, row.view())
		}
	}
	return out, err
}

// startableBy reports whether the definition is offered to somebody; its state is
// another question.
func (d ProcessDefinition) startableBy(who actor.Actor) bool {
	return d.Startable && d.Settings.V.Visible && d.Settings.V.mayStart(who.UserID, who.DeptID)
}

type definitionIn struct {
	ID  string `query:"id" maxLength:"200" doc:"编号|Id"`
	Key string `query:"key" maxLength:"100" doc:"流程标识|Key"`
}

// getDefinition answers by id, or with the newest version of a key. The diagram of a
// process tells how a university works: it is for those who may start it, or see all.
func (s *Service) getDefinition(ctx context.Context, in definitionIn) (DefinitionDetail, error) {
	d, err := definitionByID(ctx, in.ID)
	if in.ID == "" {
		d, err = foundDefinition(store.Get[definitionRow](ctx, sqlNewestOfKey, store.Args{"key": in.Key}))
	}
	if err != nil {
		return DefinitionDetail{}, err
	}
	if who := actor.From(ctx); !who.Can(permDefinition) && !d.startableBy(who) {
		return DefinitionDetail{}, errDefinitionMissing.With()
	}
	xml, err := s.engine.XML(ctx, d.DefinitionID)
	return DefinitionDetail{DefinitionView: d.view(), BpmnXML: xml}, err
}

type definitionIDIn struct {
	ID string `query:"id" required:"true" minLength:"1" maxLength:"200" doc:"编号|Id"`
}

func (s *Service) definitionXML(ctx context.Context, in definitionIDIn) (string, error) {
	d, err := definitionByID(ctx, in.ID)
	if err != nil {
		return "", err
	}
	return s.engine.XML(ctx, d.DefinitionID)
}

// SimpleDefinition is a definition in selectors.
type SimpleDefinition struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Key  string `json:"key"`
}

func simpleDefinitions(ctx context.Context, _ web.None) ([]SimpleDefinition, error) {
	return store.Select[SimpleDefinition](ctx, sqlSimpleActive, nil)
}
