package workflow

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
	"viva/internal/workflow/bpmn"
)

// The kinds of form of a model.
const (
	// FormRecord is a form made with the form designer.
	FormRecord = 10
	// FormBusiness is a pair of pages of the application.
	FormBusiness = 20
)

// Model is a process being designed. Deploying it makes a ProcessDefinition, which does
// not change when the model does.
type Model struct {
	ID                   int64                     `json:"id"`
	Key                  string                    `json:"key"`
	Name                 string                    `json:"name"`
	Description          string                    `json:"description"`
	Category             string                    `json:"category"`
	Icon                 string                    `json:"icon"`
	FormType             int                       `json:"formType"`
	FormID               int64                     `json:"formId"`
	FormCustomCreatePath string                    `json:"formCustomCreatePath"`
	FormCustomViewPath   string                    `json:"formCustomViewPath"`
	BpmnXML              string                    `json:"bpmnXml" audit:"-"`
	Settings             store.JSON[ModelSettings] `json:"settings"`
	Sort                 int                       `json:"sort"`
	crud.Meta
}

var models = table.New[Model]("bpm_model", "流程模型")

// ModelID is the id of a model on the wire: a text, which clients pass on as it is. A
// number is read as well.
type ModelID int64

// MarshalJSON writes the text.
func (id ModelID) MarshalJSON() ([]byte, error) {
	return json.Marshal(strconv.FormatInt(int64(id), 10))
}

// UnmarshalJSON reads a text or a number; what is neither is the id of no model.
func (id *ModelID) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) != nil {
		text = string(b)
	}
	*id = modelID(text)
	return nil
}

// Schema describes the text in the OpenAPI document.
func (ModelID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Description: "编号|Id"}
}

func modelID(text string) ModelID {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return ModelID(id)
}

// The error codes of models; contract bpm.md A.12.
var (
	errModelKey     = errs.Define(1009002000, errs.Invalid, "流程标识“{}”已被其他模型使用，请换一个", "The key {} belongs to another model; choose another")
	errModelMissing = errs.Define(1009002001, errs.NotFound, "流程模型不存在或已删除，请刷新列表", "No such process model; reload the list")
	errModelKeyForm = errs.Define(1009002002, errs.Invalid, "流程标识“{}”格式不正确：以字母或下划线开头，后接字母、数字和 - _ .，最多 64 个字符", "The key {} is malformed: a letter or underscore, then letters, digits and - _ . up to 64 characters")
	errModelOwner   = errs.Define(1009002007, errs.Forbidden, "您不是流程模型“{}”的管理员，请联系该模型的管理员", "You do not manage the process model {}; ask one of those who do")
	errModelFile    = errs.Define(1009002009, errs.Invalid, "流程文件无法读取：{}", "The process file cannot be read: {}")
)

// The sizes of a process file and of a body that carries one as JSON text.
const (
	maxModelFile = 4 << 20
	maxModelBody = 2*maxModelFile + 1<<20
)

func (s *Service) mountModels(m *web.Module) {
	s.app = m.App
	s.OnCategoryInUse(func(ctx context.Context, code string) (bool, error) {
		n, _, err := store.Get[int64](ctx, sqlModelsOfCategory, store.Args{"code": code})
		return n > 0, err
	})
	query, update := web.Perm("bpm:model:query"), web.Perm("bpm:model:update")
	web.Get(m, "/model/page", query, modelPage, web.Title("流程模型分页"))
	web.Get(m, "/model/list", query, modelList, web.Title("流程模型列表"))
	web.Get(m, "/model/get", query, getModel, web.Title("流程模型详情"))
	web.Get(m, "/model/problems", query, s.modelProblems, web.Title("发布前检查流程模型"))
	web.Post(m, "/model/deploy", web.Perm("bpm:model:deploy"), s.deployModel, web.NoTx, web.Title("发布流程模型"))
	web.Put(m, "/model/update-state", update, s.setModelState, web.Title("挂起或激活模型当前的流程定义"))
	web.Put(m, "/model/update-sort-batch", update, sortModels, web.Title("流程模型排序"))
	web.Delete(m, "/model/clean", web.Perm("bpm:model:clean"), s.cleanModel, web.Title("清理流程模型的全部实例"))
	web.Delete(m, "/model/delete", web.Perm("bpm:model:delete"), s.deleteModel, web.Title("删除流程模型"))

	// NoTx: a large file is read before the one writer of SQLite is kept busy.
	body := func(method, path string, access web.Access, title string, in *huma.Schema, fn func(context.Context, web.RawRequest) (any, error)) {
		out := &huma.Schema{Type: huma.TypeBoolean}
		if method == http.MethodPost {
			out = &huma.Schema{Type: huma.TypeString}
		}
		web.Raw(m, web.RawCall{Method: method, Path: path, Access: access, Summary: title, In: in, Out: out, MaxBytes: maxModelBody, Fn: fn, Options: []web.Option{web.NoTx}})
	}
	whole, xml := modelInputSchema(m.App, true), modelInputSchema(m.App, false)
	body(http.MethodPost, "/model/create", web.Perm("bpm:model:create"), "新增流程模型", whole, s.createModel)
	body(http.MethodPut, "/model/update", update, "修改流程模型", whole, s.updateModel)
	body(http.MethodPut, "/model/update-bpmn", update, "修改流程模型的流程图", xml, s.updateModel)
	web.Raw(m, web.RawCall{Method: http.MethodPost, Path: "/model/import", Access: web.Perm("bpm:model:import"), Summary: "导入流程模型（multipart：key、name、description、category、bpmnFile）",
		Out: &huma.Schema{Type: huma.TypeString}, StreamBody: true, MaxBytes: maxModelFile + 1<<20, Fn: s.importModel})
}

const (
	sqlModelsOfCategory = `SELECT COUNT(*) FROM bpm_model WHERE tenant_id = :tenant AND deleted = false AND category = :code`
	sqlModelByKey       = `SELECT id FROM bpm_model WHERE tenant_id = :tenant AND deleted = false AND key = :key`
)

// readModel reads a model, errModelMissing when there is none.
func readModel(ctx context.Context, id ModelID) (Model, error) {
	return found(models.Get(ctx, int64(id)))
}

// lockModel keeps others from changing a model that the caller may change.
func lockModel(ctx context.Context, id ModelID) (Model, error) {
	row, err := found(models.Lock(ctx, int64(id)))
	if err == nil {
		err = row.mayChange(ctx)
	}
	return row, err
}

func found(row Model, err error) (Model, error) {
	if errs.Is(err, errs.ErrNoRecord) {
		err = errModelMissing.With()
	}
	return row, err
}

// mayChange refuses everybody but those who manage the model; a model of the first
// generation names nobody. Administrators of the tenant may always, since the named
// people may all have left.
func (m Model) mayChange(ctx context.Context) error {
	who, list := actor.From(ctx), m.Settings.V.ManagerUserIDs
	if len(list) == 0 || who.Kind == actor.System || who.Can(actor.Super) || who.HasRole("tenant_admin") || slices.Contains(list, who.UserID) {
		return nil
	}
	return errModelOwner.With(m.Name)
}

// process gives the process of a file that a deployment of the key runs: the one of that
// id, else the first that is executable.
func process(doc *bpmn.Document, key string) *bpmn.Process {
	if p, ok := doc.Process(key); ok {
		return p
	}
	for _, p := range doc.Processes {
		if p.Executable {
			return p
		}
	}
	if len(doc.Processes) > 0 {
		return doc.Processes[0]
	}
	return nil
}

// userTasks are the user tasks of a process at any depth, in the order of the file.
func userTasks(p *bpmn.Process) []*bpmn.Node {
	var list []*bpmn.Node
	if p == nil {
		return list
	}
	for i := range p.Nodes {
		if p.Nodes[i].Kind == bpmn.KindUserTask {
			list = append(list, &p.Nodes[i])
		}
	}
	return list
}
