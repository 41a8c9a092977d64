package web

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"viva/internal/kernel/errs"
)

// RawRequest is what a Raw call gets: the canonical query and, for changing calls, the body.
type RawRequest struct {
	Query url.Values
	Body  []byte
	// Stream is the unread body of a call declared with StreamBody.
	Stream io.Reader
	http   *http.Request
}

// File gives the multipart file of the given name; the caller closes it.
func (r RawRequest) File(name string) (io.ReadCloser, string, error) {
	file, header, err := r.http.FormFile(name)
	if err != nil {
		return nil, "", errs.Field(name, "请选择文件", "choose a file").Because(err)
	}
	return file, header.Filename, nil
}

// Text gives a text part of a multipart body.
func (r RawRequest) Text(name string) string { return r.http.PostFormValue(name) }

// RawCall describes a call whose input is not a Go type: the derived calls of package
// crud and uploads. Its schemas go into the OpenAPI document as given.
type RawCall struct {
	Method     string
	Path       string
	Access     Access
	Summary    string
	Params     []*huma.Param
	In, Out    *huma.Schema
	StreamBody bool
	MaxBytes   int64
	Options    []Option
	Fn         func(ctx context.Context, r RawRequest) (any, error)
	// Bare, when set, sends what Fn gives without the envelope and turns a failure into
	// an answer of the same kind: for protocols that are not ours.
	Bare func(ctx context.Context, err error) any
}

// Raw declares a call of that kind. It passes the same guard, transaction and
// idempotency as typed calls.
func Raw(m *Module, rc RawCall) {
	options := append([]Option{Title(rc.Summary)}, rc.Options...)
	if rc.StreamBody {
		options = append(options, NoTx)
	}
	c := m.declare(rc.Method, rc.Path, rc.Access, options)
	op := m.operation(c)
	if !op.Hidden {
		m.App.API.OpenAPI().AddOperation(rc.document(&op))
	}
	rc.Params, rc.In, rc.Out = nil, nil, nil // the call does not need them, and it lives as long as the server
	m.App.API.Adapter().Handle(&op, op.Middlewares.Handler(func(h huma.Context) {
		serveRaw(h, c, rc)
	}))
}

func (rc RawCall) document(op *huma.Operation) *huma.Operation {
	op.Parameters = rc.Params
	if rc.In != nil {
		op.RequestBody = &huma.RequestBody{Content: map[string]*huma.MediaType{"application/json": {Schema: rc.In}}}
	}
	out := envelopeSchema(rc.Out)
	if rc.Bare != nil {
		out = rc.Out
	}
	op.Responses = map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{"application/json": {Schema: out}}}}
	return op
}

func envelopeSchema(data *huma.Schema) *huma.Schema {
	if data == nil {
		data = &huma.Schema{}
	}
	return &huma.Schema{Type: "object", Properties: map[string]*huma.Schema{
		"code": {Type: "integer"}, "data": data, "msg": {Type: "string"},
	}, Required: []string{"code", "data", "msg"}}
}

func serveRaw(h huma.Context, c *Call, rc RawCall) {
	ctx := h.Context()
	u := h.URL()
	r := RawRequest{Query: u.Query()}
	request, writer := humago.Unwrap(h)
	r.http = request
	limit := rc.MaxBytes
	if limit == 0 {
		limit = maxBody
	}
	if request.Body != nil {
		request.Body = http.MaxBytesReader(writer, request.Body, limit)
	}
	if c.Method == http.MethodPost || c.Method == http.MethodPut {
		// The context's end does not interrupt a read, so a stalled sender needs a deadline.
		_ = http.NewResponseController(writer).SetReadDeadline(time.Now().Add(c.bodyTime))
	}
	if rc.StreamBody {
		r.Stream = request.Body
	} else if c.Method != http.MethodGet && c.Method != http.MethodDelete {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			rc.refuse(h, tooLarge(err))
			return
		}
		if r.Body = body; tooDeep(body) {
			rc.refuse(h, errs.ErrInvalid.With(sentence(ctx, errDepth.Error())))
			return
		}
	}
	var data any
	err := c.run(ctx, map[string]any{"query": r.Query, "body": string(r.Body)}, &data, func(ctx context.Context) (err error) {
		data, err = rc.Fn(ctx, r)
		return err
	})
	if err != nil {
		rc.refuse(h, tooLarge(err))
		return
	}
	switch d := data.(type) {
	case *Download:
		d.send(h)
		return
	case *Cached:
		d.send(h)
		return
	}
	if rc.Bare == nil {
		data = Envelope[any]{Data: data}
	}
	sendBare(h, data)
}

func (rc RawCall) refuse(h huma.Context, err error) {
	if rc.Bare == nil {
		answer(h, failure(h.Context(), err))
		return
	}
	sendBare(h, rc.Bare(h.Context(), err))
}

func sendBare(h huma.Context, body any) {
	h.SetHeader("Content-Type", "application/json")
	h.SetStatus(http.StatusOK)
	_ = jsonFormat.Marshal(h.BodyWriter(), body)
}

func tooLarge(err error) error {
	var limit *http.MaxBytesError
	if errors.As(err, &limit) {
		return errs.ErrTooLarge.With(sizeText(limit.Limit))
	}
	return err
}

func sizeText(n int64) string {
	if n >= 1<<20 {
		return itoa(n>>20) + " MB"
	}
	return itoa(n>>10) + " KB"
}

// Download is a file answer. Write streams the content; an error before its first
// byte is answered as an envelope.
type Download struct {
	Name   string
	Type   string
	Inline bool
	Write  func(io.Writer) error
	// Seek, when set, is served with ranges instead of Write.
	Seek io.ReadSeekCloser
	// Forever says that the address will never mean other content, so that anybody may
	// keep it; for public pictures.
	Forever bool
	// Missing answers a real 404 without a body, which is what an <img> understands.
	Missing bool
}

// Stream declares a reading call that answers a file.
func Stream[I any](m *Module, path string, access Access, fn Func[I, *Download], o ...Option) {
	c := m.declare(http.MethodGet, path, access, o)
	op := m.operation(c)
	op.Responses = map[string]*huma.Response{"200": {Description: "file", Content: map[string]*huma.MediaType{"application/octet-stream": {Schema: &huma.Schema{Type: "string", Format: "binary"}}}}}
	huma.Register(m.App.API, op, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		d, err := fn(ctx, *in)
		if err != nil {
			return nil, failure(ctx, err)
		}
		return &huma.StreamResponse{Body: d.send}, nil
	})
}

// lazyHeader sends the file headers with the first byte, so that an early error can
// still be answered as JSON.
type lazyHeader struct {
	h    huma.Context
	d    *Download
	sent bool
}

func (l *lazyHeader) Write(p []byte) (int, error) {
	if !l.sent {
		l.sent = true
		l.d.headers(l.h)
		l.h.SetStatus(http.StatusOK)
	}
	return l.h.BodyWriter().Write(p)
}

func (d *Download) headers(h huma.Context) {
	kind := "attachment"
	if d.Inline {
		kind = "inline"
	}
	h.SetHeader("Content-Type", d.Type)
	h.SetHeader("Content-Disposition", mime.FormatMediaType(kind, map[string]string{"filename": d.Name}))
	h.SetHeader("Content-Security-Policy", "sandbox; default-src 'none'")
	h.SetHeader("Access-Control-Expose-Headers", "Content-Disposition")
	if d.Forever {
		h.SetHeader("Cache-Control", "public, max-age=31536000, immutable")
	}
}

func (d *Download) send(h huma.Context) {
	request, writer := humago.Unwrap(h)
	if d.Missing {
		h.SetStatus(http.StatusNotFound)
		return
	}
	if d.Seek != nil {
		defer func() { _ = d.Seek.Close() }()
		d.headers(h)
		http.ServeContent(writer, request, "", noTime, d.Seek)
		return
	}
	out := &lazyHeader{h: h, d: d}
	if err := d.Write(out); err != nil && !out.sent {
		answer(h, failure(h.Context(), err))
	}
}

// SheetType is the media type of xlsx workbooks.
const SheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
