//go:build !linux

package ops

func exchange(fresh, data, aside string) error { return exchangeByRename(fresh, data, aside) }
