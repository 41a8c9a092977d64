package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"
)

// OffsetError answers an Append at the wrong place. Offset is where the store
// wants the next byte.
type OffsetError struct{ Offset int64 }

func (e *OffsetError) Error() string {
	return fmt.Sprintf("blob: the upload continues at offset %d", e.Offset)
}

// Upload is the state of a running or finished upload.
type Upload struct {
	Size    int64 // announced
	Offset  int64 // safely stored
	Started time.Time
	Done    bool // Finish has succeeded; it will answer the same again
}

// upload serialises the calls for one id.
type upload struct {
	mu   sync.Mutex
	uses int
}

// lock takes the lock of an upload; the entry lives only while someone holds or
// waits for it.
func (s *Store) lock(id string) (unlock func()) {
	s.mu.Lock()
	u := s.active[id]
	if u == nil {
		u = &upload{}
		s.active[id] = u
	}
	u.uses++
	s.mu.Unlock()
	u.mu.Lock()
	return func() {
		u.mu.Unlock()
		s.mu.Lock()
		defer s.mu.Unlock()
		if u.uses--; u.uses == 0 {
			delete(s.active, id)
		}
	}
}

// Begin announces a file of size bytes and returns the id under which its
// bytes are to be sent. The id is unguessable and the only key to the upload.
func (s *Store) Begin(size int64) (uploadID string, err error) {
	if size < 0 || size > MaxSize {
		return "", fmt.Errorf("%w: %d bytes", ErrTooLarge, size)
	}
	if uploadID, err = newID(); err != nil {
		return "", err
	}
	f, err := s.root.OpenFile(partName(uploadID), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		err = s.saveInfo(uploadID, info{size: size, started: s.now()})
	}
	if err == nil {
		err = s.syncDir("uploads")
	}
	if err != nil {
		_ = s.discard(uploadID)
		return "", full(err)
	}
	return uploadID, nil
}

// Append adds the bytes of r at offset, which must be where the upload stands;
// otherwise it returns an *OffsetError with the right offset and reads nothing.
// It always returns the offset that is safe now: when r, ctx or the disk fails
// half-way, what arrived is kept and the client goes on from there. Bytes
// beyond the announced size are ErrTooLarge.
func (s *Store) Append(ctx context.Context, uploadID string, offset int64, r io.Reader) (newOffset int64, err error) {
	if !validHex(uploadID, 16) {
		return 0, ErrNotFound
	}
	defer s.lock(uploadID)()
	in, err := s.loadInfo(uploadID)
	if err != nil {
		return 0, err
	}
	if offset != in.offset || in.done {
		return in.offset, &OffsetError{Offset: in.offset}
	}
	n, err := s.write(uploadID, offset, &limited{ctx: ctx, r: r, left: in.size - offset})
	if n > 0 {
		// Recorded only after the bytes are synced: see write.
		next := in
		next.offset += n
		if saveErr := s.saveInfo(uploadID, next); saveErr != nil {
			return in.offset, full(errors.Join(err, saveErr))
		}
		in = next
	}
	return in.offset, full(err)
}

// write puts the bytes into the part file and syncs it. It returns how many
// are durable, also when it fails.
func (s *Store) write(id string, offset int64, r io.Reader) (n int64, err error) {
	f, err := s.root.OpenFile(partName(id), os.O_WRONLY, 0)
	if err != nil {
		return 0, missing(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// Bytes beyond the recorded offset were never acknowledged.
	if err = f.Truncate(offset); err != nil {
		return 0, err
	}
	if _, err = f.Seek(offset, io.SeekStart); err != nil {
		return 0, err
	}
	n, err = io.Copy(f, r)
	if syncErr := f.Sync(); syncErr != nil {
		return 0, errors.Join(err, syncErr)
	}
	return n, err
}

// limited reads at most left bytes, stops when ctx ends and reports surplus.
type limited struct {
	ctx  context.Context
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if err := l.ctx.Err(); err != nil {
		return 0, err
	}
	if l.left <= 0 {
		var probe [1]byte
		n, err := l.r.Read(probe[:])
		if n > 0 {
			return 0, ErrTooLarge
		}
		return 0, err
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// Status returns the state of an upload.
func (s *Store) Status(uploadID string) (Upload, error) {
	if !validHex(uploadID, 16) {
		return Upload{}, ErrNotFound
	}
	defer s.lock(uploadID)()
	in, err := s.loadInfo(uploadID)
	if err != nil {
		return Upload{}, err
	}
	return Upload{Size: in.size, Offset: in.offset, Started: in.started, Done: in.done}, nil
}

// Finish turns a complete upload into a blob. It may be repeated when its
// answer was lost: until Sweep forgets the upload it returns the same blob.
func (s *Store) Finish(uploadID string) (Blob, error) {
	if !validHex(uploadID, 16) {
		return Blob{}, ErrNotFound
	}
	defer s.lock(uploadID)()
	in, err := s.loadInfo(uploadID)
	if err != nil {
		return Blob{}, err
	}
	if in.done {
		if b, err := s.describe(hex.EncodeToString(in.hash[:])); err == nil || !errors.Is(err, ErrNotFound) {
			return b, err
		}
		// The result was recorded but the move did not happen: do it now.
	}
	if in.offset != in.size {
		return Blob{}, fmt.Errorf("%w: %d of %d bytes", ErrIncomplete, in.offset, in.size)
	}
	b, err := s.measure(uploadID, in.size)
	if err != nil {
		return Blob{}, err
	}
	in.done = true
	if _, err := hex.Decode(in.hash[:], []byte(b.SHA256)); err != nil {
		return Blob{}, fmt.Errorf("blob: %w", err)
	}
	// The result is on disk before the part file goes, so that a crash between
	// the two loses nothing.
	if err := s.saveInfo(uploadID, in); err != nil {
		return Blob{}, full(err)
	}
	if err := s.adopt(partName(uploadID), b.SHA256); err != nil {
		return Blob{}, full(err)
	}
	return b, nil
}

// measure hashes and judges the part file.
func (s *Store) measure(id string, size int64) (b Blob, err error) {
	f, err := s.root.OpenFile(partName(id), os.O_RDWR, 0)
	if err != nil {
		return Blob{}, missing(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err = f.Truncate(size); err != nil {
		return Blob{}, err
	}
	if err = f.Sync(); err != nil {
		return Blob{}, full(err)
	}
	return describe(f, size)
}

// describe re-reads a stored blob.
func (s *Store) describe(hash string) (b Blob, err error) {
	f, err := s.Open(hash)
	if err != nil {
		return Blob{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return Blob{}, err
	}
	mime, ext, err := Detect(f)
	return Blob{SHA256: hash, Size: size, MIME: mime, Ext: ext}, err
}

// describe hashes and judges f, which must hold size bytes.
func describe(f io.ReadSeeker, size int64) (Blob, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Blob{}, err
	}
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return Blob{}, err
	}
	if n != size {
		return Blob{}, fmt.Errorf("%w: the file holds %d of %d bytes", ErrIncomplete, n, size)
	}
	b := Blob{SHA256: hex.EncodeToString(h.Sum(nil)), Size: n}
	b.MIME, b.Ext, err = Detect(f)
	return b, err
}

// Abort forgets an upload and its bytes. A blob it has become stays.
func (s *Store) Abort(uploadID string) error {
	if !validHex(uploadID, 16) {
		return ErrNotFound
	}
	defer s.lock(uploadID)()
	if _, err := s.loadInfo(uploadID); err != nil {
		return err
	}
	return s.discard(uploadID)
}

// discard removes both files of an upload.
func (s *Store) discard(id string) error {
	var errs []error
	for _, name := range []string{partName(id), infoName(id)} {
		if err := s.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Sweep removes uploads, finished or not, and left-over temporary files that
// nothing was written to for olderThan, and returns how many files went.
func (s *Store) Sweep(olderThan time.Duration) (removed int, err error) {
	entries, err := fs.ReadDir(s.root.FS(), "uploads")
	if err != nil {
		return 0, fmt.Errorf("blob: %w", err)
	}
	limit := s.now().Add(-olderThan)
	newest := map[string]time.Time{}
	for _, e := range entries {
		id, _, _ := strings.Cut(e.Name(), ".")
		info, err := e.Info()
		if err != nil || !validHex(id, 16) {
			continue // gone meanwhile, or not ours
		}
		if t := info.ModTime(); t.After(newest[id]) {
			newest[id] = t
		}
	}
	var errs []error
	for id, t := range newest {
		if !t.Before(limit) {
			continue
		}
		n, err := s.sweepOne(id, limit)
		removed += n
		errs = append(errs, err)
	}
	return removed, errors.Join(errs...)
}

// sweepOne looks again under the lock: the upload may just have gone on.
func (s *Store) sweepOne(id string, limit time.Time) (removed int, err error) {
	defer s.lock(id)()
	names := []string{partName(id), infoName(id)}
	for _, name := range names {
		if fi, err := s.root.Stat(name); err == nil && !fi.ModTime().Before(limit) {
			return 0, nil
		}
	}
	var errs []error
	for _, name := range names {
		err := s.root.Remove(name)
		if err == nil {
			removed++
		} else if !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return removed, errors.Join(errs...)
}

func partName(id string) string { return "uploads/" + id + ".part" }
func infoName(id string) string { return "uploads/" + id + ".info" }
