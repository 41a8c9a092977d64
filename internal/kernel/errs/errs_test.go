package errs

import (
	"errors"
	"fmt"
	"testing"
	"unicode"
)

// Every declared code has a text in both languages.
func TestCodes(t *testing.T) {
	for _, c := range Codes() {
		han := false
		for _, r := range c.Zh {
			han = han || unicode.Is(unicode.Han, r)
		}
		if !han || c.En == "" || c.Kind < Invalid || c.Kind > Internal {
			t.Errorf("code %d: %+v", c.Num, c)
		}
	}
}

func TestDefine_refusesASecondMeaning(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a code was defined twice")
		}
	}()
	Define(CodeInvalid, Invalid, "又", "again")
}

func TestError(t *testing.T) {
	cause := errors.New("disk")
	err := fmt.Errorf("save: %w", ErrTooLarge.With("1 MB").Because(cause))
	if !Is(err, ErrTooLarge) || Is(err, ErrLimit) || !errors.Is(err, cause) || !errors.Is(err, ErrTooLarge.With()) {
		t.Errorf("%v", err)
	}
	var e *Error
	if !errors.As(err, &e) || e.Text("en") != "The request is too large; the limit is 1 MB" || e.Text("zh") != "请求内容过大，上限 1 MB" {
		t.Errorf("%v", e)
	}
}

func TestField(t *testing.T) {
	e := Field("name", "不能为空", "is required")
	if e.Text("zh") != "请求参数不正确：不能为空" || e.Text("en") != "Invalid request: is required" || e.Fields[0].In("en").Msg != "is required" || e.Fields[0].In("zh").Msg != "不能为空" {
		t.Errorf("%+v", e)
	}
	if Fields(nil) != nil {
		t.Error("no refused field is no error")
	}
	if one := Field("name", "不能为空"); one.Text("en") != "Invalid request: 不能为空" {
		t.Errorf("%s", one.Text("en"))
	}
}
