package system

import (
	"context"
	"regexp"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// DictData is one value of a dictionary. LabelEn is shown to English readers.
type DictData struct {
	ID        int64  `json:"id" label:"字典编码|Id"`
	Sort      int    `json:"sort" label:"字典排序|Sort" in:"required,min=0,max=1000000"`
	Label     string `json:"label" label:"字典标签|Label" in:"required,max=100" q:"like"`
	LabelEn   string `json:"labelEn" label:"英文标签|English label" in:"max=100"`
	Value     string `json:"value" label:"字典键值|Value" in:"required,max=100"`
	DictType  string `json:"dictType" label:"字典类型|Type" in:"required,max=100" q:"eq"`
	Status    int    `json:"status" label:"状态|Status" in:"required,dict=common_status" q:"eq"`
	ColorType string `json:"colorType" label:"颜色类型|Colour" in:"max=100"`
	CSSClass  string `json:"cssClass" label:"CSS Class|CSS class" in:"max=100"`
	Remark    string `json:"remark" label:"备注|Remark" in:"kind=longtext,max=500"`
	crud.Shared
}

// DictEntry is a value as the pages load it.
type DictEntry struct {
	DictType  string `json:"dictType"`
	Value     string `json:"value"`
	Label     string `json:"label"`
	ColorType string `json:"colorType"`
	CSSClass  string `json:"cssClass"`
}

func (s *Service) mountDictData(m *web.Module) {
	s.entries = crud.Mount[DictData](m, "dict-data", "字典数据|Dictionary entry", crud.Permission("system:dict"),
		crud.Order("t.dict_type DESC, t.sort DESC, t.id DESC"))
	s.entries.BeforeSave = checkDictData
	s.entries.AfterSave = func(ctx context.Context, _, _ *DictData) error { return s.dict.changed(ctx) }
	s.entries.BeforeDelete = func(ctx context.Context, _ DictData) error {
		if err := web.OperatorOnly(ctx); err != nil {
			return err
		}
		return s.dict.changed(ctx)
	}
	text := func() *huma.Schema { return &huma.Schema{Type: "string"} }
	entry := &huma.Schema{Type: "object", Required: []string{"dictType", "value", "label", "colorType", "cssClass"}, Properties: map[string]*huma.Schema{
		"dictType": text(), "value": text(), "label": text(), "colorType": text(), "cssClass": text(),
	}}
	for _, name := range []string{"list-all-simple", "simple-list"} {
		web.Raw(m, web.RawCall{Method: "GET", Path: "/dict-data/" + name, Access: web.SignedIn, Summary: "全部启用的字典数据",
			Out: &huma.Schema{Type: "array", Items: entry},
			Fn:  func(ctx context.Context, _ web.RawRequest) (any, error) { return s.dict.answer(ctx) }})
	}
	web.Get(m, "/dict-data/type/{type}", web.SignedIn, s.entriesOf, web.Title("一个字典类型的启用数据"))
}

var (
	dictColors = []string{"", "default", "primary", "success", "info", "warning", "danger"}
	cssForm    = regexp.MustCompile(`^[A-Za-z0-9_\-# ]*$`)
)

func checkDictData(ctx context.Context, _, row *DictData) error {
	if err := web.OperatorOnly(ctx); err != nil {
		return err
	}
	if !slices.Contains(dictColors, row.ColorType) {
		return errs.Field("colorType", i18n.Pick(ctx, "颜色类型不在可选范围内", "Colour is not one of the choices"))
	}
	if !cssForm.MatchString(row.CSSClass) {
		return errs.Field("cssClass", i18n.Pick(ctx, "CSS Class 只能含字母、数字、空格和 - _ #", "CSS class may hold letters, digits, blanks and - _ #"))
	}
	status, ok, err := store.Get[int](ctx, sqlTypeByType, store.Args{"type": row.DictType})
	switch {
	case err != nil:
		return err
	case !ok:
		return errDictTypeMissing.With()
	case status != 0:
		return errDictTypeDisabled.With()
	}
	n, _, err := store.Get[int64](ctx, sqlEntryByValue, store.Args{"type": row.DictType, "value": row.Value, "id": row.ID})
	if err != nil || n > 0 {
		return firstError(err, errDictDataTaken.With())
	}
	return nil
}

type dictTypeIn struct {
	Type string `path:"type" maxLength:"100" doc:"字典类型|Type"`
}

func (s *Service) entriesOf(ctx context.Context, in dictTypeIn) ([]DictEntry, error) {
	snap, err := s.dict.current(ctx)
	if err != nil {
		return nil, err
	}
	list := []DictEntry{}
	for _, e := range snap.entries[web.Lang(ctx)] {
		if e.DictType == in.Type {
			list = append(list, e)
		}
	}
	return list, nil
}
