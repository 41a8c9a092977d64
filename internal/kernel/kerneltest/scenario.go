package kerneltest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/web"
)

// The markers that the seed of each tenant carries in its texts.
const (
	MarkerA = "⟦A⟧"
	MarkerB = "⟦B⟧"
)

// Scenario is one call and what must come of it.
type Scenario struct {
	Name   string
	Method string // GET when empty
	URL    string // with or without /admin-api
	// Body is sent as it is when it is a string, as JSON otherwise.
	Body    any
	As      string // token; empty is anonymous
	Headers map[string]string
	// Lang is zh or en. Left empty, reading calls run in both and others in Chinese.
	Lang string
	// Status is the HTTP status; 0 means 200.
	Status   int
	Code     int // of the envelope; 0 is success
	Contains []string
	Absent   []string
	// Foreign is the marker that may not appear; MarkerB when empty.
	Foreign string
	Check   func(t *testing.T, a Answer)
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Raw    []byte
	Code   int
	Msg    string
	Data   json.RawMessage
	Fields []errs.FieldError
}

// Decode reads the data member.
func (a Answer) Decode(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(a.Data, v); err != nil {
		t.Fatalf("data %s: %v", a.Data, err)
	}
}

// Run runs scenarios in order against a handler.
func Run(t *testing.T, h http.Handler, list ...Scenario) {
	t.Helper()
	for _, s := range list {
		name := s.Name
		if name == "" {
			name = s.method() + " " + s.URL
		}
		t.Run(name, func(t *testing.T) { s.Run(t, h) })
	}
}

// Run runs one scenario and gives its last answer.
func (s Scenario) Run(t *testing.T, h http.Handler) Answer {
	t.Helper()
	langs := []string{"zh"}
	if s.Lang != "" {
		langs = []string{s.Lang}
	} else if s.method() == http.MethodGet {
		langs = []string{"en", "zh"}
	}
	var a Answer
	for _, lang := range langs {
		a = s.call(t, h, lang)
		s.check(t, a, lang)
	}
	return a
}

func (s Scenario) method() string {
	if s.Method == "" {
		return http.MethodGet
	}
	return s.Method
}

// Request makes the HTTP request of the scenario.
func (s Scenario) Request(t testing.TB, lang string) *http.Request {
	t.Helper()
	url := s.URL
	if !strings.HasPrefix(url, web.Prefix) {
		url = web.Prefix + url
	}
	var body []byte
	switch b := s.Body.(type) {
	case nil:
	case string:
		body = []byte(b)
	default:
		var err error
		if body, err = json.Marshal(b); err != nil {
			t.Fatal(err)
		}
	}
	r := httptest.NewRequest(s.method(), url, bytes.NewReader(body))
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept-Language", map[string]string{"zh": "zh-CN", "en": "en-US"}[lang])
	if s.As != "" {
		r.Header.Set("Authorization", "Bearer "+s.As)
	}
	for k, v := range s.Headers {
		r.Header.Set(k, v)
	}
	return r
}

func (s Scenario) call(t testing.TB, h http.Handler, lang string) Answer {
	t.Helper()
	return answer(h, s.Request(t, lang))
}

func answer(h http.Handler, r *http.Request) Answer {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	a := Answer{Status: w.Code, Header: w.Header(), Raw: w.Body.Bytes(), Code: -1}
	var e struct {
		Code   *int
		Msg    string
		Data   json.RawMessage
		Fields []errs.FieldError
	}
	if json.Unmarshal(a.Raw, &e) == nil && e.Code != nil {
		a.Code, a.Msg, a.Data, a.Fields = *e.Code, e.Msg, e.Data, e.Fields
	}
	return a
}

// Call makes the call once and gives the answer unchecked; for storms and the like.
func (s Scenario) Call(t testing.TB, h http.Handler) Answer {
	t.Helper()
	lang := s.Lang
	if lang == "" {
		lang = "zh"
	}
	return s.call(t, h, lang)
}

func (s Scenario) check(t *testing.T, a Answer, lang string) {
	t.Helper()
	status := s.Status
	if status == 0 {
		status = http.StatusOK
	}
	text := string(a.Raw)
	if a.Status != status || a.Code != s.Code && !(a.Code == -1 && s.Code == 0) {
		t.Fatalf("%s: status %d, code %d, want %d, %d: %.600s", lang, a.Status, a.Code, status, s.Code, text)
	}
	for _, want := range s.Contains {
		if !strings.Contains(text, want) {
			t.Errorf("%s: %q is missing in %.2000s", lang, want, text)
		}
	}
	foreign := s.Foreign
	if foreign == "" {
		foreign = MarkerB
	}
	for _, not := range append([]string{foreign}, s.Absent...) {
		if strings.Contains(text, not) {
			t.Errorf("%s: %q may not appear in %.2000s", lang, not, text)
		}
	}
	if s.Code > 0 {
		checkMessage(t, a.Msg, lang)
	}
	if s.Check != nil {
		s.Check(t, a)
	}
}

// checkMessage: every refusal is explained in the language of the reader.
func checkMessage(t *testing.T, msg, lang string) {
	t.Helper()
	chinese := strings.ContainsFunc(msg, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	if msg == "" || chinese != (lang == "zh") {
		t.Errorf("message in %s: %q", lang, msg)
	}
}

// Tripwire wraps a handler so that any answer that carries the marker fails the test;
// put it around the app of a tenant whose own seed lacks the marker.
func Tripwire(t testing.TB, h http.Handler, marker string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := httptest.NewRecorder()
		h.ServeHTTP(out, r)
		NoMarker(t, marker, r.Method+" "+r.URL.String(), out.Body.Bytes())
		for k, v := range out.Header() {
			w.Header()[k] = v
		}
		w.WriteHeader(out.Code)
		_, _ = w.Write(out.Body.Bytes())
	})
}

// NoMarker fails the test when the marker stands in content, plainly or escaped as JSON.
func NoMarker(t testing.TB, marker, where string, content []byte) {
	t.Helper()
	var escaped strings.Builder
	for _, r := range marker {
		if r < 0x80 {
			escaped.WriteRune(r)
			continue
		}
		const hex = "0123456789abcdef"
		escaped.WriteString(`\u`)
		for shift := 12; shift >= 0; shift -= 4 {
			escaped.WriteByte(hex[(r>>shift)&15])
		}
	}
	for _, form := range []string{marker, escaped.String()} {
		if i := bytes.Index(bytes.ToLower(content), bytes.ToLower([]byte(form))); i >= 0 {
			t.Errorf("%s shows %s of another tenant: …%.200s…", where, marker, content[max(0, i-80):])
			return
		}
	}
}
