package blob

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// traversals are spellings of names that must never be looked up.
func traversals() []string {
	out := []string{
		"", ".", "..", "/", "\\", "~", "con", "nul", "NUL.txt", "aux", "C:", "C:\\windows", "\\\\host\\share", "//host/share",
		"file:///etc/passwd", "%00", "\x00", "a\x00b", "abc", "objects", "uploads", "../objects", "*", "?", "$HOME", "`id`",
		strings.Repeat("a", 31), strings.Repeat("a", 33), strings.Repeat("a", 63), strings.Repeat("a", 65), strings.Repeat("a", 5000),
		strings.Repeat("A", 32), strings.Repeat("A", 64), strings.Repeat("g", 32), strings.Repeat("g", 64),
		strings.Repeat("０", 32), strings.Repeat("a", 31) + "\n", " " + strings.Repeat("a", 31), strings.Repeat("a", 31) + "/",
		strings.Repeat("a", 31) + "\x00", strings.Repeat("a", 28) + ".part", strings.Repeat("a", 32) + ".part", strings.Repeat("./", 16),
	}
	for _, up := range []string{"../", "..\\", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "..%c0%af", "..%252f", "....//", "..;/", "．．/", "..\u2215", "\x2e\x2e\x2f"} {
		for _, depth := range []int{1, 2, 5, 12} {
			for _, target := range []string{"etc/passwd", "uploads/x.info", "windows/win.ini", strings.Repeat("a", 32)} {
				out = append(out, strings.Repeat(up, depth)+target)
			}
		}
	}
	return out
}

func TestHostileNames(t *testing.T) {
	s, dir := open(t)
	outside := filepath.Join(filepath.Dir(dir), "secret.info")
	if err := os.WriteFile(outside, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	names := traversals()
	if len(names) < 200 {
		t.Fatalf("only %d spellings", len(names))
	}
	for _, n := range names {
		_, e1 := s.Append(ctx, n, 0, strings.NewReader("x"))
		_, e2 := s.Status(n)
		_, e3 := s.Finish(n)
		_, e4 := s.Open(n)
		for i, err := range []error{e1, e2, e3, e4, s.Abort(n), s.Remove(n)} {
			if !errors.Is(err, ErrNotFound) {
				t.Errorf("call %d with %.60q: %v", i, n, err)
			}
		}
	}
	if got := files(t, dir); len(got) != 0 {
		t.Errorf("files appeared: %v", got)
	}
	if b, err := os.ReadFile(outside); err != nil || string(b) != "x" {
		t.Error("the file outside was touched")
	}
}

// TestLinkOut plants a symbolic link where a blob would be.
func TestLinkOut(t *testing.T) {
	s, dir := open(t)
	hash := hashOf([]byte("x"))
	name, dirs := objectName(hash)
	secret := filepath.Join(filepath.Dir(dir), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(dirs[1])), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		t.Skip(err)
	}
	if f, err := s.Open(hash); err == nil {
		f.Close()
		t.Error("the link was followed out of the store")
	}
}

func FuzzNames(f *testing.F) {
	for _, n := range traversals() {
		f.Add(n)
	}
	s, dir := open(f)
	f.Fuzz(func(t *testing.T, name string) {
		if _, err := s.Status(name); !errors.Is(err, ErrNotFound) {
			t.Fatalf("%q: %v", name, err)
		}
		if _, err := s.Open(name); !errors.Is(err, ErrNotFound) {
			t.Fatalf("%q: %v", name, err)
		}
		if _, err := os.Stat(dir); err != nil {
			t.Fatal(err)
		}
	})
}
