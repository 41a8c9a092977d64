package infra

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viva/internal/kernel/blob"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/job"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

func TestDownload(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		content := pdf(3000)
		file := r.store(t, r.owner, `我的"论文".pdf`, "document", content)
		w := r.download(r.owner, file.URL, nil)
		for name, want := range map[string]string{
			"Content-Type": "application/pdf", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox; default-src 'none'", "Cache-Control": "no-store",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		if got := w.Header().Get("Content-Disposition"); !strings.HasPrefix(got, "attachment;") || !strings.Contains(got, "filename*=utf-8''") {
			t.Errorf("Content-Disposition: %q", got)
		}
		part := r.download(r.owner, file.URL, map[string]string{"Range": "bytes=10-19"})
		if part.Code != 206 || !bytes.Equal(part.Body.Bytes(), content[10:20]) {
			t.Errorf("range: %d %q", part.Code, part.Body)
		}
		url := fmt.Sprint("/infra/file/download?id=", file.ID)
		kerneltest.Run(t, r.h,
			kerneltest.Scenario{Name: "anonymous", URL: url, Code: 401},
			kerneltest.Scenario{Name: "another student", URL: url, As: r.other, Code: 1070000001},
			kerneltest.Scenario{Name: "another tenant", URL: url, As: r.foreign, Code: 1070000001},
			kerneltest.Scenario{Name: "an administrator who has nothing to do with it", URL: url, As: r.admin, Code: 1070000001},
			kerneltest.Scenario{Name: "no such file", URL: "/infra/file/download?id=99999", As: r.owner, Code: 1070000001},
			kerneltest.Scenario{Name: "no id", URL: "/infra/file/download?id=x", As: r.owner, Lang: "zh", Code: 400},
		)
		if err := r.s.blobs.Remove(file.SHA256); err != nil {
			t.Fatal(err)
		}
		r.call(t, r.owner, "GET", url, nil, 1001003001)
	})
}

func TestPictures(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		file := r.store(t, r.owner, "logo.png", "image", picture(t))
		w := r.download("", file.URL, nil)
		if w.Code != 200 || w.Header().Get("Content-Type") != "image/png" || !strings.HasPrefix(w.Header().Get("Content-Disposition"), "inline") ||
			!strings.Contains(w.Header().Get("Cache-Control"), "immutable") || w.Header().Get("Content-Security-Policy") != "sandbox; default-src 'none'" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
		document := r.store(t, r.owner, "a.pdf", "document", pdf(10))
		for _, url := range []string{
			"/infra/file/1/get/20261121/" + strings.Repeat("0", 32) + ".png", "/infra/file/1/get/" + file.SHA256 + "/x", fmt.Sprintf("/infra/file/1/get/%d/a.pdf", document.ID),
			"/infra/file/1/get/..%2f..%2fetc/passwd", "/infra/file/1/get/%00/x",
		} {
			if w := r.download("", url, nil); w.Code != 404 && w.Code != 200 || w.Code == 200 && !strings.Contains(w.Body.String(), `"code":4`) {
				t.Errorf("%s: %d %.200s", url, w.Code, w.Body)
			}
		}
		if w := r.download("", "/infra/file/1/get/20261121/nothing.png", nil); w.Code != 404 || w.Body.Len() != 0 {
			t.Errorf("a missing picture: %d %q", w.Code, w.Body)
		}
		// the address means the same without a tenant and with any
		if w := r.download("", file.URL, map[string]string{"tenant-id": "2"}); w.Code != 200 {
			t.Errorf("with a tenant header: %d", w.Code)
		}
		r.call(t, r.admin, "DELETE", fmt.Sprint("/infra/file/delete?id=", file.ID), nil, 0)
		if w := r.download("", file.URL, nil); w.Code != 404 {
			t.Errorf("a removed picture: %d", w.Code)
		}
	})
}

func TestAttach(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		OnAccess("thesis_topic_test", func(context.Context, int64) (bool, error) { return false, nil })
		mine, free := r.store(t, r.owner, "a.pdf", "document", pdf(10)), r.store(t, r.owner, "b.pdf", "document", pdf(20))
		strange := r.store(t, r.other, "c.pdf", "document", pdf(30))
		foreign := r.store(t, r.foreign, "d.pdf", "document", pdf(40))
		attach := func(user int64, row int64, ids ...int64) error {
			return store.Write(r.as(user), func(ctx context.Context) error { return Attach(ctx, ids, "thesis_topic_test", row) })
		}
		if err := attach(ownerID, 7, mine.ID); err != nil {
			t.Fatal(err)
		}
		for name, err := range map[string]error{
			"again": attach(ownerID, 7, mine.ID), "by another who edits the row": attach(otherID, 7, mine.ID),
		} {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for name, err := range map[string]error{
			"to another row": attach(ownerID, 8, mine.ID), "somebody else's": attach(ownerID, 7, strange.ID), "another tenant's": attach(ownerID, 7, foreign.ID),
			"unknown": attach(ownerID, 7, 123456), "one bad spoils all": attach(ownerID, 7, free.ID, strange.ID),
		} {
			if !errs.Is(err, errs.ErrNoRecord) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if f, err := FileOf(r.as(ownerID), free.ID); err != nil || f.Owner != "" {
			t.Errorf("the good one of a refused list is bound: %+v %v", f, err)
		}
		if list, err := FilesByID(r.as(ownerID), []int64{mine.ID, free.ID, foreign.ID}); err != nil || len(list) != 2 || list[mine.ID].OwnerID != 7 {
			t.Errorf("%v %v", list, err)
		}
		url := fmt.Sprint("/infra/file/download?id=", mine.ID)
		r.call(t, r.other, "GET", url, nil, 1070000001)
		admitted := int64(0)
		OnAccess("thesis_topic_test", func(_ context.Context, row int64) (bool, error) { return row == admitted, nil })
		r.call(t, r.other, "GET", url, nil, 1070000001)
		admitted = 7
		if w := r.download(r.other, url, nil); w.Code != 200 || !bytes.HasPrefix(w.Body.Bytes(), []byte("%PDF")) {
			t.Errorf("the hook admits, the call answers %d %.100s", w.Code, w.Body)
		}
		if w := r.download(r.foreign, url, nil); !strings.Contains(w.Body.String(), "1070000001") {
			t.Errorf("the hook let another tenant in: %.100s", w.Body)
		}
		r.call(t, r.admin, "DELETE", fmt.Sprint("/infra/file/delete?id=", mine.ID), nil, 1001003906)
		release := func(row int64) error {
			return store.Write(r.as(ownerID), func(ctx context.Context) error { return Release(ctx, []int64{mine.ID}, "thesis_topic_test", row) })
		}
		if err := release(8); !errs.Is(err, errs.ErrNoRecord) {
			t.Errorf("released from a row that does not hold it: %v", err)
		}
		if err := release(7); err != nil {
			t.Fatal(err)
		}
		r.call(t, r.admin, "DELETE", fmt.Sprint("/infra/file/delete?id=", mine.ID), nil, 0)
		r.call(t, r.owner, "GET", url, nil, 1070000001)
	})
}

// TestOwnFiles: everybody sees what fills his space and deletes what nothing uses.
func TestOwnFiles(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		free, used := r.store(t, r.owner, "free.pdf", "document", pdf(10)), r.store(t, r.owner, "used.pdf", "document", pdf(11))
		shown, theirs := r.store(t, r.owner, "shown.png", "image", picture(t)), r.store(t, r.other, "theirs.pdf", "document", pdf(12))
		if err := store.Write(r.as(ownerID), func(ctx context.Context) error { return Attach(ctx, []int64{used.ID}, "thesis_record", 1) }); err != nil {
			t.Fatal(err)
		}
		var page store.Page[OwnFile]
		r.call(t, r.owner, "GET", "/infra/file/my-page", nil, 0).Decode(t, &page)
		locked := map[int64]bool{}
		for _, f := range page.List {
			locked[f.ID] = f.LockReason != ""
		}
		if page.Total != 3 || locked[free.ID] || !locked[used.ID] || !locked[shown.ID] {
			t.Errorf("own files: %+v", page)
		}
		for id, code := range map[int64]int{free.ID: 0, used.ID: errFileBound.Num, shown.ID: errFilePicture.Num, theirs.ID: 1070000001, 4711: 1070000001} {
			r.call(t, r.owner, "DELETE", fmt.Sprint("/infra/file/delete-own?id=", id), nil, code)
		}
		r.call(t, r.owner, "DELETE", fmt.Sprint("/infra/file/delete-own?id=", free.ID), nil, 1070000001)
		r.call(t, r.foreign, "DELETE", fmt.Sprint("/infra/file/delete-own?id=", used.ID), nil, 1070000001)
		r.call(t, r.owner, "GET", fmt.Sprint("/infra/file/download?id=", free.ID), nil, 1070000001)
		taken, _, err := store.Get[int64](r.as(ownerID), sqlUsed, store.Args{"user": ownerID})
		if err != nil || taken != used.Size+shown.Size {
			t.Errorf("space in use %d, %v; want %d", taken, err, used.Size+shown.Size)
		}
	})
}

func TestFileList(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		file := r.store(t, r.owner, "list.pdf", "document", pdf(10))
		image := r.store(t, r.owner, "list.png", "image", picture(t))
		r.store(t, r.foreign, kerneltest.MarkerB+".pdf", "document", pdf(10))
		kerneltest.Run(t, r.h,
			kerneltest.Scenario{URL: "/infra/file/page", As: r.admin, Contains: []string{`"total":2`, `"configId":1`, image.URL, file.URL}},
			kerneltest.Scenario{URL: "/infra/file/page?type=pdf&name=list", As: r.admin, Contains: []string{`"total":1`, "list.pdf"}},
			kerneltest.Scenario{URL: "/infra/file/page?path=png&createTime[0]=2000-01-01%2000:00:00", As: r.admin, Contains: []string{`"total":1`, "list.png"}},
			kerneltest.Scenario{URL: "/infra/file/page?sha256=x", As: r.admin, Lang: "zh", Code: 400},
			kerneltest.Scenario{URL: "/infra/file/page", As: r.owner, Code: 403},
			kerneltest.Scenario{URL: fmt.Sprint("/infra/file/get?id=", file.ID), As: r.foreign, Code: 1070000001},
			kerneltest.Scenario{URL: fmt.Sprint("/infra/file/get?id=", file.ID), As: r.other, Code: 1070000001},
			kerneltest.Scenario{URL: fmt.Sprint("/infra/file/get?id=", file.ID), As: r.owner, Contains: []string{`"mime":"application/pdf"`, `"type":"application/pdf"`, file.URL, `"configId":1`}},
			kerneltest.Scenario{URL: fmt.Sprint("/infra/file/get?id=", image.ID), As: r.admin, Contains: []string{image.URL}},
			kerneltest.Scenario{Method: "DELETE", URL: fmt.Sprint("/infra/file/delete?id=", file.ID), As: r.foreign, Code: 1070000001},
			kerneltest.Scenario{Method: "DELETE", URL: fmt.Sprint("/infra/file/delete?id=", file.ID), As: r.owner, Code: 403},
			kerneltest.Scenario{Method: "POST", URL: "/infra/file/create", As: r.admin, Lang: "zh", Code: 404},
		)
	})
}

// TestSweep: what nobody goes on with or uses disappears after its time, nothing else.
func TestSweep(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		used, unused := r.store(t, r.owner, "a.pdf", "document", pdf(100)), r.store(t, r.owner, "b.pdf", "document", pdf(200))
		shared := r.store(t, r.foreign, "c.pdf", "document", pdf(300))
		image := r.store(t, r.owner, "a.png", "image", picture(t))
		if err := store.Write(r.as(ownerID), func(ctx context.Context) error { return Attach(ctx, []int64{used.ID}, "sweep_test", 1) }); err != nil {
			t.Fatal(err)
		}
		if err := store.Write(kerneltest.As(r.db, kerneltest.Admin(2)), func(ctx context.Context) error { return Attach(ctx, []int64{shared.ID}, "sweep_test", 1) }); err != nil {
			t.Fatal(err)
		}
		rest := r.begin(t, r.owner, "rest.pdf", "document", pdf(10))
		orphan, err := r.s.blobs.Put(bytes.NewReader(pdf(400)))
		if err != nil {
			t.Fatal(err)
		}
		sweep := func() {
			t.Helper()
			ctx := store.Use(context.Background(), r.db)
			if err := r.s.sweepUploads(ctx, &job.Run{}); err != nil {
				t.Fatal(err)
			}
			if err := r.s.sweepFiles(ctx, &job.Run{}); err != nil {
				t.Fatal(err)
			}
		}
		sweep() // too early for anything
		r.call(t, r.owner, "GET", "/infra/file/upload-status?uploadId="+rest, nil, 0)
		for _, hash := range []string{unused.SHA256, orphan.SHA256} {
			if _, err := r.s.blobs.Open(hash); err != nil {
				t.Errorf("swept too early: %v", err)
			}
		}
		defer clock.Set(func() time.Time { return time.Now().Add(freeLife + time.Hour) })()
		sweep()
		r.call(t, r.owner, "GET", "/infra/file/upload-status?uploadId="+rest, nil, 1001003907)
		for hash, want := range map[string]bool{used.SHA256: true, shared.SHA256: true, image.SHA256: true, unused.SHA256: false, orphan.SHA256: false} {
			content, err := r.s.blobs.Open(hash)
			if (err == nil) != want {
				t.Errorf("content %.8s: %v, want %v", hash, err, want)
			}
			if err == nil {
				_ = content.Close()
			}
		}
		if _, err := FileOf(r.as(ownerID), unused.ID); !errs.Is(err, errs.ErrNoRecord) {
			t.Errorf("an unused document: %v", err)
		}
		if _, err := FileOf(r.as(ownerID), used.ID); err != nil {
			t.Errorf("a used document: %v", err)
		}
	})
}

// TestFullDisk: a store that cannot write refuses in words and keeps no row.
func TestFullDisk(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("permissions do not bind root; the mapping of a full disk is tested in TestBlobErrors")
	}
	each(t, func(t *testing.T, r *rig) {
		dir := t.TempDir()
		blobs, err := blob.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		r.s.blobs = blobs
		if err := os.RemoveAll(filepath.Join(dir, "uploads")); err != nil {
			t.Fatal(err)
		}
		a := kerneltest.Scenario{Method: "POST", URL: "/infra/file/upload-begin", As: r.owner, Lang: "zh", Body: map[string]any{"name": "a.pdf", "size": 1, "slot": "document"}}.Call(t, r.h)
		if a.Code == 0 {
			t.Errorf("%s", a.Raw)
		}
		var n int
		if err := r.db.Pool().QueryRow(`SELECT COUNT(*) FROM infra_upload`).Scan(&n); err != nil || n != 0 {
			t.Errorf("%d rows, %v", n, err)
		}
	})
}
