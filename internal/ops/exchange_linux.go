package ops

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange puts fresh in the place of data in one step, so that there is a data
// directory at every moment, and names the former one aside.
func exchange(fresh, data, aside string) error {
	err := unix.Renameat2(unix.AT_FDCWD, fresh, unix.AT_FDCWD, data, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) { // not on every file system
		return exchangeByRename(fresh, data, aside)
	}
	if err != nil {
		return err
	}
	return os.Rename(fresh, aside)
}
