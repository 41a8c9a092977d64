package juel

import (
	"errors"
	"fmt"
)

// SyntaxError says why a source is refused. Column counts characters from 1.
type SyntaxError struct {
	Column   int
	Reason   string
	ReasonEn string
}

// Error implements error in Chinese, the language of the logs.
func (e *SyntaxError) Error() string { return e.Text("zh") }

// Text gives the message in "zh" or "en".
func (e *SyntaxError) Text(lang string) string { return text(lang, e.Column, e.Reason, e.ReasonEn) }

// EvalError says why an expression has no value. Column is where the refused
// operation stands in the source; Cause is the error of a called bean.
type EvalError struct {
	Column   int
	Reason   string
	ReasonEn string
	Cause    error
}

// Error implements error in Chinese, the language of the logs.
func (e *EvalError) Error() string { return e.Text("zh") }

// Text gives the message in "zh" or "en".
func (e *EvalError) Text(lang string) string { return text(lang, e.Column, e.Reason, e.ReasonEn) }

// Unwrap gives the error of the called bean.
func (e *EvalError) Unwrap() error { return e.Cause }

func text(lang string, column int, zh, en string) string {
	if lang == "en" && en != "" {
		return fmt.Sprintf("column %d: %s", column, en)
	}
	return fmt.Sprintf("第 %d 个字符：%s", column, zh)
}

// refusal is an error of a value operation, which does not know its place yet.
type refusal struct{ zh, en string }

func (e *refusal) Error() string { return e.zh }

// refuse makes a refusal; both texts take the same arguments.
func refuse(zh, en string, args ...any) error {
	return &refusal{fmt.Sprintf(zh, args...), fmt.Sprintf(en, args...)}
}

// typed is refuse whose first argument is the type of v.
func typed(zh, en string, v any, more ...any) error {
	typeZh, typeEn := typeName(v)
	return &refusal{fmt.Sprintf(zh, append([]any{typeZh}, more...)...), fmt.Sprintf(en, append([]any{typeEn}, more...)...)}
}

// at places an error in the source; an inner place wins.
func at(column int, err error) error {
	if err == nil {
		return nil
	}
	return place(column, err)
}

func place(column int, err error) error {
	var placed *EvalError
	if errors.As(err, &placed) {
		return err
	}
	var r *refusal
	if errors.As(err, &r) {
		return &EvalError{Column: column, Reason: r.zh, ReasonEn: r.en}
	}
	return &EvalError{Column: column, Reason: err.Error(), ReasonEn: err.Error(), Cause: err}
}
