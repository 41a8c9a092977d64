package xlsx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

var (
	// ErrTooLarge says that a workbook is larger than the limits allow, packed,
	// unpacked or in what it would cost to read.
	ErrTooLarge = errors.New("xlsx: too large")
	// ErrNotXLSX says that the data is no readable workbook.
	ErrNotXLSX = errors.New("xlsx: not a workbook")
	// ErrTooManyRows says that the sheet has more rows than allowed.
	ErrTooManyRows = errors.New("xlsx: too many rows")
)

// Limits bound what Read accepts. A zero field takes the default.
type Limits struct {
	MaxInput   int64 // bytes of the file; 10 MB
	MaxOutput  int64 // bytes unpacked, and bytes of text returned; 64 MB
	MaxRatio   int64 // unpacked to packed, of any large part; 100
	MaxRows    int   // rows including the header; 100 000
	MaxColumns int   // columns of any row; 256
}

func (l Limits) withDefaults() Limits {
	if l.MaxInput <= 0 {
		l.MaxInput = 10 << 20
	}
	if l.MaxOutput <= 0 {
		l.MaxOutput = 64 << 20
	}
	if l.MaxRatio <= 0 {
		l.MaxRatio = 100
	}
	if l.MaxRows <= 0 {
		l.MaxRows = 100_000
	}
	if l.MaxColumns <= 0 {
		l.MaxColumns = 256
	}
	return l
}

// readers bounds the workbooks held unpacked at once.
var readers = make(chan struct{}, 2)

// maxReadTime ends the reading of a workbook built to be slow.
const maxReadTime = 30 * time.Second

// Read returns the cells of the first sheet as text, the way a reader sees
// them: dates year first, long numbers in full, formulas as their
// stored result. Blanks around the text and control characters are removed;
// rows are as long as their last filled cell, empty rows at the end are
// dropped, those in between stay so that row numbers match.
//
// The archive is judged before it is unpacked; see Limits. Errors wrap
// ErrTooLarge, ErrTooManyRows, ErrNotXLSX or the error of r.
func Read(r io.Reader, lim Limits) ([][]string, error) {
	lim = lim.withDefaults()
	data, err := io.ReadAll(io.LimitReader(r, lim.MaxInput+1))
	if err != nil {
		return nil, fmt.Errorf("xlsx: reading: %w", err)
	}
	if int64(len(data)) > lim.MaxInput {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, lim.MaxInput)
	}
	if !bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		return nil, ErrNotXLSX
	}
	readers <- struct{}{}
	defer func() { <-readers }()
	if err := inspect(data, lim); err != nil {
		return nil, err
	}
	return parse(data, lim)
}

// parse reads a workbook that inspect has passed. The library indexes by
// numbers it finds in the file; a panic is the file's fault, not ours.
func parse(data []byte, lim Limits) (rows [][]string, err error) {
	defer func() {
		if p := recover(); p != nil {
			rows, err = nil, fmt.Errorf("%w: %v", ErrNotXLSX, p)
		}
	}()
	file, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{
		UnzipSizeLimit: lim.MaxOutput, UnzipXMLSizeLimit: lim.MaxOutput,
		ShortDatePattern: "yyyy-mm-dd", LongDatePattern: "yyyy-mm-dd", LongTimePattern: "hh:mm:ss",
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotXLSX, err)
	}
	defer file.Close()
	// The counters of inspect look at bytes: other encodings would pass by them.
	file.CharsetTranscoder(func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("encoding %q", charset)
	})
	sheets := file.GetSheetList()
	if len(sheets) == 0 {
		return nil, fmt.Errorf("%w: no sheet", ErrNotXLSX)
	}
	it, err := file.Rows(sheets[0])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotXLSX, err)
	}
	defer it.Close()
	return collect(it, lim)
}

func collect(it *excelize.Rows, lim Limits) ([][]string, error) {
	var rows [][]string
	filled, size := 0, int64(0)
	deadline := time.Now().Add(maxReadTime)
	for it.Next() {
		cells, err := it.Columns()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNotXLSX, err)
		}
		cells = clean(cells)
		for _, c := range cells {
			size += int64(len(c))
		}
		switch {
		case len(cells) > lim.MaxColumns:
			return nil, fmt.Errorf("%w: %d columns", ErrTooLarge, len(cells))
		case size > lim.MaxOutput || time.Now().After(deadline):
			return nil, fmt.Errorf("%w: text", ErrTooLarge)
		}
		// Blank rows below the data are common (formatted, never filled) and
		// cost nothing; they count only once something follows them.
		if rows = append(rows, cells); len(cells) > 0 {
			filled = len(rows)
		}
		if filled > lim.MaxRows {
			return nil, fmt.Errorf("%w: more than %d", ErrTooManyRows, lim.MaxRows)
		}
		if len(rows) > excelize.TotalRows {
			return nil, fmt.Errorf("%w: beyond the format", ErrTooManyRows)
		}
	}
	return rows[:filled:filled], nil
}

// clean trims the texts of a row and cuts the empty cells at its end.
func clean(cells []string) []string {
	last := 0
	for i, c := range cells {
		if cells[i] = strings.TrimSpace(text(c)); cells[i] != "" {
			last = i + 1
		}
	}
	return cells[:last]
}
