package blob

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"time"
)

// info is what an upload keeps beside its bytes. It is written in place as one
// record of less than a disk sector, so that a power cut leaves the old or the
// new one; the checksum catches what that rule of thumb does not hold for.
type info struct {
	size    int64
	offset  int64
	started time.Time
	done    bool
	hash    [sha256.Size]byte // of the result, once done
}

const (
	infoMagic = "VUP1"
	infoSize  = 4 + 8 + 8 + 8 + 1 + sha256.Size + 4
)

func (in info) encode() []byte {
	b := append(make([]byte, 0, infoSize), infoMagic...)
	b = binary.BigEndian.AppendUint64(b, uint64(in.size))
	b = binary.BigEndian.AppendUint64(b, uint64(in.offset))
	b = binary.BigEndian.AppendUint64(b, uint64(in.started.UnixMilli()))
	done := byte(0)
	if in.done {
		done = 1
	}
	b = append(append(b, done), in.hash[:]...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

var errInfo = errors.New("blob: damaged upload record")

func decodeInfo(b []byte) (info, error) {
	if len(b) != infoSize || string(b[:4]) != infoMagic ||
		crc32.ChecksumIEEE(b[:infoSize-4]) != binary.BigEndian.Uint32(b[infoSize-4:]) {
		return info{}, errInfo
	}
	in := info{
		size:    int64(binary.BigEndian.Uint64(b[4:])),
		offset:  int64(binary.BigEndian.Uint64(b[12:])),
		started: time.UnixMilli(int64(binary.BigEndian.Uint64(b[20:]))),
		done:    b[28] == 1,
	}
	copy(in.hash[:], b[29:])
	if in.offset < 0 || in.size < in.offset || in.size > MaxSize {
		return info{}, errInfo
	}
	return in, nil
}

func (s *Store) saveInfo(id string, in info) (err error) {
	f, err := s.root.OpenFile(infoName(id), os.O_WRONLY|os.O_CREATE, 0o640)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err = f.WriteAt(in.encode(), 0); err != nil {
		return err
	}
	return f.Sync()
}

// loadInfo reads the record of an upload. A damaged one is ErrNotFound: the
// client has to start again, which is always safe.
func (s *Store) loadInfo(id string) (in info, err error) {
	f, err := s.root.Open(infoName(id))
	if err != nil {
		return info{}, missing(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	b, err := io.ReadAll(io.LimitReader(f, infoSize+1))
	if err != nil {
		return info{}, fmt.Errorf("blob: %w", err)
	}
	if in, err = decodeInfo(b); err != nil {
		return info{}, fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	return in, nil
}
