package bpmn

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// TestText: what is stored reads the same as the file, whatever its encoding was.
func TestText(t *testing.T) {
	body := `<definitions xmlns="` + nsModel + `"><process id="p" name="请假" isExecutable="true"><startEvent id="s"/></process></definitions>`
	gbk, err := simplifiedchinese.GB18030.NewEncoder().Bytes([]byte(`<?xml version="1.0" encoding="GBK"?>` + body))
	if err != nil {
		t.Fatal(err)
	}
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes([]byte(`<?xml version='1.0' encoding='UTF-16'?>` + body))
	if err != nil {
		t.Fatal(err)
	}
	plain := `<?xml version="1.0" encoding="utf-8"?>` + "\r\n" + body
	for name, c := range map[string]struct{ in, want string }{
		"byte for byte": {plain, plain}, "no declaration": {body, body}, "byte order mark": {"\xEF\xBB\xBF" + body, body},
		"GBK":    {string(gbk), `<?xml version="1.0" encoding="UTF-8"?>` + body},
		"UTF-16": {string(utf16), `<?xml version='1.0' encoding='UTF-8'?>` + body},
	} {
		have, err := Text([]byte(c.in))
		if err != nil || have != c.want {
			t.Errorf("%s: %q, %v", name, have, err)
			continue
		}
		doc, err := Decode([]byte(have))
		if err != nil || doc.Processes[0].Name != "请假" {
			t.Errorf("%s: stored text does not read: %v", name, err)
		}
	}
	for name, in := range map[string]string{"wrong bytes": "<a>\xff</a>", "unknown encoding": `<?xml version="1.0" encoding="EBCDIC"?><a/>`, "too large": strings.Repeat(" ", MaxBytes+1)} {
		if _, err := Text([]byte(in)); err == nil {
			t.Errorf("%s: stored", name)
		}
	}
}
