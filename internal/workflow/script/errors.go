package script

import (
	"context"
	"errors"
	"fmt"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// Error says why a script was refused or failed, and where; Line is 0 when there is
// no place in the source.
type Error struct {
	Line     int
	Column   int
	Reason   string
	ReasonEn string
	Cause    error
}

// Error implements error in Chinese, the language of the logs.
func (e *Error) Error() string { return e.Text("zh") }

// Text gives the message in "zh" or "en".
func (e *Error) Text(lang string) string {
	switch {
	case lang == "en" && e.Line > 0:
		return fmt.Sprintf("script line %d column %d: %s", e.Line, e.Column, e.ReasonEn)
	case lang == "en":
		return "script: " + e.ReasonEn
	case e.Line > 0:
		return fmt.Sprintf("脚本第 %d 行第 %d 列：%s", e.Line, e.Column, e.Reason)
	}
	return "脚本：" + e.Reason
}

// Unwrap gives one of the Err values, or what the interpreter reported.
func (e *Error) Unwrap() error { return e.Cause }

// What an Error may wrap when the script itself is not to blame, or not alone.
var (
	ErrBusy   = errors.New("script: no place among the running scripts")
	ErrStuck  = errors.New("script: a built-in did not stop in time")
	ErrTime   = errors.New("script: time is up")
	ErrMemory = errors.New("script: too much memory")
)

func fault(cause error, zh, en string, args ...any) *Error {
	return &Error{Reason: fmt.Sprintf(zh, args...), ReasonEn: fmt.Sprintf(en, args...), Cause: cause}
}

// explain turns an error of the interpreter into an *Error.
func explain(err error) error {
	var own *Error
	var list parser.ErrorList
	var syntax *goja.CompilerSyntaxError
	var interrupted *goja.InterruptedError
	var overflow *goja.StackOverflowError
	var thrown *goja.Exception
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case errors.As(err, &list) && len(list) > 0:
		return placed(list[0].Position.Line, list[0].Position.Column, list[0].Message, err)
	case errors.As(err, &syntax):
		if syntax.File == nil {
			return placed(0, 0, syntax.Message, err)
		}
		at := syntax.File.Position(syntax.Offset)
		return placed(at.Line, at.Column, syntax.Message, err)
	case errors.As(err, &interrupted):
		cause, _ := interrupted.Value().(error)
		return interruption(cause)
	case errors.As(err, &overflow):
		return fault(err, "函数调用超过 %d 层，请检查是否无限递归", "more than %d nested calls; is the recursion endless?", maxCalls)
	case errors.As(err, &thrown):
		return exception(thrown)
	}
	return fault(err, "%v", "%v", err)
}

func placed(line, column int, message string, cause error) *Error {
	return &Error{Line: line, Column: column, Reason: message, ReasonEn: message, Cause: cause}
}

// exception places what the script threw at the innermost frame of its own source.
func exception(thrown *goja.Exception) *Error {
	message := "?"
	if v := thrown.Value(); v != nil {
		message = v.String()
	}
	e := fault(thrown, "抛出异常 %s", "threw %s", brief(message))
	for _, frame := range thrown.Stack() {
		if at := frame.Position(); frame.SrcName() == sourceName && at.Line > 0 {
			e.Line, e.Column = at.Line, at.Column
			break
		}
	}
	return e
}

func brief(s string) string {
	if r := []rune(s); len(r) > 300 {
		return string(r[:300]) + "…"
	}
	return s
}

func interruption(cause error) *Error {
	switch {
	case errors.Is(cause, ErrTime):
		return fault(cause, "运行超时，已中止；请检查是否死循环，或改为异步执行", "stopped, time is up; look for an endless loop or run it asynchronously")
	case errors.Is(cause, ErrMemory):
		return fault(cause, "占用内存过多，已中止", "stopped, it used too much memory")
	case errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded):
		return fault(cause, "请求已取消，脚本已中止", "stopped, the request was cancelled")
	}
	return fault(cause, "已中止", "stopped")
}
