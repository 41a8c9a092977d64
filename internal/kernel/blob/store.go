// Package blob keeps files on the local disk under the SHA-256 of their
// content. A file is written once, never changed, and stored once however often
// it is uploaded; names, owners and rights are the caller's business and live
// in the database.
//
//	objects/ab/cd/abcd…   complete blobs
//	uploads/<id>.part     bytes of a running upload
//	uploads/<id>.info     its size, the offset that is safe, the result
//
// All access goes through an os.Root, so that no name can lead out of the
// directory. What a call has acknowledged survives a power cut: data, then the
// record of its length, then the directory entry are synced in that order.
package blob

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"sync"
	"syscall"
	"time"
)

var (
	// ErrNotFound says that no such blob or upload exists. Malformed hashes and
	// ids count as not existing.
	ErrNotFound = errors.New("blob: not found")
	// ErrNoSpace says that the disk or the quota of the process is full.
	ErrNoSpace = errors.New("blob: no space left")
	// ErrTooLarge says that more bytes came than were announced, or more were
	// announced than MaxSize.
	ErrTooLarge = errors.New("blob: too large")
	// ErrIncomplete says that Finish was called before all bytes were there.
	ErrIncomplete = errors.New("blob: upload is incomplete")
)

// MaxSize is the largest file the store takes. What a use case allows is far
// smaller and its own to check.
const MaxSize = 4 << 30

// Blob describes a stored file. MIME and Ext are judged by content; see Detect.
type Blob struct {
	SHA256 string // 64 lower-case hexadecimal digits; the name of the blob
	Size   int64
	MIME   string
	Ext    string // with the dot, "" when unknown
}

// Store is a directory of blobs. It is safe for concurrent use by one process.
type Store struct {
	root *os.Root
	now  func() time.Time

	mu     sync.Mutex
	active map[string]*upload // uploads in use, for their locks
}

// Open opens the store in dir, which is created when missing.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	s := &Store{root: root, now: time.Now, active: map[string]*upload{}}
	for _, sub := range []string{"objects", "uploads"} {
		if err := s.mkdir(sub); err != nil {
			return nil, errors.Join(err, root.Close())
		}
	}
	return s, nil
}

// Close releases the directory. Blobs that are open stay readable.
func (s *Store) Close() error { return s.root.Close() }

// Put stores the whole of r, at most MaxSize bytes.
func (s *Store) Put(r io.Reader) (Blob, error) {
	id, err := newID()
	if err != nil {
		return Blob{}, err
	}
	name := partName(id)
	b, err := s.fill(name, r)
	if err == nil {
		err = s.adopt(name, b.SHA256)
	}
	if err != nil {
		_ = s.root.Remove(name)
		return Blob{}, full(err)
	}
	return b, nil
}

// fill writes r to a new file and describes it.
func (s *Store) fill(name string, r io.Reader) (b Blob, err error) {
	f, err := s.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return Blob{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, h), io.LimitReader(r, MaxSize+1))
	if err != nil {
		return Blob{}, err
	}
	if n > MaxSize {
		return Blob{}, ErrTooLarge
	}
	if err = f.Sync(); err != nil {
		return Blob{}, err
	}
	b = Blob{SHA256: hex.EncodeToString(h.Sum(nil)), Size: n}
	b.MIME, b.Ext, err = Detect(f)
	return b, err
}

// adopt moves a complete, synced file to its place. When the blob is already
// there, only its time is renewed, so that a collector of orphans that judges
// by age leaves it alone. One of another size is damaged and is replaced.
func (s *Store) adopt(from, hash string) error {
	to, dirs := objectName(hash)
	mine, err := s.root.Stat(from)
	if err != nil {
		return err
	}
	if there, err := s.root.Stat(to); err == nil && there.Size() == mine.Size() {
		now := s.now()
		if err := s.root.Chtimes(to, now, now); err != nil {
			return err
		}
		return s.root.Remove(from)
	}
	for _, d := range dirs {
		if err := s.mkdir(d); err != nil {
			return err
		}
	}
	if err := s.root.Rename(from, to); err != nil {
		return err
	}
	return s.syncDir(path.Dir(to))
}

// Open opens a blob for reading. A blob removed meanwhile stays readable.
func (s *Store) Open(hash string) (io.ReadSeekCloser, error) {
	if !validHex(hash, sha256.Size) {
		return nil, ErrNotFound
	}
	name, _ := objectName(hash)
	f, err := s.root.Open(name)
	if err != nil {
		return nil, missing(err)
	}
	return f, nil
}

// Remove deletes a blob. Whoever calls it makes sure that nothing refers to it.
func (s *Store) Remove(hash string) error {
	if !validHex(hash, sha256.Size) {
		return ErrNotFound
	}
	name, _ := objectName(hash)
	if err := s.root.Remove(name); err != nil {
		return missing(err)
	}
	return s.syncDir(path.Dir(name))
}

// Each calls fn for every blob until fn returns an error, which it passes on.
// The time is that of the last upload of the content.
func (s *Store) Each(fn func(hash string, size int64, stored time.Time) error) error {
	return fs.WalkDir(s.root.FS(), "objects", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !validHex(d.Name(), sha256.Size) {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return fn(d.Name(), info.Size(), info.ModTime())
	})
}

// mkdir creates one directory and makes its entry durable.
func (s *Store) mkdir(name string) error {
	err := s.root.Mkdir(name, 0o750)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return full(err)
	}
	return s.syncDir(path.Dir(name))
}

// syncDir makes renames and removals in a directory durable. Systems that
// cannot sync a directory do not need it.
func (s *Store) syncDir(name string) error {
	d, err := s.root.Open(name)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

// objectName returns the path of a blob and the directories above it.
func objectName(hash string) (name string, dirs []string) {
	first := "objects/" + hash[:2]
	second := first + "/" + hash[2:4]
	return second + "/" + hash, []string{first, second}
}

func newID() (string, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("blob: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// validHex tells whether s is exactly n bytes in lower-case hexadecimal: the
// only names the store makes, hence the only ones it looks for.
func validHex(s string, n int) bool {
	if len(s) != 2*n {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// full marks errors that mean a full disk.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %w", ErrNoSpace, err)
	}
	return err
}

func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	return fmt.Errorf("blob: %w", err)
}
