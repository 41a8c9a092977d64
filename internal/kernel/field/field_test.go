package field

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"viva/internal/kernel/store"
)

type sample struct {
	Name   string               `json:"name" label:"名称|Name" in:"required,max=5" q:"like"`
	Note   string               `json:"note" label:"备注|Note" in:"kind=richtext,max=200"`
	Mail   string               `json:"mail" label:"邮箱|Mail" in:"kind=email"`
	Mobile string               `json:"mobile" label:"手机|Mobile" in:"kind=mobile"`
	Site   string               `json:"site" label:"网址|Site" in:"kind=url"`
	Sort   int                  `json:"sort" label:"排序|Order" in:"min=0,max=99" q:"eq"`
	Price  int64                `json:"price" label:"价格|Price" in:"kind=money,min=0"`
	Open   bool                 `json:"open" label:"开放|Open" in:"optional"`
	Status int                  `json:"status" label:"状态|Status" in:"dict=common_status" q:"eq"`
	DeptID int64                `json:"deptId" label:"部门|Dept" in:"required,ref=system_dept:/system/dept/list-all-simple"`
	Tags   store.JSON[[]string] `json:"tags" label:"标签|Tags" in:"optional"`
	Ids    store.JSON[[]int64]  `json:"ids" label:"成员|Members" in:"kind=refs,max=3"`
	Day    string               `json:"day" label:"日期|Day" in:"kind=date"`
	At     int64                `json:"at" label:"时间|At" in:"kind=time" q:"range"`
	Own    string               `json:"own"`
	Secret string               `json:"-" label:"口令|Secret" in:"as=secret,max=9"`
}

func byName(t *testing.T, name string) *Field {
	t.Helper()
	for _, f := range Parse(reflect.TypeFor[sample]()) {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no field %s", name)
	return nil
}

func TestParse(t *testing.T) {
	name := byName(t, "name")
	if !name.Input || !name.Output || !name.Required || *name.Max != 5 || name.Kind != "text" || name.LabelEn != "Name" || name.Column != "name" {
		t.Errorf("%+v", name)
	}
	if own := byName(t, "own"); own.Input || !own.Output {
		t.Errorf("own: %+v", own)
	}
	if secret := byName(t, "secret"); !secret.Input || secret.Output {
		t.Errorf("secret: %+v", secret)
	}
	if dept := byName(t, "deptId"); dept.RefTable != "system_dept" || dept.Ref != "/system/dept/list-all-simple" || dept.Kind != "ref" {
		t.Errorf("dept: %+v", dept)
	}
}

func TestParse_misspeltTagsPanic(t *testing.T) {
	for name, typ := range map[string]reflect.Type{
		"word": reflect.TypeOf(struct {
			A string `json:"a" label:"A" in:"requierd"`
		}{}),
		"kind": reflect.TypeOf(struct {
			A string `json:"a" label:"A" in:"kind=txt"`
		}{}),
		"filter": reflect.TypeOf(struct {
			A string `json:"a" label:"A" in:"optional" q:"contains"`
		}{}),
		"label": reflect.TypeOf(struct {
			A string `json:"a" in:"required"`
		}{}),
		"number": reflect.TypeOf(struct {
			A string `json:"a" label:"A" in:"max=x"`
		}{}),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a misspelt tag was taken", name)
				}
			}()
			Parse(typ)
		}()
	}
}

func TestDecode(t *testing.T) {
	cases := []struct{ field, json, want, refused string }{
		{"name", `" 论文 "`, "论文", ""},
		{"name", `""`, "", "不能为空"},
		{"name", `null`, "", "不能为空"},
		{"name", `"一二三四五六"`, "", "最多 5 个字，现在有 6 个"},
		{"name", `7`, "", "应为文字"},
		{"name", `"a\u0000b"`, "", "无法保存的字符"},
		{"note", `"<p onclick=x>好</p><script>y</script>"`, "<p>好</p>", ""},
		{"mail", `"a@b.edu"`, "a@b.edu", ""},
		{"mail", `"a@b"`, "", "格式不正确"},
		{"mail", `""`, "", ""},
		{"mobile", `"13800138000"`, "13800138000", ""},
		{"mobile", `"12800138000"`, "", "11 位手机号码"},
		{"site", `"https://x.edu/a"`, "https://x.edu/a", ""},
		{"site", `"javascript:alert(1)"`, "", "网址"},
		{"site", `"//evil.example/x"`, "", "网址"},
		{"sort", `5`, "5", ""},
		{"sort", `"5"`, "5", ""},
		{"sort", `5.5`, "", "应为整数"},
		{"sort", `100`, "", "不能大于 99"},
		{"sort", `-1`, "", "不能小于 0"},
		{"price", `9007199254740993`, "", "应为整数"},
		{"open", `true`, "true", ""},
		{"open", `"maybe"`, "", "应为是或否"},
		{"deptId", `0`, "", "不能为空"},
		{"deptId", `-4`, "", "选择不正确"},
		{"deptId", `12`, "12", ""},
		{"tags", `["a","b"]`, `{[a b]}`, ""},
		{"tags", `{"a":1}`, "", "应为列表"},
		{"ids", `[1,2,3]`, `{[1 2 3]}`, ""},
		{"ids", `[1,1]`, "", "选择不正确"},
		{"ids", `[1,2,3,4]`, "", "最多 3 项"},
		{"day", `"2026-02-29"`, "", "日期格式不正确"},
		{"day", `"2028-02-29"`, "2028-02-29", ""},
		{"at", `1700000000000`, "1700000000000", ""},
		{"at", `"2023-11-15 06:13:20"`, "1700000000000", ""},
		{"at", `"soon"`, "", "时间格式不正确"},
	}
	for _, c := range cases {
		var row sample
		f := byName(t, c.field)
		v := reflect.ValueOf(&row).Elem()
		refusal := f.Decode(json.RawMessage(c.json), v)
		switch {
		case c.refused == "" && refusal != nil:
			t.Errorf("%s %s refused: %s", c.field, c.json, refusal.Zh)
		case c.refused != "" && (refusal == nil || !strings.Contains(refusal.Zh, c.refused) || refusal.En == ""):
			t.Errorf("%s %s: %v, want %q", c.field, c.json, refusal, c.refused)
		case c.refused == "":
			if got := format(v.FieldByIndex(f.Index)); got != c.want {
				t.Errorf("%s %s = %q, want %q", c.field, c.json, got, c.want)
			}
		}
	}
}

func format(v reflect.Value) string { return strings.TrimSpace(stringOf(v.Interface())) }

func stringOf(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case store.JSON[[]string]:
		return "{[" + strings.Join(x.V, " ") + "]}"
	case store.JSON[[]int64]:
		b, _ := json.Marshal(x.V)
		return "{" + strings.ReplaceAll(string(b), ",", " ") + "}"
	}
	b, _ := json.Marshal(v)
	return string(b)
}

func TestParseText_readsCells(t *testing.T) {
	for _, c := range []struct{ field, cell, want string }{
		{"open", "是", "true"}, {"sort", "7", "7"}, {"at", "2023-11-15 06:13:20", "1700000000000"}, {"day", "2026-11-21", "2026-11-21"}, {"tags", "甲、乙", "{[甲 乙]}"},
	} {
		var row sample
		f := byName(t, c.field)
		if r := f.ParseText(c.cell, reflect.ValueOf(&row).Elem()); r != nil {
			t.Errorf("%s %q refused: %s", c.field, c.cell, r.Zh)
		} else if got := format(reflect.ValueOf(row).FieldByIndex(f.Index)); got != c.want {
			t.Errorf("%s %q = %q, want %q", c.field, c.cell, got, c.want)
		}
	}
}

func TestCell(t *testing.T) {
	row := reflect.ValueOf(sample{Note: "<p>一</p><p>二</p>", Open: true, Status: 1, At: 1700000000000, Tags: store.JSON[[]string]{V: []string{"a", "b"}}})
	for name, want := range map[string]any{"open": "是", "status": "1", "tags": "a、b"} {
		if got := byName(t, name).Cell(row); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if at, ok := byName(t, "at").Cell(row).(time.Time); !ok || at.UnixMilli() != 1700000000000 {
		t.Errorf("at: %v", at)
	}
	if note := byName(t, "note").Cell(row).(string); strings.Contains(note, "<") || !strings.Contains(note, "一") {
		t.Errorf("note: %q", note)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`"x"`, `1`, `null`, `[1]`, `{"a":1}`, `"\ud800"`, `1e400`, `""`} {
		f.Add(seed)
	}
	fields := Parse(reflect.TypeFor[sample]())
	f.Fuzz(func(t *testing.T, raw string) {
		if !json.Valid([]byte(raw)) {
			return
		}
		for _, one := range fields {
			if !one.Input {
				continue
			}
			var row sample
			if r := one.Decode(json.RawMessage(raw), reflect.ValueOf(&row).Elem()); r != nil && (r.Zh == "" || r.En == "") {
				t.Errorf("%s refused without a text", one.Name)
			}
		}
	})
}
