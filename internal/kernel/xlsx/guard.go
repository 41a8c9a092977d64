package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Markup budgets. The library that reads the workbook turns some parts into
// trees of objects far larger than their text, and rebuilds text with escapes
// in quadratic time; these bounds keep both small. They are far above what a
// spreadsheet of the permitted size holds.
const (
	maxParts         = 2000
	maxStringMarkup  = 2_000_000 // "<" in the shared strings: about 500 000 texts
	maxOtherMarkup   = 200_000   // "<" in styles, relations and the like
	maxTextRun       = 256 << 10 // bytes between two "<": a cell is 32 767 characters
	maxEscapesPerRun = 64        // "_x" in one such run, as in _x000D_
	ratioFloor       = 1 << 20   // parts smaller than this may compress as they like
)

// inspect walks the directory of the archive, then unpacks every part into
// nothing, counting. It allocates a fixed buffer, whatever the archive claims.
func inspect(data []byte, lim Limits) error {
	// The zip reader builds an object for every directory entry before anyone can
	// look at their number; their signature is counted first.
	if n := bytes.Count(data, []byte("PK\x01\x02")); n > 2*maxParts {
		return fmt.Errorf("%w: %d parts", ErrTooLarge, n)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotXLSX, err)
	}
	if err := inspectDirectory(archive, lim, int64(len(data))); err != nil {
		return err
	}
	total := int64(0)
	for _, part := range archive.File {
		n, err := inspectPart(part, lim.MaxOutput-total)
		if err != nil {
			return err
		}
		total += n
	}
	return nil
}

// inspectDirectory judges what the archive declares.
func inspectDirectory(archive *zip.Reader, lim Limits, size int64) error {
	if len(archive.File) > maxParts {
		return fmt.Errorf("%w: %d parts", ErrTooLarge, len(archive.File))
	}
	var total uint64
	names := map[string]bool{}
	for _, part := range archive.File {
		unpacked, packed := part.UncompressedSize64, max(part.CompressedSize64, 1)
		// each on its own, so that the sum cannot wrap around
		if unpacked > uint64(lim.MaxOutput) || packed > uint64(size) {
			return fmt.Errorf("%w: part of %d bytes", ErrTooLarge, unpacked)
		}
		if total += unpacked; total > uint64(lim.MaxOutput) {
			return fmt.Errorf("%w: unpacks to more than %d bytes", ErrTooLarge, lim.MaxOutput)
		}
		if unpacked > ratioFloor && unpacked/packed > uint64(lim.MaxRatio) {
			return fmt.Errorf("%w: compressed %d to 1", ErrTooLarge, unpacked/packed)
		}
		name := strings.ToLower(strings.ReplaceAll(part.Name, `\`, "/"))
		if names[name] {
			return fmt.Errorf("%w: part %q twice", ErrNotXLSX, part.Name)
		}
		names[name] = true
	}
	if !names["[content_types].xml"] || !names["xl/workbook.xml"] {
		return fmt.Errorf("%w: no workbook inside", ErrNotXLSX)
	}
	return nil
}

// inspectPart unpacks one part, at most limit bytes.
func inspectPart(part *zip.File, limit int64) (int64, error) {
	r, err := part.Open()
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrNotXLSX, err)
	}
	defer r.Close()
	n, err := io.Copy(budget(part.Name), io.LimitReader(r, limit+1))
	switch {
	case errors.Is(err, ErrTooLarge):
		return n, err
	case err != nil:
		// among others: more bytes than the directory declares
		return n, fmt.Errorf("%w: %w", ErrNotXLSX, err)
	case n > limit:
		return n, fmt.Errorf("%w: unpacks beyond the limit", ErrTooLarge)
	}
	return n, nil
}

// binaryParts are folders of pictures and embedded files. Their bytes may hold
// any amount of "<" or none; escapes are counted even there, because a relation
// could pass such a part off as a sheet.
var binaryParts = []string{"xl/media/", "xl/embeddings/", "xl/printersettings/", "docprops/thumbnail"}

// budget returns the counter for a part.
func budget(name string) io.Writer {
	name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	c := &markupCounter{left: maxOtherMarkup, maxRun: maxTextRun}
	switch {
	case strings.HasPrefix(name, "xl/worksheets/sheet"):
		c.left = math.MaxInt
	case name == "xl/sharedstrings.xml":
		c.left = maxStringMarkup
	case slices.ContainsFunc(binaryParts, func(p string) bool { return strings.HasPrefix(name, p) }):
		c.left, c.maxRun = math.MaxInt, math.MaxInt
	}
	return c
}

// markupCounter counts tags, the bytes between them and escapes among those.
type markupCounter struct {
	left    int
	maxRun  int
	run     int
	escapes int
	last    byte
}

func (c *markupCounter) Write(p []byte) (int, error) {
	for i, b := range p {
		switch {
		case b == '<':
			c.left--
			c.run, c.escapes = 0, 0
		case b == 'x' && c.last == '_':
			c.escapes++
			c.run++
		default:
			c.run++
		}
		c.last = b
		if c.left < 0 || c.run > c.maxRun || c.escapes > maxEscapesPerRun {
			return i, fmt.Errorf("%w: markup", ErrTooLarge)
		}
	}
	return len(p), nil
}
