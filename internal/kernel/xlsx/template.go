package xlsx

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"
)

// Column describes one column of an import template.
type Column struct {
	Header  string
	Note    string   // shown beside the cell while it is being filled in
	Options []string // the allowed values, offered as a drop-down list
	Example any      // shown in the second row
	Text    bool     // numbers typed into the column stay text (student numbers)
}

// templateRows is how far down lists and notes reach.
const templateRows = 5001

// optionsSheet holds the drop-down values. A list written into the rule itself
// may not exceed 255 characters nor contain a comma.
const optionsSheet = "选项"

// WriteTemplate writes an empty workbook for filling in: headers, an example
// row, drop-down lists and notes.
func WriteTemplate(w io.Writer, sheet string, columns []Column) (err error) {
	file, name, bold, err := workbook(sheet)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	for i, c := range columns {
		if err = writeColumn(file, name, i+1, c); err != nil {
			return err
		}
	}
	if err = file.SetRowStyle(name, 1, 1, bold); err != nil {
		return err
	}
	if err = file.SetPanes(name, frozen()); err != nil {
		return err
	}
	_, err = file.WriteTo(w)
	return err
}

// writeColumn writes header, example, list and note of one column.
func writeColumn(file *excelize.File, sheet string, col int, c Column) error {
	letter, err := excelize.ColumnNumberToName(col)
	if err != nil {
		return err
	}
	if err = file.SetColWidth(sheet, letter, letter, width(c.Header)); err != nil {
		return err
	}
	if c.Text {
		const asText = 49 // the built-in format "@"
		style, err := file.NewStyle(&excelize.Style{NumFmt: asText})
		if err != nil {
			return err
		}
		if err = file.SetColStyle(sheet, letter, style); err != nil {
			return err
		}
	}
	if err = file.SetCellStr(sheet, letter+"1", text(c.Header)); err != nil {
		return err
	}
	example := cell(c.Example)
	if c.Text {
		example = asText(c.Example)
	}
	if err = file.SetCellValue(sheet, letter+"2", example); err != nil {
		return err
	}
	return addRule(file, sheet, letter, c)
}

// addRule attaches the drop-down list and the note of a column.
func addRule(file *excelize.File, sheet, letter string, c Column) error {
	if len(c.Options) == 0 && c.Note == "" {
		return nil
	}
	rule := excelize.NewDataValidation(true)
	rule.SetSqref(fmt.Sprintf("%s2:%s%d", letter, letter, templateRows))
	if c.Note != "" {
		rule.SetInput(clip(c.Header, 32), clip(c.Note, 255))
	}
	if len(c.Options) > 0 {
		if err := listOptions(file, letter, c.Options); err != nil {
			return err
		}
		rule.SetSqrefDropList(fmt.Sprintf("'%s'!$%s$1:$%s$%d", optionsSheet, letter, letter, len(c.Options)))
		rule.SetError(excelize.DataValidationErrorStyleStop, clip(c.Header, 32), "请从列表中选择 / Please choose from the list")
	}
	return file.AddDataValidation(sheet, rule)
}

func listOptions(file *excelize.File, letter string, options []string) error {
	if _, err := file.NewSheet(optionsSheet); err != nil {
		return err
	}
	for i, o := range options {
		if err := file.SetCellStr(optionsSheet, fmt.Sprintf("%s%d", letter, i+1), text(o)); err != nil {
			return err
		}
	}
	return file.SetSheetVisible(optionsSheet, false)
}

func utf16Units(s string) []uint16 { return utf16.Encode([]rune(s)) }

// clip cuts s to n UTF-16 units, the measure of the format.
func clip(s string, n int) string {
	runes := []rune(text(s))
	for len(utf16.Encode(runes)) > n {
		runes = runes[:len(runes)-1]
	}
	return string(runes)
}
