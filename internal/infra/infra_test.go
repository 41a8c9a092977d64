package infra

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/blob"
	"viva/internal/kernel/job"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
	"viva/internal/kernel/xlsx"
)

// rig is the module over one database and an empty blob store, with people signed in.
type rig struct {
	db      *store.DB
	s       *Service
	queue   *job.Queue
	h       http.Handler
	admin   string // tenant 1
	foreign string // administrator of tenant 2
	owner   string // student 21 of tenant 1
	other   string // student 22 of tenant 1
}

const (
	ownerID = 21
	otherID = 22
)

func open(t *testing.T, db *store.DB) *rig {
	t.Helper()
	blobs, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	r := &rig{db: db, queue: job.New(job.Options{})}
	app := web.New(db, web.Options{UserRate: -1})
	auth := kerneltest.NewAuth()
	app.SetAuthenticator(auth)
	r.s = New(app, blobs, r.queue)
	m := r.s.Module()
	m.Mount(app)
	m.Work(r.queue, nil)
	for tenant := int64(1); tenant <= 2; tenant++ {
		if err := store.Write(kerneltest.AsSystem(db, tenant), m.Seed); err != nil {
			t.Fatal(err)
		}
	}
	r.admin, r.foreign = auth.Add(kerneltest.Admin(1)), auth.Add(kerneltest.Admin(2))
	r.owner, r.other = auth.Add(kerneltest.Student(1, ownerID)), auth.Add(kerneltest.Student(1, otherID))
	r.h = app.Handler("/")
	return r
}

func each(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Helper()
	kerneltest.Each(t, func(t *testing.T, db *store.DB) { test(t, open(t, db)) }, migrations)
}

func (r *rig) call(t *testing.T, token, method, url string, body any, code int) kerneltest.Answer {
	t.Helper()
	a := kerneltest.Scenario{Method: method, URL: url, As: token, Body: body, Lang: "zh"}.Call(t, r.h)
	if a.Code != code {
		t.Fatalf("%s %s: code %d, want %d: %.400s", method, url, a.Code, code, a.Raw)
	}
	return a
}

func (r *rig) sheet(t *testing.T, token, url string) [][]string {
	t.Helper()
	a := kerneltest.Scenario{URL: url, As: token, Lang: "zh"}.Call(t, r.h)
	if got := a.Header.Get("Content-Type"); got != web.SheetType {
		t.Fatalf("%s: %s: %.300s", url, got, a.Raw)
	}
	rows, err := xlsx.Read(bytes.NewReader(a.Raw), xlsx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// raw sends bytes as they are.
func (r *rig) raw(t *testing.T, token, method, url, kind string, body []byte) kerneltest.Answer {
	t.Helper()
	return kerneltest.Scenario{Method: method, URL: url, As: token, Lang: "zh", Body: string(body), Headers: map[string]string{"Content-Type": kind}}.Call(t, r.h)
}

// pdf makes a document of n bytes at least.
func pdf(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return append(append([]byte("%PDF-1.7\n"), b...), []byte("\nstartxref\n0\n%%EOF\n")...)
}

func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// begin announces content and gives the upload's id.
func (r *rig) begin(t *testing.T, token, name, slot string, content []byte) string {
	t.Helper()
	var up UploadState
	r.call(t, token, "POST", "/infra/file/upload-begin", map[string]any{"name": name, "size": len(content), "slot": slot, "sha256": digest(content)}, 0).Decode(t, &up)
	if up.UploadID == "" || up.Offset != 0 || up.ChunkSize <= 0 {
		t.Fatalf("%+v", up)
	}
	return up.UploadID
}

func chunkURL(upload string, offset int) string {
	return fmt.Sprintf("/infra/file/upload-chunk?uploadId=%s&offset=%d", upload, offset)
}

// store uploads content whole and gives the file.
func (r *rig) store(t *testing.T, token, name, slot string, content []byte) FileView {
	t.Helper()
	up := r.begin(t, token, name, slot, content)
	for at := 0; at < len(content); at += chunkSize {
		if a := r.raw(t, token, "PUT", chunkURL(up, at), "application/octet-stream", content[at:min(len(content), at+chunkSize)]); a.Code != 0 {
			t.Fatalf("chunk: %s", a.Raw)
		}
	}
	var file FileView
	r.call(t, token, "POST", "/infra/file/upload-finish", map[string]any{"uploadId": up}, 0).Decode(t, &file)
	return file
}

// form makes a multipart body with one file.
func form(t *testing.T, name string, content []byte) (kind string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.Bytes()
}

// download asks for a file and gives the HTTP answer.
func (r *rig) download(token, url string, headers map[string]string) *httptest.ResponseRecorder {
	if !strings.HasPrefix(url, web.Prefix) {
		url = web.Prefix + url
	}
	req := httptest.NewRequest("GET", url, nil)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for k, v := range headers {
		req.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	r.h.ServeHTTP(w, req)
	return w
}

// as gives a context in which a user of tenant 1 acts.
func (r *rig) as(user int64) context.Context {
	return actor.With(store.Use(context.Background(), r.db), kerneltest.Student(1, user))
}
