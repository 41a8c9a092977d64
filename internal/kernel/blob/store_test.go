package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

var ctx = context.Background()

func open(t testing.TB) (*Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, dir
}

func random(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func hashOf(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func read(t testing.TB, s *Store, hash string) []byte {
	t.Helper()
	f, err := s.Open(hash)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func files(t testing.TB, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, p)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestPut(t *testing.T) {
	s, dir := open(t)
	data := random(1, 100_000)
	b, err := s.Put(bytes.NewReader(data))
	if err != nil || b.SHA256 != hashOf(data) || b.Size != 100_000 {
		t.Fatalf("%+v, %v", b, err)
	}
	again, err := s.Put(bytes.NewReader(data))
	if err != nil || again != b {
		t.Errorf("second time: %+v, %v", again, err)
	}
	want := fmt.Sprintf("objects/%s/%s/%s", b.SHA256[:2], b.SHA256[2:4], b.SHA256)
	if got := files(t, dir); len(got) != 1 || got[0] != want {
		t.Errorf("files %v, want only %s", got, want)
	}
	if !bytes.Equal(read(t, s, b.SHA256), data) {
		t.Error("other content")
	}
	if empty, err := s.Put(strings.NewReader("")); err != nil || empty.SHA256 != hashOf(nil) || empty.Size != 0 {
		t.Errorf("empty file: %+v, %v", empty, err)
	}
	if _, err := s.Put(iotest.ErrReader(io.ErrClosedPipe)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("failing input: %v", err)
	}
	if got := files(t, dir); len(got) != 2 {
		t.Errorf("left over: %v", got)
	}
}

func TestEachAndRemove(t *testing.T) {
	s, _ := open(t)
	want := map[string]int64{}
	for i := range 20 {
		b, err := s.Put(bytes.NewReader(random(uint64(i), 10+i)))
		if err != nil {
			t.Fatal(err)
		}
		want[b.SHA256] = b.Size
	}
	got := map[string]int64{}
	if err := s.Each(func(h string, n int64, at time.Time) error {
		if time.Since(at) > time.Minute {
			t.Errorf("%s stored at %v", h, at)
		}
		got[h] = n
		return nil
	}); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%v, %v", got, err)
	}
	if err := s.Each(func(string, int64, time.Time) error { return io.ErrNoProgress }); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error of the callback: %v", err)
	}
	for h := range want {
		f, err := s.Open(h)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Remove(h); err != nil {
			t.Error(err)
		}
		if _, err := io.ReadAll(f); err != nil {
			t.Errorf("an open blob after removal: %v", err)
		}
		f.Close()
		if err := s.Remove(h); !errors.Is(err, ErrNotFound) {
			t.Errorf("second removal: %v", err)
		}
		if _, err := s.Open(h); !errors.Is(err, ErrNotFound) {
			t.Errorf("open after removal: %v", err)
		}
	}
}

// TestClosedStore: a store that has lost its directory answers every call with
// an error that is not mistaken for a missing file.
func TestClosedStore(t *testing.T) {
	s, _ := open(t)
	b, err := s.Put(strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	id, err := s.Begin(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func() error{
		"put":    func() error { _, err := s.Put(strings.NewReader("y")); return err },
		"open":   func() error { _, err := s.Open(b.SHA256); return err },
		"remove": func() error { return s.Remove(b.SHA256) },
		"each":   func() error { return s.Each(func(string, int64, time.Time) error { return nil }) },
		"begin":  func() error { _, err := s.Begin(1); return err },
		"append": func() error { _, err := s.Append(ctx, id, 0, strings.NewReader("x")); return err },
		"status": func() error { _, err := s.Status(id); return err },
		"finish": func() error { _, err := s.Finish(id); return err },
		"abort":  func() error { return s.Abort(id) },
		"sweep":  func() error { _, err := s.Sweep(0); return err },
	} {
		if err := call(); err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDamagedBlob replaces a blob whose file was cut.
func TestDamagedBlob(t *testing.T) {
	s, dir := open(t)
	data := random(9, 1000)
	b, err := s.Put(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	name, _ := objectName(b.SHA256)
	if err := os.Truncate(filepath.Join(dir, filepath.FromSlash(name)), 10); err != nil {
		t.Fatal(err)
	}
	if again, err := s.Put(bytes.NewReader(data)); err != nil || again != b || !bytes.Equal(read(t, s, b.SHA256), data) {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestOpenRefusesFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name); err == nil {
		t.Error("a file was opened as a store")
	}
}

// TestDiskFull runs against a file system of 4 MB in a mount namespace.
func TestDiskFull(t *testing.T) {
	if dir := os.Getenv("VIVA_BLOB_FULL"); dir != "" {
		fillDisk(t, dir)
		return
	}
	dir := t.TempDir()
	script := fmt.Sprintf("mount -t tmpfs -o size=4m none %q && exec %q -test.run=^TestDiskFull$ -test.v", dir, os.Args[0])
	cmd := exec.Command("unshare", "-r", "-m", "sh", "-c", script)
	cmd.Env = append(os.Environ(), "VIVA_BLOB_FULL="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(string(out), "--- FAIL") {
		t.Skipf("no mount namespace here: %v %s", err, out)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: TestDiskFull") {
		t.Errorf("%v\n%s", err, out)
	}
}

func fillDisk(t *testing.T, dir string) {
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	data := random(7, 3<<20)
	kept, err := s.Put(bytes.NewReader(data[:1<<20]))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(bytes.NewReader(random(8, 6<<20))); !errors.Is(err, ErrNoSpace) {
		t.Fatalf("put: %v", err)
	}
	id, err := s.Begin(int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	offset, err := s.Append(ctx, id, 0, bytes.NewReader(data))
	if !errors.Is(err, ErrNoSpace) || offset <= 0 || offset >= int64(len(data)) {
		t.Fatalf("append: %d, %v", offset, err)
	}
	if !bytes.Equal(read(t, s, kept.SHA256), data[:1<<20]) {
		t.Error("reading fails on a full disk")
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	st, err := s.Status(id)
	if err != nil || st.Offset != offset {
		t.Fatalf("%+v, %v", st, err)
	}
	if err := s.Remove(kept.SHA256); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(ctx, id, offset, bytes.NewReader(data[offset:])); err != nil {
		t.Fatal(err)
	}
	if b, err := s.Finish(id); err != nil || b.SHA256 != hashOf(data) {
		t.Fatalf("%+v, %v", b, err)
	}
}
