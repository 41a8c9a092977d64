package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

func TestUpload(t *testing.T) {
	s, dir := open(t)
	data := append([]byte("%PDF-1.7\n"), append(random(2, 5000), "\n%%EOF\n"...)...)
	id, err := s.Begin(int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Finish(id); !errors.Is(err, ErrIncomplete) {
		t.Errorf("finish too early: %v", err)
	}
	off, err := s.Append(ctx, id, 0, bytes.NewReader(data[:1000]))
	if err != nil || off != 1000 {
		t.Fatalf("%d, %v", off, err)
	}
	for _, wrong := range []int64{0, 999, 1001, -1, 1 << 62} {
		var oe *OffsetError
		if off, err := s.Append(ctx, id, wrong, bytes.NewReader(data)); !errors.As(err, &oe) || oe.Offset != 1000 || off != 1000 {
			t.Errorf("append at %d: %d, %v", wrong, off, err)
		}
	}
	if st, err := s.Status(id); err != nil || st.Offset != 1000 || st.Size != int64(len(data)) || st.Done {
		t.Errorf("%+v, %v", st, err)
	}
	if off, err := s.Append(ctx, id, 1000, io.MultiReader(bytes.NewReader(data[1000:]), strings.NewReader("x"))); !errors.Is(err, ErrTooLarge) || off != int64(len(data)) {
		t.Errorf("surplus: %d, %v", off, err)
	}
	b, err := s.Finish(id)
	if err != nil || b.SHA256 != hashOf(data) || b.MIME != PDF || b.Ext != ".pdf" {
		t.Fatalf("%+v, %v", b, err)
	}
	if again, err := s.Finish(id); err != nil || again != b {
		t.Errorf("repeated finish: %+v, %v", again, err)
	}
	if st, err := s.Status(id); err != nil || !st.Done {
		t.Errorf("status when done: %+v, %v", st, err)
	}
	var oe *OffsetError
	if _, err := s.Append(ctx, id, int64(len(data)), strings.NewReader("x")); !errors.As(err, &oe) {
		t.Errorf("append when done: %v", err)
	}
	if err := s.Abort(id); err != nil {
		t.Error(err)
	}
	if _, err := s.Finish(id); !errors.Is(err, ErrNotFound) {
		t.Errorf("finish after abort: %v", err)
	}
	if got := files(t, dir); len(got) != 1 || !strings.HasSuffix(got[0], b.SHA256) {
		t.Errorf("files: %v", got)
	}
}

func TestBeginBounds(t *testing.T) {
	s, _ := open(t)
	for _, n := range []int64{-1, MaxSize + 1} {
		if _, err := s.Begin(n); !errors.Is(err, ErrTooLarge) {
			t.Errorf("Begin(%d): %v", n, err)
		}
	}
	id, err := s.Begin(0)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := s.Finish(id); err != nil || b.SHA256 != hashOf(nil) {
		t.Errorf("empty: %+v, %v", b, err)
	}
}

// TestResume sends one file with 200 cuts at random bytes: the reader breaks,
// the context ends, the store is closed and opened again, the answer is lost.
func TestResume(t *testing.T) {
	s, dir := open(t)
	data := random(3, 2<<20)
	r := rand.New(rand.NewPCG(4, 4))
	id, err := s.Begin(int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	offset, believed := int64(0), int64(0)
	for cut := range 200 {
		chunk := int64(r.IntN(20_000))
		chunk = min(chunk, int64(len(data))-offset-1)
		body := data[believed:min(believed+chunk, int64(len(data)))]
		cctx, cancel := context.WithCancel(ctx)
		var in io.Reader = bytes.NewReader(body)
		switch cut % 4 {
		case 0:
			in = io.MultiReader(in, iotest.ErrReader(io.ErrUnexpectedEOF))
		case 1:
			in = io.MultiReader(in, funcReader(func() (int, error) { cancel(); return 0, nil }))
		case 2:
			in = iotest.OneByteReader(io.LimitReader(in, 100))
		}
		next, err := s.Append(cctx, id, believed, in)
		cancel()
		var oe *OffsetError
		if errors.As(err, &oe) {
			believed = oe.Offset
			if oe.Offset != offset {
				t.Fatalf("cut %d: the store is at %d, acknowledged %d", cut, oe.Offset, offset)
			}
			continue
		}
		if next < offset || next > believed+int64(len(body)) {
			t.Fatalf("cut %d: offset %d", cut, next)
		}
		if (cut%4 == 0 && !errors.Is(err, io.ErrUnexpectedEOF)) || (cut%4 == 1 && !errors.Is(err, context.Canceled)) {
			t.Fatalf("cut %d: %v", cut, err)
		}
		offset = next
		if believed = offset; cut%7 == 0 {
			believed = max(0, offset-1) // the answer was lost
		}
		if cut%11 == 0 {
			garble(t, filepath.Join(dir, filepath.FromSlash(partName(id))), offset)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if s, err = Open(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	st, err := s.Status(id)
	if err != nil || st.Offset != offset {
		t.Fatalf("%+v, %v; acknowledged %d", st, err, offset)
	}
	if end, err := s.Append(ctx, id, offset, bytes.NewReader(data[offset:])); err != nil || end != int64(len(data)) {
		t.Fatalf("%d, %v", end, err)
	}
	b, err := s.Finish(id)
	if err != nil || b.SHA256 != hashOf(data) || !bytes.Equal(read(t, s, b.SHA256), data) {
		t.Fatalf("%+v, %v", b, err)
	}
	_ = s.Close()
}

type funcReader func() (int, error)

func (f funcReader) Read([]byte) (int, error) { return f() }

// garble appends bytes that were never acknowledged, as a crash may leave.
func garble(t *testing.T, name string, offset int64) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteAt([]byte("torn bytes"), offset)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFinishAfterCrash interrupts Finish after each of its steps.
func TestFinishAfterCrash(t *testing.T) {
	for _, moved := range []bool{false, true} {
		s, _ := open(t)
		data := random(5, 5000)
		id, _ := s.Begin(int64(len(data)))
		if _, err := s.Append(ctx, id, 0, bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
		in, err := s.loadInfo(id)
		if err != nil {
			t.Fatal(err)
		}
		in.done, in.hash = true, sha256.Sum256(data)
		if err := s.saveInfo(id, in); err != nil {
			t.Fatal(err)
		}
		if moved {
			if err := s.adopt(partName(id), hashOf(data)); err != nil {
				t.Fatal(err)
			}
		}
		if b, err := s.Finish(id); err != nil || b.SHA256 != hashOf(data) || b.Size != 5000 {
			t.Errorf("moved %v: %+v, %v", moved, b, err)
		}
	}
}

func TestDamagedRecord(t *testing.T) {
	s, dir := open(t)
	id, _ := s.Begin(10)
	name := filepath.Join(dir, filepath.FromSlash(infoName(id)))
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x40
		if err := os.WriteFile(name, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Status(id); !errors.Is(err, ErrNotFound) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
	}
	if err := os.WriteFile(name, good[:20], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Status(id); !errors.Is(err, ErrNotFound) {
		t.Fatalf("cut record: %v", err)
	}
}

func TestConcurrentAppends(t *testing.T) {
	s, _ := open(t)
	data := random(6, 64<<10)
	id, _ := s.Begin(int64(len(data)))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for offset := int64(0); offset < int64(len(data)); {
				end := min(offset+4096, int64(len(data)))
				next, err := s.Append(ctx, id, offset, bytes.NewReader(data[offset:end]))
				var oe *OffsetError
				if err != nil && !errors.As(err, &oe) {
					t.Error(err)
					return
				}
				offset = next
			}
		})
	}
	wg.Wait()
	hashes := make([]string, 8)
	for i := range hashes {
		wg.Go(func() {
			b, err := s.Finish(id)
			if err != nil {
				t.Error(err)
			}
			hashes[i] = b.SHA256
		})
	}
	wg.Wait()
	for _, h := range hashes {
		if h != hashOf(data) {
			t.Errorf("hash %s", h)
		}
	}
	if len(s.active) != 0 {
		t.Errorf("%d locks are left", len(s.active))
	}
}

func TestSweep(t *testing.T) {
	s, dir := open(t)
	begin := func() string {
		id, err := s.Begin(5)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(ctx, id, 0, strings.NewReader("hello")); err != nil {
			t.Fatal(err)
		}
		return id
	}
	stale, finished, fresh := begin(), begin(), begin()
	b, err := s.Finish(finished)
	if err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "uploads", "notes.txt")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-48 * time.Hour)
	for _, name := range []string{partName(stale), infoName(stale), infoName(finished)} {
		if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(name)), old, old); err != nil {
			t.Fatal(err)
		}
	}
	_ = os.Chtimes(foreign, old, old)
	if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(infoName(fresh))), old, old); err != nil {
		t.Fatal(err) // its bytes are recent
	}
	if n, err := s.Sweep(24 * time.Hour); err != nil || n != 3 {
		t.Errorf("swept %d, %v", n, err)
	}
	for id, want := range map[string]error{stale: ErrNotFound, finished: ErrNotFound, fresh: nil} {
		if _, err := s.Status(id); !errors.Is(err, want) {
			t.Errorf("status %v, want %v", err, want)
		}
	}
	if string(read(t, s, b.SHA256)) != "hello" {
		t.Error("the blob went with its upload")
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error("a foreign file was removed")
	}
}

func FuzzRecord(f *testing.F) {
	f.Add(info{size: 10, offset: 5, started: time.UnixMilli(1)}.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if in, err := decodeInfo(b); err == nil && in.offset > in.size {
			t.Fatalf("%+v", in)
		}
	})
}
