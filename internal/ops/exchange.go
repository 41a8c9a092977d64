package ops

import (
	"errors"
	"os"
)

// exchangeByRename is the way in two steps; when the second fails the first is undone.
func exchangeByRename(fresh, data, aside string) error {
	if err := os.Rename(data, aside); err != nil {
		return err
	}
	if err := os.Rename(fresh, data); err != nil {
		return errors.Join(err, os.Rename(aside, data))
	}
	return nil
}
