package blob

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	_ "image/gif" // decoders of the picture formats Detect vouches for
	_ "image/jpeg"
	_ "image/png"
	"io"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"
	_ "golang.org/x/image/webp"
)

// Types Detect vouches for beyond the magic number.
const (
	PNG  = "image/png"
	JPEG = "image/jpeg"
	WebP = "image/webp"
	GIF  = "image/gif"
	PDF  = "application/pdf"
	DOC  = "application/msword"
	DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

	// Unknown is the type of everything that is not what it pretends to be.
	Unknown = "application/octet-stream"
)

// Slot is a use of uploads with its own list of types.
type Slot string

// The slots of the product. SVG is in none: it is a program.
const (
	Avatar   Slot = "avatar"
	Image    Slot = "image"
	Document Slot = "document"
)

// slots maps each slot to its types and the file name endings of each.
var slots = map[Slot]map[string][]string{
	Avatar:   pictures,
	Image:    pictures,
	Document: {PDF: {"pdf"}, DOC: {"doc"}, DOCX: {"docx"}},
}

var pictures = map[string][]string{
	PNG: {"png"}, JPEG: {"jpg", "jpeg"}, WebP: {"webp"}, GIF: {"gif"},
}

// Allowed tells whether a slot takes a file of the type Detect found in it,
// under the ending of the name the user gave it: both must agree, since
// whoever downloads the file goes by the ending. The dot and case of ext do
// not matter.
func Allowed(slot Slot, mime, ext string) bool {
	return slices.Contains(slots[slot][mime], strings.ToLower(strings.TrimPrefix(ext, ".")))
}

const (
	headSize     = 3072 // what the magic numbers need
	pdfHeadSize  = 1024 // a PDF header may be preceded by this much
	pdfTailSize  = 2048 // and its end be followed by about this
	maxPixels    = 50_000_000
	maxZipParts  = 10_000
	oleEntrySize = 128
)

// Detect judges a file by its content, never by its name, and returns its type
// and the usual ending with the dot. For pictures, PDF and Word files it looks
// further than the first bytes, and calls them Unknown when they are only
// dressed up. It reads r from its start and leaves the position undefined; the
// error is that of r.
func Detect(r io.ReadSeeker) (mime, ext string, err error) {
	if _, err = r.Seek(0, io.SeekStart); err != nil {
		return "", "", err
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", "", err
	}
	head = head[:n]
	ok := true
	found := mimetype.Detect(head)
	mime, _, _ = strings.Cut(found.String(), ";")
	ext = found.Extension()
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		if word, err := isWordArchive(r); err != nil || word {
			return DOCX, ".docx", err
		}
		ok = mime != DOCX
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		word, err := isWordCompound(r)
		if err != nil || word {
			return DOC, ".doc", err
		}
		ok = mime != DOC
	case mime == PNG || mime == JPEG || mime == GIF || mime == WebP:
		ok, err = isPicture(r)
		if err != nil {
			return "", "", err
		}
	default:
		// a header after a prefix is not seen by the magic number
		pdf, err := isPDF(r, head)
		if err != nil || pdf {
			return PDF, ".pdf", err
		}
		ok = mime != PDF
	}
	if !ok {
		return Unknown, "", nil
	}
	return mime, ext, nil
}

// isPicture reads the header and refuses sizes that would exhaust whoever
// shows the picture.
func isPicture(r io.ReadSeeker) (bool, error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	c, _, err := image.DecodeConfig(r)
	return err == nil && c.Width > 0 && c.Height > 0 && c.Width <= maxPixels/c.Height, nil
}

// isPDF wants the header near the start, the end mark near the end, and nothing
// before the header that another program would take for its own: a page of HTML
// that mentions %PDF- is a page of HTML.
func isPDF(r io.ReadSeeker, head []byte) (bool, error) {
	at := bytes.Index(head[:min(len(head), pdfHeadSize+5)], []byte("%PDF-"))
	if at < 0 || bytes.ContainsAny(head[:at], "<{") {
		return false, nil
	}
	if at > 0 {
		if before := mimetype.Detect(head[:at]); !before.Is("text/plain") && !before.Is(Unknown) {
			return false, nil
		}
	}
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return false, err
	}
	if _, err = r.Seek(max(0, size-pdfTailSize), io.SeekStart); err != nil {
		return false, err
	}
	tail, err := io.ReadAll(io.LimitReader(r, pdfTailSize))
	return bytes.Contains(tail, []byte("%%EOF")), err
}

// isWordArchive looks into the directory of a zip. A document with macros is
// not a docx.
func isWordArchive(r io.ReadSeeker) (bool, error) {
	if few, err := fewZipParts(r); err != nil || !few {
		return false, err
	}
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return false, err
	}
	archive, err := zip.NewReader(&readerAt{r}, size)
	if err != nil {
		return false, nil // a broken archive is an answer, not a failure
	}
	var document, types bool
	for _, f := range archive.File {
		switch name := strings.ToLower(f.Name); {
		case name == "word/document.xml":
			document = true
		case name == "[content_types].xml":
			types = true
		case strings.HasSuffix(name, "vbaproject.bin"):
			return false, nil
		}
	}
	return document && types, nil
}

// fewZipParts counts the signatures of directory entries, because the zip
// reader builds an object for each before anyone can look at their number.
func fewZipParts(r io.ReadSeeker) (bool, error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	signature := []byte("PK\x01\x02")
	buf := make([]byte, 64<<10)
	keep, parts := 0, 0 // the last bytes may begin a signature
	for {
		n, err := io.ReadFull(r, buf[keep:])
		n += keep
		parts += bytes.Count(buf[:n], signature)
		keep = min(n, len(signature)-1)
		copy(buf, buf[n-keep:n])
		if parts > maxZipParts {
			return false, nil
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// readerAt serves the zip reader from a seeker; it is used by one goroutine.
type readerAt struct{ r io.ReadSeeker }

func (a *readerAt) ReadAt(p []byte, off int64) (int, error) {
	if _, err := a.r.Seek(off, io.SeekStart); err != nil {
		return 0, fmt.Errorf("blob: %w", err)
	}
	n, err := io.ReadFull(a.r, p)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

// wordStream is the name of the stream every Word document of the old format
// holds, as its directory entry has it.
var wordStream = func() []byte {
	b := make([]byte, 64)
	for i, c := range "WordDocument" {
		binary.LittleEndian.PutUint16(b[2*i:], uint16(c))
	}
	// length of the name with its end in bytes, then type 2: a stream
	return append(b, 2*(12+1), 0, 2)
}()

// isWordCompound looks for that entry. Entries are 128 bytes and lie on
// multiples of it, so that no chain of sectors has to be trusted.
func isWordCompound(r io.ReadSeeker) (bool, error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	buf := make([]byte, 512*oleEntrySize)
	for {
		n, err := io.ReadFull(r, buf)
		for at := 0; at+oleEntrySize <= n; at += oleEntrySize {
			if bytes.HasPrefix(buf[at:], wordStream) {
				return true, nil
			}
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}
