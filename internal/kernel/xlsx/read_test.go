package xlsx

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"reflect"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

// parts is a minimal workbook, to be varied by the tests.
func parts(sheet string) map[string]string {
	const ns = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	return map[string]string{
		"[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
		"_rels/.rels":         `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":     `<?xml version="1.0"?><workbook ` + ns + `><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
		"xl/sharedStrings.xml":     `<sst ` + ns + `><si><t>共享</t></si></sst>`,
		"xl/worksheets/sheet1.xml": `<?xml version="1.0"?><worksheet ` + ns + `><sheetData>` + sheet + `</sheetData></worksheet>`,
	}
}

func archive(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range parts {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestReadForms(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	day, _ := f.NewStyle(&excelize.Style{NumFmt: 14})
	moment, _ := f.NewStyle(&excelize.Style{NumFmt: 22})
	for ref, v := range map[string]any{
		"A1": "  姓名 ", "B1": 202612345678, "C1": 12345678901234, "D1": 0.1, "E1": true, "F1": 46000.5, "G1": 46000.5, "H1": "a\u202eb",
		"A3": "third",
	} {
		if err := f.SetCellValue("Sheet1", ref, v); err != nil {
			t.Fatal(err)
		}
	}
	_ = f.SetCellStyle("Sheet1", "F1", "F1", day)
	_ = f.SetCellStyle("Sheet1", "G1", "G1", moment)
	_ = f.SetCellFormula("Sheet1", "B3", "1+1")
	var out bytes.Buffer
	if _, err := f.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&out, Limits{})
	want := [][]string{
		{"姓名", "202612345678", "12345678901234", "0.1", "TRUE", "2025-12-09", "2025-12-09 12:00", "ab"},
		{}, {"third"},
	}
	if err != nil || len(got) != 3 || !reflect.DeepEqual(got[0], want[0]) || len(got[1]) != 0 || !reflect.DeepEqual(got[2], want[2]) {
		t.Errorf("got  %q, %v\nwant %q", got, err, want)
	}
}

func TestReadRefusals(t *testing.T) {
	good := archive(t, parts(`<row r="1"><c r="A1" t="s"><v>0</v></c></row>`))
	if rows, err := Read(bytes.NewReader(good), Limits{}); err != nil || !reflect.DeepEqual(rows, [][]string{{"共享"}}) {
		t.Fatalf("the plain workbook: %q, %v", rows, err)
	}
	change := func(name, text string) []byte {
		p := parts("")
		p[name] = text
		return archive(t, p)
	}
	sheet := func(text string) []byte { return archive(t, parts(text)) }
	rows := func(n int) []byte {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `<row r="%d"><c r="A%d"><v>%d</v></c></row>`, i+1, i+1, i*7919%99991)
		}
		return sheet(b.String())
	}
	for _, c := range []struct {
		name string
		data []byte
		lim  Limits
		want error
	}{
		{"empty", nil, Limits{}, ErrNotXLSX},
		{"text", []byte("a,b,c"), Limits{}, ErrNotXLSX},
		{"old binary workbook", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)), Limits{}, ErrNotXLSX},
		{"only a magic number", []byte("PK\x03\x04"), Limits{}, ErrNotXLSX},
		{"cut short", good[:len(good)/2], Limits{}, ErrNotXLSX},
		{"a zip of something", archive(t, map[string]string{"a.txt": "x"}), Limits{}, ErrNotXLSX},
		{"broken workbook part", change("xl/workbook.xml", "<workbook"), Limits{}, ErrNotXLSX},
		{"no sheet", change("xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets/></workbook>`), Limits{}, ErrNotXLSX},
		{"input too large", good, Limits{MaxInput: 100}, ErrTooLarge},
		{"output too large", good, Limits{MaxOutput: 100}, ErrTooLarge},
		{"too many rows", rows(11), Limits{MaxRows: 10}, ErrTooManyRows},
		{"row number far out", sheet(`<row r="1048576"><c r="A1048576"><v>1</v></c></row>`), Limits{}, ErrTooManyRows},
		{"row number absurd", sheet(`<row r="2000000000"><c><v>1</v></c></row>`), Limits{}, ErrTooManyRows},
		{"column far out", sheet(`<row r="1"><c r="XFD1"><v>1</v></c></row>`), Limits{}, ErrTooLarge},
		{"column beyond the format", sheet(`<row r="1"><c r="ZZZZZ1"><v>1</v></c></row>`), Limits{}, ErrNotXLSX},
		{"negative shared string", sheet(`<row r="1"><c r="A1" t="s"><v>-1</v></c></row>`), Limits{}, ErrNotXLSX},
		{"endless text", sheet(`<row r="1"><c r="A1" t="inlineStr"><is><t>` + noise(300<<10) + `</t></is></c></row>`), Limits{}, ErrTooLarge},
		{"escapes", sheet(`<row r="1"><c r="A1" t="inlineStr"><is><t>` + strings.Repeat("_x0041_", 100) + `</t></is></c></row>`), Limits{}, ErrTooLarge},
		{"shared string used over and over", amplified(t), Limits{MaxOutput: 4 << 20}, ErrTooLarge},
		{"markup in styles", change("xl/styles.xml", strings.Repeat("<a/>", maxOtherMarkup+1)), Limits{}, ErrTooLarge},
		{"many parts", manyParts(t), Limits{}, ErrTooLarge},
		{"part twice", twice(t), Limits{}, ErrNotXLSX},
	} {
		if got, err := Read(bytes.NewReader(c.data), c.lim); !errors.Is(err, c.want) {
			t.Errorf("%s: %d rows, %v; want %v", c.name, len(got), err, c.want)
		}
	}
	if _, err := Read(brokenReader{}, Limits{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("failing input: %v", err)
	}
	if got, err := Read(bytes.NewReader(rows(10)), Limits{MaxRows: 10}); err != nil || len(got) != 10 {
		t.Errorf("exactly the limit: %d, %v", len(got), err)
	}
}

func TestReadIgnoresBlankTail(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<row r="1"><c r="A1"><v>1</v></c></row>`)
	for i := 2; i < 500; i++ {
		fmt.Fprintf(&b, `<row r="%d"><c r="A%d" s="0"/></row>`, i, i)
	}
	got, err := Read(bytes.NewReader(archive(t, parts(b.String()))), Limits{MaxRows: 10})
	if err != nil || len(got) != 1 {
		t.Errorf("%d rows, %v", len(got), err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// noise is text that does not compress, so that the ratio is not what stops it.
func noise(n int) string {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = "abcdefghijklmnopqrstuvwxyz012345"[x>>27]
	}
	return string(b)
}

func amplified(t testing.TB) []byte {
	p := parts(strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 5000))
	p["xl/sharedStrings.xml"] = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>` + noise(30_000) + `</t></si></sst>`
	return archive(t, p)
}

func manyParts(t testing.TB) []byte {
	p := parts("")
	for i := range maxParts {
		p["xl/x"+strconv.Itoa(i)] = ""
	}
	return archive(t, p)
}

func twice(t testing.TB) []byte {
	p := parts("")
	p[`xl\Workbook.xml`] = p["xl/workbook.xml"]
	return archive(t, p)
}

// bomb is a workbook whose sheet unpacks to size bytes; with lie, the directory
// declares that many instead.
func bomb(t testing.TB, size, lie int64) []byte {
	t.Helper()
	// One flushed block of a megabyte refers to nothing before it, so that its
	// bytes may follow themselves any number of times; an empty block ends it.
	const unit = 1 << 20
	row := []byte(strings.Repeat(`<row><c><v>1</v></c></row>`, unit/26+1))[:unit]
	var block bytes.Buffer
	fw, _ := flate.NewWriter(&block, 9)
	_, err := fw.Write(row)
	if err = errors.Join(err, fw.Flush()); err != nil {
		t.Fatal(err)
	}
	packed := bytes.NewBuffer(append(bytes.Repeat(block.Bytes(), int(size/unit)), 0x03, 0x00))
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	p := parts("")
	delete(p, "xl/worksheets/sheet1.xml")
	for name, text := range p {
		w, _ := z.Create(name)
		_, _ = io.WriteString(w, text)
	}
	if lie == 0 {
		lie = size
	}
	w, err := z.CreateRaw(&zip.FileHeader{Name: "xl/worksheets/sheet1.xml", Method: zip.Deflate,
		CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(lie), CRC32: 1})
	if err == nil {
		_, err = packed.WriteTo(w)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestBomb reads bombs in a process of their own, whose peak memory is what is
// judged. VmHWM is the peak since the child reset it.
func TestBomb(t *testing.T) {
	if path := os.Getenv("VIVA_XLSX_BOMB"); path != "" {
		readBomb(path)
		return
	}
	const half = 512 << 20
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"honest", bomb(t, half, 0), ErrTooLarge.Error()},
		{"says 1 MB", bomb(t, half, 1<<20), ErrNotXLSX.Error()},
		{"says 60 MB", bomb(t, half, 60<<20), ErrNotXLSX.Error()},
		{"within the size, beyond the ratio", bomb(t, 60<<20, 0), ErrTooLarge.Error()},
		{"says 2^63", bomb(t, 1<<20, math.MaxInt64), ErrTooLarge.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			if len(c.data) > 4<<20 {
				t.Fatalf("the bomb is %d bytes", len(c.data))
			}
			path := t.TempDir() + "/bomb.xlsx"
			if err := os.WriteFile(path, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestBomb$")
			cmd.Env = append(os.Environ(), "VIVA_XLSX_BOMB="+path)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			grown, answer, _ := strings.Cut(strings.SplitN(string(out), "\n", 2)[0], "|")
			kb, err := strconv.Atoi(grown)
			if err != nil {
				t.Skipf("no memory figures on this system: %s", out)
			}
			t.Logf("%d bytes: grew %d kB: %s", len(c.data), kb, answer)
			if kb > 50<<10 || !strings.HasPrefix(answer, c.want) {
				t.Errorf("grew by %d kB, answered %q, want %q", kb, answer, c.want)
			}
		})
	}
}

func readBomb(path string) {
	f, err := os.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	before := status("VmRSS:")
	_, err = Read(f, Limits{})
	fmt.Printf("%d|%v\n", status("VmHWM:")-before, err)
}

func status(key string) int {
	data, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return kb
		}
	}
	return 0
}

func FuzzRead(f *testing.F) {
	f.Add(archive(f, parts(`<row r="1"><c r="A1" t="s"><v>0</v></c><c t="d"><v>2026-01-01T00:00:00</v></c><c t="b"><v>1</v></c></row>`)))
	f.Add(write(f, []string{"a", "b"}, []any{1, "x"}, []any{time.Unix(0, 0), true}))
	f.Fuzz(func(t *testing.T, data []byte) {
		lim := Limits{MaxOutput: 8 << 20, MaxRows: 1000, MaxColumns: 64}
		rows, err := Read(bytes.NewReader(data), lim)
		if err != nil && !errors.Is(err, ErrNotXLSX) && !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrTooManyRows) {
			t.Fatalf("unnamed error %v", err)
		}
		if len(rows) > lim.MaxRows {
			t.Fatalf("%d rows", len(rows))
		}
	})
}

// FuzzSheet varies the sheet inside a sound archive, which random bytes of
// FuzzRead hardly ever reach.
func FuzzSheet(f *testing.F) {
	f.Add(`<row r="1"><c r="A1" t="s"><v>0</v></c></row>`, `<numFmts><numFmt numFmtId="170" formatCode="yyyy"/></numFmts>`)
	f.Add(`<row><c t="inlineStr"><is><r><t>a</t></r></is></c><c><f>1+1</f><v>2</v></c><c t="e"><v>#N/A</v></c></row>`, "")
	f.Fuzz(func(t *testing.T, sheet, styles string) {
		p := parts(sheet)
		p["xl/styles.xml"] = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` + styles + `</styleSheet>`
		rows, err := Read(bytes.NewReader(archive(t, p)), Limits{MaxRows: 1000})
		if err == nil {
			write(t, []string{"x"}, []any{fmt.Sprint(rows)})
		}
	})
}
