package infra

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/blob"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

func TestCleanName(t *testing.T) {
	for in, want := range map[string]string{
		"论文.pdf": "论文.pdf", `C:\Users\x\论文.pdf`: "论文.pdf", "../../etc/passwd.pdf": "passwd.pdf", "a\x00b\r\n.pdf": "ab.pdf",
		"x\u202efdp.exe.pdf": "xfdp.exe.pdf", `<a>|"?*.pdf`: "_a_____.pdf", "  spaced .pdf ": "spaced.pdf", "a. . .pdf": "a.pdf",
		strings.Repeat("长", 300) + ".docx": strings.Repeat("长", 115) + ".docx", "\xff\xfea.pdf": "a.pdf",
		"": "", ".pdf": "", "...": "", "noending": "", "a.": "", "a.averyveryverylongending": "", "/": "", "zero\u200bwidth.pdf": "zerowidth.pdf",
	} {
		got, err := cleanName(context.Background(), in)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q becomes %q (%v), want %q", in, got, err, want)
		}
	}
}

func TestAnnounced(t *testing.T) {
	for _, c := range []struct {
		slot blob.Slot
		name string
		size int64
		want *errs.Code
	}{
		{blob.Document, "a.pdf", 50 * mega, nil}, {blob.Document, "a.PDF", 1, nil}, {blob.Document, "a.pdf", 50*mega + 1, &errFileLarge},
		{blob.Avatar, "a.png", 2 * mega, nil}, {blob.Avatar, "a.png", 2*mega + 1, &errFileLarge}, {blob.Image, "a.webp", 5*mega + 1, &errFileLarge},
		{blob.Document, "a.pdf", 0, &errFileEmpty}, {blob.Image, "a.svg", 1, &errFileType}, {blob.Document, "a.html", 1, &errFileType},
		{blob.Document, "a.pdf.exe", 1, &errFileType}, {"anything", "a.pdf", 1, &errFileSlot}, {blob.Avatar, "a.pdf", 1, &errFileType},
	} {
		err := checkAnnounced(c.slot, c.name, c.size)
		if c.want == nil && err != nil || c.want != nil && !errs.Is(err, *c.want) {
			t.Errorf("%s %s %d: %v", c.slot, c.name, c.size, err)
		}
	}
}

func TestUpload(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		content := pdf(2*chunkSize + 333)
		file := r.store(t, r.owner, "../开题 报告.pdf", "document", content)
		if file.Name != "开题 报告.pdf" || file.Size != int64(len(content)) || file.MIME != "application/pdf" || file.SHA256 != digest(content) || !strings.Contains(file.URL, "/infra/file/download?id=") {
			t.Errorf("%+v", file)
		}
		w := r.download(r.owner, file.URL, nil)
		if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), content) {
			t.Errorf("download: %d, %d bytes", w.Code, w.Body.Len())
		}
		// the same content once more is the same bytes but another file
		again := r.store(t, r.other, "副本.pdf", "document", content)
		if again.ID == file.ID || again.SHA256 != file.SHA256 {
			t.Errorf("%+v", again)
		}
	})
}

// TestUploadGoesOn: the sender breaks off at random places and goes on where the server
// stands, over a real connection.
func TestUploadGoesOn(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		server := httptest.NewServer(r.h)
		defer server.Close()
		content := pdf(3*chunkSize + 77)
		up := r.begin(t, r.owner, "论文.pdf", "document", content)
		cuts := 0
		for at := 0; at < len(content); {
			part := content[at:min(len(content), at+chunkSize)]
			cut := len(part)
			if rand.IntN(3) > 0 {
				cut = rand.IntN(len(part))
			}
			req, err := http.NewRequest("PUT", server.URL+web.Prefix+chunkURL(up, at), &broken{r: bytes.NewReader(part[:cut]), whole: cut == len(part)})
			if err != nil {
				t.Fatal(err)
			}
			req.ContentLength = int64(len(part))
			req.Header.Set("Authorization", "Bearer "+r.owner)
			if res, err := http.DefaultClient.Do(req); err == nil {
				_, _ = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			} else {
				cuts++
			}
			var state UploadState
			r.call(t, r.owner, "GET", "/infra/file/upload-status?uploadId="+up, nil, 0).Decode(t, &state)
			// What arrived of a broken request may be stored after the question was answered.
			if int(state.Offset) < at || int(state.Offset) > len(content) {
				t.Fatalf("offset %d after %d bytes at %d", state.Offset, cut, at)
			}
			at = int(state.Offset)
		}
		var file FileView
		r.call(t, r.owner, "POST", "/infra/file/upload-finish", map[string]any{"uploadId": up}, 0).Decode(t, &file)
		if file.SHA256 != digest(content) {
			t.Errorf("after %d cuts the content differs", cuts)
		}
	})
}

// broken ends with an error unless whole.
type broken struct {
	r     io.Reader
	whole bool
}

func (b *broken) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err == io.EOF && !b.whole {
		err = errors.New("the line is cut")
	}
	return n, err
}

func (b *broken) Close() error { return nil }

func TestUploadRefusals(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		begin := func(name string, size int, slot string) map[string]any {
			return map[string]any{"name": name, "size": size, "slot": slot}
		}
		const post = "/infra/file/upload-begin"
		kerneltest.Run(t, r.h,
			kerneltest.Scenario{Method: "POST", URL: post, Body: begin("a.pdf", 1, "document"), Code: 401},
			kerneltest.Scenario{Method: "POST", URL: post, As: r.owner, Body: begin("a.svg", 1, "image"), Code: 1001003901},
			kerneltest.Scenario{Method: "POST", URL: post, As: r.owner, Lang: "en", Body: begin("a.pdf", 50*mega+1, "document"), Code: 1001003902},
			kerneltest.Scenario{Method: "POST", URL: post, As: r.owner, Body: begin("a.pdf", 0, "document"), Code: 1001003002},
			kerneltest.Scenario{Method: "POST", URL: post, As: r.owner, Body: begin("a.pdf", -1, "document"), Code: 400},
			kerneltest.Scenario{Method: "POST", URL: post, As: r.owner, Lang: "en", Body: begin("no ending", 1, "document"), Code: 400},
			kerneltest.Scenario{Method: "POST", URL: post, As: r.owner, Body: begin("a.pdf", 1, "secret"), Code: 1001003900},
			kerneltest.Scenario{Method: "POST", URL: post, As: r.owner, Body: map[string]any{"name": "a.pdf", "size": 1, "slot": "document", "sha256": "xyz"}, Code: 400},
			kerneltest.Scenario{URL: "/infra/file/upload-status?uploadId=nothing", As: r.owner, Code: 1001003907},
			kerneltest.Scenario{Method: "POST", URL: "/infra/file/upload-finish", As: r.owner, Body: map[string]any{"uploadId": "../../x"}, Code: 1001003907},
		)
		content := pdf(1000)
		up := r.begin(t, r.owner, "a.pdf", "document", content)
		put := func(token string, at int, b []byte) kerneltest.Answer {
			return r.raw(t, token, "PUT", chunkURL(up, at), "application/octet-stream", b)
		}
		for name, a := range map[string]kerneltest.Answer{
			"somebody else": put(r.other, 0, content), "another tenant": put(r.foreign, 0, content),
			"somebody else's status": r.call(t, r.other, "GET", "/infra/file/upload-status?uploadId="+up, nil, 1001003907),
			"somebody else's finish": r.call(t, r.other, "POST", "/infra/file/upload-finish", map[string]any{"uploadId": up}, 1001003907),
		} {
			if a.Code != 1001003907 {
				t.Errorf("%s: %s", name, a.Raw)
			}
		}
		if a := put(r.owner, 0, content[:100]); string(a.Data) != `{"offset":100}` {
			t.Errorf("first chunk: %s", a.Raw)
		}
		if a := put(r.owner, 0, content[:100]); a.Code != 1001003904 || string(a.Data) != `{"offset":100}` {
			t.Errorf("repeated chunk: %s", a.Raw)
		}
		if a := put(r.owner, -5, nil); a.Code != 400 {
			t.Errorf("negative offset: %s", a.Raw)
		}
		if a := r.call(t, r.owner, "POST", "/infra/file/upload-finish", map[string]any{"uploadId": up}, 1001003909); string(a.Data) != `{"offset":100}` {
			t.Errorf("finish too early: %s", a.Raw)
		}
		if a := put(r.owner, 100, append(content[100:], 'x')); a.Code != 1001003902 {
			t.Errorf("more than announced: %s", a.Raw)
		}
		if a := put(r.owner, len(content), make([]byte, chunkSize+1)); a.Status != 200 && a.Status != 413 || a.Code == 0 {
			t.Errorf("chunk over the limit: %d %s", a.Status, a.Raw)
		}
	})
}

// TestDisguises: what a file is, its content says.
func TestDisguises(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		html := []byte("<!doctype html><script>alert(1)</script>%PDF-1.4 %%EOF")
		for name, c := range map[string]struct {
			file, slot string
			content    []byte
		}{
			"html as pdf": {"a.pdf", "document", html}, "exe as docx": {"a.docx", "document", []byte("MZ\x90\x00" + strings.Repeat("x", 600))},
			"svg as png": {"a.png", "image", []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)}, "pdf as png": {"a.png", "avatar", pdf(10)},
			"png as pdf": {"a.pdf", "document", picture(t)}, "png as jpg": {"a.jpg", "image", picture(t)},
		} {
			up := r.begin(t, r.owner, c.file, c.slot, c.content)
			r.raw(t, r.owner, "PUT", chunkURL(up, 0), "application/octet-stream", c.content)
			a := kerneltest.Scenario{Method: "POST", URL: "/infra/file/upload-finish", As: r.owner, Lang: "zh", Body: map[string]any{"uploadId": up}}.Call(t, r.h)
			if a.Code != 1001003901 {
				t.Errorf("%s: %s", name, a.Raw)
			}
			r.call(t, r.owner, "GET", "/infra/file/upload-status?uploadId="+up, nil, 1001003907)
			kind, body := form(t, c.file, c.content)
			if a := r.raw(t, r.owner, "POST", "/infra/file/upload?slot="+c.slot, kind, body); a.Code != 1001003901 {
				t.Errorf("%s in one request: %s", name, a.Raw)
			}
		}
		content := pdf(100)
		up := r.begin(t, r.owner, "a.pdf", "document", content)
		content[50] ^= 1
		r.raw(t, r.owner, "PUT", chunkURL(up, 0), "application/octet-stream", content)
		r.call(t, r.owner, "POST", "/infra/file/upload-finish", map[string]any{"uploadId": up}, 1001003905)
		if n := r.call(t, r.admin, "GET", "/infra/file/page", nil, 0); !strings.Contains(string(n.Data), `"total":0`) {
			t.Errorf("refused files were kept: %s", n.Data)
		}
	})
}

func TestFinishTwice(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		content := pdf(5000)
		up := r.begin(t, r.owner, "a.pdf", "document", content)
		r.raw(t, r.owner, "PUT", chunkURL(up, 0), "application/octet-stream", content)
		answers := make([]kerneltest.Answer, 8)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				answers[i] = kerneltest.Scenario{Method: "POST", URL: "/infra/file/upload-finish", As: r.owner, Lang: "zh", Body: map[string]any{"uploadId": up}}.Call(t, r.h)
			})
		}
		all.Wait()
		for _, a := range append(answers, r.call(t, r.owner, "POST", "/infra/file/upload-finish", map[string]any{"uploadId": up}, 0)) {
			if a.Code != 0 || !bytes.Equal(a.Data, answers[0].Data) {
				t.Errorf("finish answers %s and %s", a.Raw, answers[0].Raw)
			}
		}
	})
}

func TestQuota(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		var page struct{ List []Config }
		r.call(t, r.admin, "GET", "/infra/config/page?key="+keyQuota, nil, 0).Decode(t, &page)
		r.call(t, r.admin, "PUT", "/infra/config/update", map[string]any{"id": page.List[0].ID, "value": "3"}, 0)
		body := func(size int) map[string]any {
			return map[string]any{"name": "a.pdf", "size": size, "slot": "document"}
		}
		r.store(t, r.owner, "a.pdf", "document", pdf(mega))
		r.call(t, r.owner, "POST", "/infra/file/upload-begin", body(mega), 0) // announced, not sent
		r.call(t, r.owner, "POST", "/infra/file/upload-begin", body(mega), 1001003903)
		kind, form := form(t, "b.pdf", pdf(mega+mega/2))
		if a := r.raw(t, r.owner, "POST", "/infra/file/upload", kind, form); a.Code != 1001003903 {
			t.Errorf("in one request: %s", a.Raw)
		}
		for range maxUploads {
			r.call(t, r.other, "POST", "/infra/file/upload-begin", body(10), 0)
		}
		r.call(t, r.other, "POST", "/infra/file/upload-begin", body(10), 1001003908)
	})
}

func TestPlainUpload(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		kind, body := form(t, "头像.PNG", picture(t))
		var url string
		r.raw(t, r.owner, "POST", "/infra/file/upload", kind, body).Decode(t, &url)
		if !strings.HasPrefix(url, "/admin-api/infra/file/1/get/") || !strings.HasSuffix(url, ".png") {
			t.Fatalf("address %q", url)
		}
		if w := r.download("", url, nil); w.Code != 200 || !bytes.Equal(w.Body.Bytes(), picture(t)) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		kind, body = form(t, "a.pdf", pdf(10))
		if a := r.raw(t, r.owner, "POST", "/infra/file/upload", kind, body); !strings.Contains(string(a.Data), "download?id=") {
			t.Errorf("a document answers %s", a.Raw)
		}
		kind, body = form(t, "a.png", make([]byte, 5*mega+10))
		if a := r.raw(t, r.owner, "POST", "/infra/file/upload", kind, body); a.Code != 1001003902 {
			t.Errorf("a large picture: %s", a.Raw)
		}
		kind, body = form(t, "a.pdf", make([]byte, 18*mega))
		if a := r.raw(t, r.owner, "POST", "/infra/file/upload", kind, body); a.Code == 0 {
			t.Errorf("18 MB in one request: %s", a.Raw)
		}
		if a := r.raw(t, r.owner, "POST", "/infra/file/upload", "multipart/form-data; boundary=x", []byte("--x--")); a.Code != 400 {
			t.Errorf("no file: %s", a.Raw)
		}
		kind, body = form(t, "a.pdf", nil)
		if a := r.raw(t, r.owner, "POST", "/infra/file/upload", kind, body); a.Code != 1001003002 {
			t.Errorf("empty file: %s", a.Raw)
		}
		address, err := r.s.StoreAvatar(r.as(ownerID), "me.png", bytes.NewReader(picture(t)))
		if err != nil || !strings.HasSuffix(address, ".png") {
			t.Errorf("%q %v", address, err)
		}
		if _, err := r.s.StoreAvatar(r.as(ownerID), "me.png", strings.NewReader("no picture")); !errs.Is(err, errFileType) {
			t.Errorf("a false avatar: %v", err)
		}
	})
}

func TestBlobErrors(t *testing.T) {
	full := fmt.Errorf("%w: disk", blob.ErrNoSpace)
	if err := blobError(full); !errs.Is(err, errs.ErrUnavailable) || !errors.Is(err, blob.ErrNoSpace) {
		t.Errorf("a full disk is %v", err)
	}
	if err := blobError(blob.ErrNotFound); !errs.Is(err, errUploadMissing) {
		t.Error(err)
	}
	if err := blobError(io.ErrClosedPipe); err != io.ErrClosedPipe {
		t.Error(err)
	}
}

// TestUploadOfNobody: without a user there is no upload.
func TestUploadOfNobody(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		content := pdf(100)
		up := r.begin(t, r.owner, "a.pdf", "document", content)
		ctx := actor.With(store.Use(context.Background(), r.db), actor.Actor{TenantID: 1})
		if _, err := own(ctx, up); !errs.Is(err, errUploadMissing) {
			t.Errorf("nobody owns %v", err)
		}
	})
}
