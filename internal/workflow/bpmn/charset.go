package bpmn

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

var (
	utf8Mark  = []byte{0xEF, 0xBB, 0xBF}
	bigMark   = []byte{0xFE, 0xFF}
	littleEnd = []byte{0xFF, 0xFE}
	// declaration matches encoding="…" inside the XML declaration.
	declaration = regexp.MustCompile(`^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']`)
)

// toUTF8 converts the file by its byte order mark or its declared encoding:
// UTF-8, UTF-16, and the Chinese and Western encodings that tools still write.
func toUTF8(data []byte) ([]byte, *Problem) {
	switch {
	case bytes.HasPrefix(data, utf8Mark):
		return valid(data[len(utf8Mark):])
	case bytes.HasPrefix(data, bigMark), bytes.HasPrefix(data, []byte{0, '<'}):
		return convert(data, unicode.UTF16(unicode.BigEndian, unicode.UseBOM))
	case bytes.HasPrefix(data, littleEnd), bytes.HasPrefix(data, []byte{'<', 0}):
		return convert(data, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM))
	}
	match := declaration.FindSubmatch(data[:min(len(data), 1024)])
	if match == nil {
		return valid(data)
	}
	switch name := strings.ToLower(string(match[1])); name {
	case "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be":
		// A file read as UTF-16 was met above; one without zero bytes is UTF-8
		// whose declaration outlived a conversion.
		return valid(data)
	case "gbk", "gb2312", "gb18030", "cp936", "gb_2312-80":
		return convert(data, simplifiedchinese.GB18030)
	case "iso-8859-1", "latin1", "windows-1252", "cp1252":
		return convert(data, charmap.Windows1252) // as browsers do: Latin-1 has controls where 1252 has letters
	default:
		return nil, &Problem{Severity: Error, Code: "encoding",
			Zh: "不支持的字符编码 " + name + "，请另存为 UTF-8 后重新导入",
			En: "the character encoding " + name + " is not supported; save the file as UTF-8 and import it again"}
	}
}

func convert(data []byte, from encoding.Encoding) ([]byte, *Problem) {
	out, err := from.NewDecoder().Bytes(data)
	if err != nil || bytes.ContainsRune(out, utf8.RuneError) {
		return nil, badBytes()
	}
	return valid(bytes.TrimPrefix(out, utf8Mark))
}

func valid(data []byte) ([]byte, *Problem) {
	if !utf8.Valid(data) {
		return nil, badBytes()
	}
	return data, nil
}

func badBytes() *Problem {
	return &Problem{Severity: Error, Code: "encoding",
		Zh: "文件内容与声明的字符编码不符，请另存为 UTF-8 后重新导入",
		En: "the bytes do not fit the declared character encoding; save the file as UTF-8 and import it again"}
}
