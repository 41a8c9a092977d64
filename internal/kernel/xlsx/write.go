package xlsx

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// MIME is the content type of a workbook.
const MIME = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// ErrClosed says that a Writer was used after Close or Abort.
var ErrClosed = errors.New("xlsx: writer is closed")

// Writer writes one sheet row by row. It is not for concurrent use. Every
// Writer must be ended by Close or Abort, which remove its temporary file;
// calling Abort after Close is harmless, so `defer w.Abort()` is the habit.
type Writer struct {
	out    io.Writer
	file   *excelize.File
	stream *excelize.StreamWriter
	row    int
	limit  int
	err    error // the first failure, or ErrClosed; later calls repeat it
}

// NewWriter starts a workbook with a bold, frozen first row of headers. Nothing
// reaches w before Close. Characters a sheet name cannot hold are replaced.
func NewWriter(w io.Writer, sheet string, headers []string) (out *Writer, err error) {
	file, name, bold, err := workbook(sheet)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	stream, err := file.NewStreamWriter(name)
	if err != nil {
		return nil, err
	}
	cells := make([]any, len(headers))
	for i, h := range headers {
		cells[i] = text(h)
		if err = stream.SetColWidth(i+1, i+1, width(h)); err != nil {
			return nil, err
		}
	}
	if err = stream.SetPanes(frozen()); err != nil {
		return nil, err
	}
	if err = stream.SetRow("A1", cells, excelize.RowOpts{StyleID: bold}); err != nil {
		return nil, err
	}
	return &Writer{out: w, file: file, stream: stream, row: 1, limit: excelize.TotalRows}, nil
}

// workbook starts a file with one sheet and the style of its header row.
func workbook(sheet string) (file *excelize.File, name string, bold int, err error) {
	file, name = excelize.NewFile(), sheetName(sheet)
	if err = file.SetSheetName("Sheet1", name); err == nil {
		bold, err = file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	}
	if err != nil {
		return nil, "", 0, errors.Join(err, file.Close())
	}
	return file, name, bold, nil
}

// frozen keeps the header row in view.
func frozen() *excelize.Panes {
	return &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}
}

// Row appends one row. Times become yyyy-MM-dd HH:mm:ss in Zone, integers a
// spreadsheet would round become text, nil stays empty; see Text.
func (w *Writer) Row(values []any) error {
	if w.err != nil {
		return w.err
	}
	if w.row >= w.limit {
		w.err = fmt.Errorf("%w: a sheet holds %d", ErrTooManyRows, w.limit)
		return w.err
	}
	w.row++
	cells := make([]any, len(values))
	for i, v := range values {
		cells[i] = cell(v)
	}
	w.err = w.stream.SetRow(fmt.Sprintf("A%d", w.row), cells)
	return w.err
}

// Close finishes the workbook and writes it out. After an error of Row it
// writes nothing and returns that error.
func (w *Writer) Close() error {
	if errors.Is(w.err, ErrClosed) {
		return w.err
	}
	err := w.err
	if err == nil {
		err = w.stream.Flush()
	}
	if err == nil {
		_, err = w.file.WriteTo(w.out)
	}
	return errors.Join(err, w.release())
}

// Abort drops the workbook without writing it.
func (w *Writer) Abort() {
	if !errors.Is(w.err, ErrClosed) {
		_ = w.release()
	}
}

func (w *Writer) release() error {
	w.err = ErrClosed
	return w.file.Close()
}

// sheetName fits a name to the rules of the format: 1 to 31 characters, none
// of : \ / ? * [ ], no quote at either end.
func sheetName(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]`, r) {
			return '_'
		}
		return r
	}, strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(text(s)))
	for utf8.RuneCountInString(s) > 31 || len(utf16Units(s)) > 31 {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	if s = strings.TrimSpace(strings.Trim(s, "'")); s == "" {
		return "Sheet1"
	}
	return s
}
