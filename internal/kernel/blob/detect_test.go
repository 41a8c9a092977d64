package blob

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func picture() *image.Paletted {
	return image.NewPaletted(image.Rect(0, 0, 8, 8), color.Palette{color.Black, color.White})
}

func encoded(t testing.TB, fn func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := fn(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zipped(t testing.TB, names ...string) string {
	return encoded(t, func(out io.Writer) error {
		z := zip.NewWriter(out)
		for _, n := range names {
			if _, err := z.Create(n); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

// compound is the skeleton of an old Office file: header, one sector of
// directory entries with the given names.
func compound(names ...string) string {
	b := make([]byte, 512+512)
	copy(b, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	binary.LittleEndian.PutUint16(b[26:], 3)
	binary.LittleEndian.PutUint16(b[28:], 0xfffe)
	binary.LittleEndian.PutUint16(b[30:], 9)
	for i, n := range append([]string{"Root Entry"}, names...) {
		e := b[512+i*128:]
		for j, c := range n {
			binary.LittleEndian.PutUint16(e[2*j:], uint16(c))
		}
		binary.LittleEndian.PutUint16(e[64:], uint16(2*len(n)+2))
		e[66] = 2
	}
	return string(b)
}

// webp is a lossless picture of one pixel.
const webp = "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"

func hugePNG(t testing.TB) string {
	b := []byte(encoded(t, func(w io.Writer) error { return png.Encode(w, picture()) }))
	binary.BigEndian.PutUint32(b[16:], 60000)
	binary.BigEndian.PutUint32(b[20:], 60000)
	return string(b)
}

func TestDetect(t *testing.T) {
	goodPNG := encoded(t, func(w io.Writer) error { return png.Encode(w, picture()) })
	goodGIF := encoded(t, func(w io.Writer) error { return gif.Encode(w, picture(), nil) })
	goodJPG := encoded(t, func(w io.Writer) error { return jpeg.Encode(w, picture(), nil) })
	pdf := "%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n"
	docx := zipped(t, "[Content_Types].xml", "_rels/.rels", "word/document.xml")
	for _, c := range []struct{ name, data, mime, ext string }{
		{"png", goodPNG, PNG, ".png"},
		{"gif", goodGIF, GIF, ".gif"},
		{"jpeg", goodJPG, JPEG, ".jpg"},
		{"webp", webp, WebP, ".webp"},
		{"pdf", pdf, PDF, ".pdf"},
		{"pdf after a few bytes", "\r\n\xef\xbb\xbf" + pdf, PDF, ".pdf"},
		{"long pdf", "%PDF-1.4\n" + strings.Repeat("x", 1<<20) + "\n%%EOF", PDF, ".pdf"},
		{"docx", docx, DOCX, ".docx"},
		{"doc", compound("1Table", "WordDocument"), DOC, ".doc"},

		{"pdf without an end", "%PDF-1.4\n" + strings.Repeat("x", 5000), Unknown, ""},
		{"pdf cut off after the mark", pdf + strings.Repeat("\n", 5000), Unknown, ""},
		{"png magic alone", "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 100), Unknown, ""},
		{"gif magic with script", "GIF89a=1;alert(1)//", Unknown, ""},
		{"jpeg magic with html", "\xff\xd8\xff\xe0<html><script>alert(1)</script>", Unknown, ""},
		{"picture of 3.6 gigapixels", hugePNG(t), Unknown, ""},
	} {
		mime, ext, err := Detect(strings.NewReader(c.data))
		if err != nil || mime != c.mime || ext != c.ext {
			t.Errorf("%s: %s %s %v, want %s %s", c.name, mime, ext, err, c.mime, c.ext)
		}
	}
	// whatever these are, no slot may take them under any ending
	for _, c := range []struct{ name, data string }{
		{"html", "<!DOCTYPE html><html><script>alert(1)</script></html>"},
		{"html that mentions a pdf", "<html><!--%PDF-1.4--><script>alert(1)</script></html>\n%%EOF"},
		{"script that mentions a pdf", "function f(){}\n%PDF-1.4\n%%EOF"},
		{"json that mentions a pdf", `{"a":"%PDF-1.4 %%EOF"}`},
		{"svg", `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`},
		{"svg after xml", `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`},
		{"mhtml", "MIME-Version: 1.0\nContent-Type: multipart/related\n\n<html>"},
		{"zip", zipped(t, "a.txt")},
		{"zip with a word folder", zipped(t, "[Content_Types].xml", "word/other.xml", "word/styles.xml")},
		{"docx with macros", zipped(t, "[Content_Types].xml", "word/document.xml", "word/vbaProject.bin")},
		{"docx without types", zipped(t, "word/document.xml")},
		{"docx cut off", docx[:len(docx)-30]},
		{"workbook", zipped(t, "[Content_Types].xml", "xl/workbook.xml")},
		{"zip of very many parts", zipped(t, "[Content_Types].xml", "word/document.xml") + strings.Repeat("PK\x01\x02", maxZipParts+1)},
		{"old workbook", compound("Workbook")},
		{"compound file", compound("Something")},
		{"installer", compound("!Property", "WordDocument2")},
		{"program", "MZ" + strings.Repeat("\x00", 200)},
		{"elf", "\x7fELF" + strings.Repeat("\x00", 200)},
		{"shell", "#!/bin/sh\nrm -rf /\n"},
		{"rtf", `{\rtf1 x}`},
		{"text", "hello"},
		{"empty", ""},
		{"bmp", "BM" + strings.Repeat("\x00", 60)},
	} {
		mime, _, err := Detect(strings.NewReader(c.data))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, slot := range []Slot{Avatar, Image, Document} {
			for _, ext := range []string{"", "pdf", "doc", "docx", "png", "jpg", "gif", "webp", "svg", "html"} {
				if Allowed(slot, mime, ext) {
					t.Errorf("%s (%s) is allowed as %s in %s", c.name, mime, ext, slot)
				}
			}
		}
	}
}

func TestDetectReaderFails(t *testing.T) {
	broken := struct {
		io.Reader
		io.Seeker
	}{iotest.ErrReader(io.ErrNoProgress), strings.NewReader("")}
	if _, _, err := Detect(broken); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("%v", err)
	}
}

func TestFewZipPartsAcrossBlocks(t *testing.T) {
	for _, shift := range []int{0, 1, 2, 3} {
		data := strings.Repeat("x", shift) + strings.Repeat("PK\x01\x02", maxZipParts)
		for extra, want := range map[string]bool{"": true, "PK\x01\x02": false} {
			if got, err := fewZipParts(strings.NewReader(data + extra)); err != nil || got != want {
				t.Errorf("shift %d, %q: %v, %v", shift, extra, got, err)
			}
		}
	}
}

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		slot      Slot
		mime, ext string
		want      bool
	}{
		{Avatar, PNG, ".png", true}, {Avatar, JPEG, "JPG", true}, {Avatar, JPEG, ".jpeg", true}, {Image, WebP, "webp", true}, {Image, GIF, "gif", true},
		{Document, PDF, ".PDF", true}, {Document, DOC, "doc", true}, {Document, DOCX, "docx", true},
		{Avatar, PNG, ".jpg", false}, {Avatar, PNG, "", false}, {Avatar, PDF, "pdf", false}, {Document, PNG, "png", false},
		{Document, PDF, "html", false}, {Document, DOCX, "docm", false}, {Document, DOC, "docx", false}, {"other", PNG, "png", false},
		{Image, "image/svg+xml", "svg", false}, {Document, Unknown, "pdf", false}, {Document, PDF, "pdf.exe", false}, {Document, PDF, "..pdf", false},
	} {
		if got := Allowed(c.slot, c.mime, c.ext); got != c.want {
			t.Errorf("Allowed(%s, %s, %s) = %v", c.slot, c.mime, c.ext, got)
		}
	}
}

func FuzzDetect(f *testing.F) {
	f.Add([]byte("%PDF-1.4\n%%EOF"))
	f.Add([]byte(zipped(f, "[Content_Types].xml", "word/document.xml")))
	f.Add([]byte(compound("WordDocument")))
	f.Add([]byte(webp))
	f.Add([]byte(encoded(f, func(w io.Writer) error { return png.Encode(w, picture()) })))
	f.Fuzz(func(t *testing.T, data []byte) {
		mime, ext, err := Detect(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if mime == Unknown && ext != "" {
			t.Fatalf("unknown with the ending %s", ext)
		}
		if Allowed(Document, mime, ext) && bytes.HasPrefix(data, []byte("<")) {
			t.Fatalf("markup as %s", mime)
		}
	})
}
