package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
	"viva/internal/workflow/bpmn"
)

// ModelInput is what may be set of a model. Members that a body lacks keep their value,
// or take the default of a new model.
type ModelInput struct {
	ID                   ModelID `json:"id"`
	Version              int     `json:"version" doc:"读取时的版本|The version that was read"`
	Key                  string  `json:"key" doc:"流程标识|Key"`
	Name                 string  `json:"name" doc:"流程名称|Name"`
	Description          string  `json:"description" doc:"流程描述|Description"`
	Category             string  `json:"category" doc:"流程分类|Category"`
	Icon                 string  `json:"icon" doc:"流程图标|Icon"`
	FormType             int     `json:"formType" doc:"表单类型|Kind of form"`
	FormID               int64   `json:"formId" doc:"流程表单|Form"`
	FormCustomCreatePath string  `json:"formCustomCreatePath" doc:"提交页面|Page to submit"`
	FormCustomViewPath   string  `json:"formCustomViewPath" doc:"查看页面|Page to view"`
	BpmnXML              string  `json:"bpmnXml" doc:"流程图|Diagram"`
	ModelSettings
}

// diagramInput is the body of update-bpmn.
type diagramInput struct {
	ID      ModelID `json:"id" required:"true"`
	BpmnXML string  `json:"bpmnXml" required:"true" doc:"流程图|Diagram"`
}

func modelInputSchema(app *web.App, whole bool) *huma.Schema {
	schemas := app.API.OpenAPI().Components.Schemas
	if whole {
		return schemas.Schema(reflect.TypeFor[ModelInput](), true, "ModelInput")
	}
	return schemas.Schema(reflect.TypeFor[diagramInput](), true, "DiagramInput")
}

func inputOf(m Model) ModelInput {
	return ModelInput{ID: ModelID(m.ID), Key: m.Key, Name: m.Name, Description: m.Description, Category: m.Category, Icon: m.Icon, FormType: m.FormType, FormID: m.FormID,
		FormCustomCreatePath: m.FormCustomCreatePath, FormCustomViewPath: m.FormCustomViewPath, BpmnXML: m.BpmnXML, ModelSettings: m.Settings.V.copied()}
}

// into writes the input over a model; the kind of form decides which of its members count.
func (in ModelInput) into(m *Model) {
	m.Key, m.Name, m.Description = strings.TrimSpace(in.Key), strings.TrimSpace(in.Name), strings.TrimSpace(in.Description)
	m.Category, m.Icon, m.BpmnXML = strings.TrimSpace(in.Category), strings.TrimSpace(in.Icon), in.BpmnXML
	m.FormType, m.FormID, m.FormCustomCreatePath, m.FormCustomViewPath = in.FormType, 0, "", ""
	switch in.FormType {
	case FormRecord:
		m.FormID = in.FormID
	case FormBusiness:
		m.FormCustomCreatePath, m.FormCustomViewPath = strings.TrimSpace(in.FormCustomCreatePath), strings.TrimSpace(in.FormCustomViewPath)
	}
	m.Settings.V = in.ModelSettings
}

// readBody reads JSON over a value that holds what absent members keep.
func readBody(body []byte, into any) error {
	var wrong *json.UnmarshalTypeError
	switch err := json.Unmarshal(body, into); {
	case errors.As(err, &wrong) && wrong.Field != "":
		name := strings.TrimPrefix(wrong.Field, "ModelSettings.")
		return errs.Field(name, name+" 类型不正确", name+" is of the wrong type")
	case err != nil:
		return errs.Field("", "JSON 格式不正确", "malformed JSON")
	}
	return nil
}

func (s *Service) createModel(ctx context.Context, req web.RawRequest) (any, error) {
	in := ModelInput{ModelSettings: defaultSettings()}
	if err := readBody(req.Body, &in); err != nil {
		return nil, err
	}
	return s.addModel(ctx, in)
}

// addModel writes a new model and gives its id.
func (s *Service) addModel(ctx context.Context, in ModelInput) (ModelID, error) {
	if err := checkFile(ctx, in.BpmnXML, "bpmnXml"); err != nil {
		return 0, err
	}
	var row Model
	err := store.Write(ctx, func(ctx context.Context) error {
		in.into(&row)
		if err := s.checkModel(ctx, nil, &row); err != nil {
			return err
		}
		err := models.Insert(ctx, &row)
		if table.IsDuplicate(err) { // somebody was faster than checkModel
			err = fielded(ctx, errModelKey.With(row.Key), "key")
		}
		return err
	})
	return ModelID(row.ID), err
}

func (s *Service) updateModel(ctx context.Context, req web.RawRequest) (any, error) {
	var given struct {
		ID      ModelID `json:"id"`
		BpmnXML string  `json:"bpmnXml"`
	}
	if err := readBody(req.Body, &given); err != nil {
		return nil, err
	}
	if err := checkFile(ctx, given.BpmnXML, "bpmnXml"); err != nil {
		return nil, err
	}
	return true, store.Write(ctx, func(ctx context.Context) error {
		old, err := lockModel(ctx, given.ID)
		if err != nil {
			return err
		}
		in := inputOf(old)
		if err := readBody(req.Body, &in); err != nil {
			return err
		}
		if in.Version != 0 && in.Version != old.Version {
			return errs.ErrStale.With()
		}
		row := old
		in.into(&row)
		if err := s.checkModel(ctx, &old, &row); err != nil {
			return err
		}
		return models.Update(ctx, &row)
	})
}

// checkFile refuses a diagram that no reader could show. Elements that cannot be run are
// told when the model is deployed: a draft may have them.
func checkFile(ctx context.Context, text, field string) error {
	if text == "" {
		return nil
	}
	if len(text) > maxModelFile {
		return fielded(ctx, errModelFile.With(i18n.Pick(ctx, "超过 4 MB 上限", "larger than the limit of 4 MB")), field)
	}
	_, err := bpmn.Decode([]byte(text))
	return fileError(ctx, err, field)
}

// fileError turns what package bpmn says of an unreadable file into an answer.
func fileError(ctx context.Context, err error, field string) error {
	var problem *bpmn.Problem
	if !errors.As(err, &problem) {
		return err
	}
	return fielded(ctx, errModelFile.With(problem.Text(i18n.Lang(ctx))), field).WithData(problemList{Problems: []DeployProblem{problemOf(*problem)}})
}

// importModel makes a model of an uploaded file; its other members are text parts.
func (s *Service) importModel(ctx context.Context, req web.RawRequest) (any, error) {
	file, name, err := req.File("bpmnFile")
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if lower := strings.ToLower(name); !strings.HasSuffix(lower, ".bpmn") && !strings.HasSuffix(lower, ".xml") {
		return nil, errs.Field("bpmnFile", "请选择 .bpmn 或 .xml 文件", "choose a .bpmn or .xml file")
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	text, err := bpmn.Text(data)
	if err != nil {
		return nil, fileError(ctx, err, "bpmnFile")
	}
	if strings.TrimSpace(text) == "" {
		return nil, errs.Field("bpmnFile", "文件是空的，请重新选择", "the file is empty; choose another")
	}
	if err := checkFile(ctx, text, "bpmnFile"); err != nil {
		return nil, err
	}
	in := ModelInput{Key: req.Text("key"), Name: req.Text("name"), Description: req.Text("description"), Category: req.Text("category"),
		BpmnXML: text, ModelSettings: defaultSettings()}
	return s.addModel(ctx, in)
}

const maxModelKey = 64

// keyForm is an XML NCName without the characters that a definition id or a path could
// not carry.
func keyForm(key string) bool {
	for i, r := range key {
		if r == '_' || unicode.IsLetter(r) || i > 0 && (unicode.IsDigit(r) || r == '-' || r == '.') {
			continue
		}
		return false
	}
	return key != "" && utf8.RuneCountInString(key) <= maxModelKey
}

// pagePath is an address inside the application, never one of another site.
var pagePath = regexp.MustCompile(`^/?[\p{L}\p{N}_.-]+(/[\p{L}\p{N}_.-]+)*/?(\?[^\s<>"']*)?$`)

// checkModel refuses what could not be saved; old is nil for a new model.
func (s *Service) checkModel(ctx context.Context, old, row *Model) error {
	if !keyForm(row.Key) {
		return fielded(ctx, errModelKeyForm.With(clip(row.Key)), "key")
	}
	if old != nil && old.Key != row.Key {
		return errs.Field("key", "流程标识创建后不能修改，请新建模型", "the key of a model cannot change; make another model")
	}
	id, taken, err := store.Get[int64](ctx, sqlModelByKey, store.Args{"key": row.Key})
	if err != nil || taken && id != row.ID {
		return orElse(err, fielded(ctx, errModelKey.With(row.Key), "key"))
	}
	var before ModelSettings
	if old != nil {
		before = old.Settings.V
	}
	refused, err := row.Settings.V.check(ctx, before)
	if err != nil {
		return err
	}
	refused = append(row.checkTexts(), refused...)
	if err := s.checkModelRefs(ctx, old, row, (*fieldErrors)(&refused)); err != nil {
		return err
	}
	return errs.Fields(refused)
}

func (m *Model) checkTexts() []errs.FieldError {
	var f fieldErrors
	for _, text := range []struct {
		name, value, zh, en string
		max                 int
	}{{"name", m.Name, "流程名称", "the name", 100}, {"description", m.Description, "流程描述", "the description", 500}, {"icon", m.Icon, "流程图标", "the icon", 500},
		{"category", m.Category, "流程分类", "the category", 64}, {"formCustomCreatePath", m.FormCustomCreatePath, "提交页面", "the page to submit", 200},
		{"formCustomViewPath", m.FormCustomViewPath, "查看页面", "the page to view", 200}} {
		f.when(utf8.RuneCountInString(text.value) > text.max, text.name, text.zh+"过长", text.en+" is too long")
		f.when(strings.ContainsFunc(text.value, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' }), text.name,
			text.zh+"含有不可见的控制字符", text.en+" holds control characters")
	}
	f.when(m.Name == "", "name", "流程名称 不能为空", "the name is required")
	f.when(m.FormType != 0 && m.FormType != FormRecord && m.FormType != FormBusiness, "formType", "表单类型应为 10（流程表单）或 20（业务表单）", "the kind of form must be 10 or 20")
	f.when(m.FormType == FormRecord && m.FormID == 0, "formId", "请选择流程表单", "choose a form")
	if m.FormType == FormBusiness {
		f.when(!pagePath.MatchString(m.FormCustomCreatePath), "formCustomCreatePath", "请填写站内的提交页面路径，例如 /bpm/oa/leave/create", "give the path of a page of this application, such as /bpm/oa/leave/create")
		f.when(!pagePath.MatchString(m.FormCustomViewPath), "formCustomViewPath", "请填写站内的查看页面路径，例如 /bpm/oa/leave/detail", "give the path of a page of this application, such as /bpm/oa/leave/detail")
	}
	return f
}

// checkModelRefs wants form and category to exist when they are chosen.
func (s *Service) checkModelRefs(ctx context.Context, old, row *Model, refused *fieldErrors) error {
	if row.FormID != 0 && (old == nil || old.FormID != row.FormID) {
		known, err := crud.Exists(ctx, "bpm_form", row.FormID)
		if err != nil {
			return err
		}
		refused.when(!known, "formId", "所选的流程表单不存在，请重新选择", "no such form; choose another")
	}
	if row.Category != "" && (old == nil || old.Category != row.Category) {
		name, err := s.categoryName(ctx, row.Category)
		if err != nil {
			return err
		}
		refused.when(name == "", "category", "流程分类不存在，请重新选择", "no such category; choose another")
	}
	return nil
}

const sqlCategoryName = `SELECT name FROM bpm_category WHERE tenant_id = :tenant AND deleted = false AND code = :code`

// categoryName gives the name of a category; the first generation of clients sends values
// of the dictionary bpm_model_category. Empty for an unknown one.
func (s *Service) categoryName(ctx context.Context, code string) (string, error) {
	name, ok, err := store.Get[string](ctx, sqlCategoryName, store.Args{"code": code})
	if err != nil || ok || s.app == nil || s.app.Dictionary == nil {
		return name, err
	}
	labels, err := s.app.Dictionary(ctx, "bpm_model_category")
	return labels[code], err
}

func clip(text string) string {
	if runes := []rune(text); len(runes) > maxModelKey {
		return string(runes[:maxModelKey]) + "…"
	}
	return text
}
