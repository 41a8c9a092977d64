package xlsx

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

// hostile texts: what a spreadsheet program would run as a formula, a command
// or a link if a cell held it untyped.
var hostile = []string{
	"=1+1", "+1", "-1", "@SUM(A1)", "=cmd|'/c calc'!A0", `=HYPERLINK("https://evil.test","x")`, "\t=1", "\r=1", "\n=1", " =1",
	"=1+1\x00", "<f>1+1</f>", "</t></is></c><c r=\"A9\"><f>1+1</f></c>", "_x003D_1+1", "_x005F_x003D_", "_x000D_", "DDE(\"cmd\")",
	"'=1", "\"=1", "%0A=1", "＝1+1", "&lt;f&gt;", "]]>", "a\u202eb", "\ufffe", "正常文本", "😀", "-", "=",
}

func write(t testing.TB, headers []string, rows ...[]any) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, "表", headers)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Row(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func part(t testing.TB, data []byte, name string) string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := archive.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTextNeverBecomesFormula(t *testing.T) {
	var rows [][]any
	for _, h := range hostile {
		rows = append(rows, []any{h, []byte(h), Text{h}, json.RawMessage(h), &h, sql.NullString{String: h, Valid: true}, errText(h), []string{h}})
	}
	data := write(t, hostile, rows...)
	sheet := part(t, data, "xl/worksheets/sheet1.xml")
	if strings.Contains(sheet, "<f") || strings.Contains(sheet, "<hyperlink") {
		t.Fatal("the sheet holds a formula or a link")
	}
	for c := range strings.SplitSeq(sheet[strings.Index(sheet, "<sheetData"):], "<c ") {
		if strings.Contains(c, "</c>") && !strings.Contains(c, `t="inlineStr"`) {
			t.Errorf("untyped cell %q", c)
		}
	}
	got, err := Read(bytes.NewReader(data), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range hostile {
		want := strings.TrimSpace(text(h))
		for col, v := range at(got, i+1) {
			if v != want {
				t.Errorf("%q column %d came back as %q", h, col, v)
			}
		}
	}
}

type failingValue struct{}

func (failingValue) Value() (driver.Value, error) { return nil, io.ErrNoProgress }

type errText string

func (e errText) String() string { return string(e) }

func at(rows [][]string, i int) []string {
	if i < len(rows) {
		return rows[i]
	}
	return nil
}

type level int

func TestCell(t *testing.T) {
	n := 7
	var none *int
	var noValue *sql.NullString
	for _, c := range []struct{ in, want any }{
		{nil, nil}, {none, nil}, {noValue, nil}, {(*time.Time)(nil), nil}, {&n, int64(7)}, {level(3), int64(3)}, {true, true},
		{int64(1) << 53, int64(1) << 53}, {int64(1)<<53 + 1, "9007199254740993"}, {-(int64(1)<<53 + 1), "-9007199254740993"},
		{uint64(math.MaxUint64), "18446744073709551615"}, {uint8(9), int64(9)}, {int64(math.MinInt64), "-9223372036854775808"},
		{1.5, 1.5}, {float32(0.1), 0.1}, {math.NaN(), nil}, {math.Inf(1), nil},
		{Text{20260001}, "20260001"}, {Text{nil}, nil}, {Text{1.5}, "1.5"}, {Text{true}, "true"},
		{json.Number("12"), int64(12)}, {json.Number("9007199254740993"), "9007199254740993"}, {json.Number("1.25"), 1.25}, {json.Number("x"), "x"}, {json.Number("0.12345678901234567890"), "0.12345678901234567890"},
		{failingValue{}, nil}, {(*errText)(nil), nil}, {map[string]int{"a": 1}, "map[a:1]"},
		{time.Date(2026, 3, 1, 16, 30, 5, 0, time.UTC), "2026-03-02 00:30:05"}, {time.Time{}, nil},
		{sql.NullInt64{}, nil}, {sql.NullInt64{Int64: 4, Valid: true}, int64(4)}, {sql.NullTime{Time: time.Unix(0, 0), Valid: true}, "1970-01-01 08:00:00"},
		{[]int{1, 2}, "1,2"}, {"a\x00b\x1b\x7fc\ufffed", "abcd"}, {"a\xffb", "ab"}, {"tab\tnl\n", "tab\tnl\n"}, {"a\u202eb\u2066c", "abc"},
		{struct{ A int }{1}, "{1}"}, {excelize.Cell{Formula: "1+1"}, "{0 1+1 <nil>}"},
	} {
		if got := cell(c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("cell(%#v) = %#v, want %#v", c.in, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int // UTF-16 units
	}{{strings.Repeat("a", 32767), 32767}, {strings.Repeat("a", 32768), 32767}, {strings.Repeat("字", 40000), 32767}, {strings.Repeat("😀", 16384), 32767}, {strings.Repeat("字", 32767), 32767}} {
		if got := len(utf16Units(text(c.in))); got != c.want {
			t.Errorf("%d bytes were cut to %d units, want %d", len(c.in), got, c.want)
		}
	}
}

func TestSheetName(t *testing.T) {
	for in, want := range map[string]string{
		"": "Sheet1", "用户": "用户", "a/b:c*d?e[f]g\\h": "a_b_c_d_e_f_g_h", "''": "Sheet1", "'x'": "x", " x ": "x",
		strings.Repeat("论", 40): strings.Repeat("论", 31), strings.Repeat("😀", 31): strings.Repeat("😀", 15), "a\nb": "a b",
	} {
		if got := sheetName(in); got != want {
			t.Errorf("sheetName(%q) = %q", in, got)
		}
		var out bytes.Buffer
		w, err := NewWriter(&out, in, []string{"a"})
		if err != nil {
			t.Fatalf("%q: %v", in, err)
		}
		w.Abort()
	}
}

func TestWriterManyRows(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, "x", []string{"编号", "姓名"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20_000 {
		if err := w.Row([]any{i, fmt.Sprintf("学生%d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rows, err := Read(&out, Limits{})
	if err != nil || len(rows) != 20_001 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if want := []string{"19999", "学生19999"}; !reflect.DeepEqual(rows[20_000], want) {
		t.Errorf("%v", rows[20_000])
	}
}

func TestWriterEnds(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, "x", []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	w.limit = 2
	if err := w.Row([]any{1}); err != nil {
		t.Fatal(err)
	}
	if err := w.Row([]any{2}); !errors.Is(err, ErrTooManyRows) {
		t.Errorf("row beyond the sheet: %v", err)
	}
	if err := w.Close(); !errors.Is(err, ErrTooManyRows) || out.Len() != 0 {
		t.Errorf("close after a failure: %v, %d bytes", err, out.Len())
	}
	if err := w.Row(nil); !errors.Is(err, ErrClosed) {
		t.Errorf("row after close: %v", err)
	}
	if err := w.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("second close: %v", err)
	}
	w.Abort()

	w, err = NewWriter(failing{}, "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("failing output: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestTemplate(t *testing.T) {
	var out bytes.Buffer
	err := WriteTemplate(&out, "导入", []Column{
		{Header: "学号", Note: strings.Repeat("必填", 200), Example: "20260001", Text: true},
		{Header: "性别", Options: []string{"男", "女", "a,b", "=1"}},
		{Header: "备注"},
	})
	if err != nil {
		t.Fatal(err)
	}
	data := out.Bytes()
	rows, err := Read(bytes.NewReader(data), Limits{})
	if want := [][]string{{"学号", "性别", "备注"}, {"20260001"}}; err != nil || !reflect.DeepEqual(rows, want) {
		t.Fatalf("%v, %v", rows, err)
	}
	sheet := part(t, data, "xl/worksheets/sheet1.xml")
	for _, want := range []string{"<dataValidation", "$B$1:$B$4", "B2:B5001", `r="A2"`} {
		if !strings.Contains(sheet, want) {
			t.Errorf("the sheet lacks %q", want)
		}
	}
	if strings.Contains(sheet, "<f>") || strings.Contains(part(t, data, "xl/worksheets/sheet2.xml"), "<f>") {
		t.Error("formula in the template")
	}
	if !strings.Contains(part(t, data, "xl/workbook.xml"), `state="hidden"`) {
		t.Error("the list sheet is not hidden")
	}

	if err := WriteTemplate(failing{}, "x", []Column{{Header: "a"}}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("failing output: %v", err)
	}
	out.Reset()
	if err := WriteTemplate(&out, "x", []Column{{Header: "a"}}); err != nil {
		t.Fatal(err)
	}
	if rows, err := Read(&out, Limits{}); err != nil || len(rows) != 1 {
		t.Errorf("%v, %v", rows, err)
	}
}
