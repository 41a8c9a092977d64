package bpmn

// Set is a set of node indices.
type Set []uint64

func newSet(n int) Set { return make(Set, (n+63)/64) }

// Has reports whether the node is in the set.
func (s Set) Has(i int) bool { return i >= 0 && i/64 < len(s) && s[i/64]&(1<<(i%64)) != 0 }

func (s Set) add(i int) { s[i/64] |= 1 << (i % 64) }
