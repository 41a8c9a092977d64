package system

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// dictionary keeps the enabled entries in memory, in both languages and encoded for the
// wire. Dictionaries are shared by all tenants, so that one snapshot serves everybody.
//
// A change on this node counts from its commit on; one on another node from its signal
// on, or at the latest after lookAgain, when a fingerprint of the tables is compared.
type dictionary struct {
	db         *store.DB
	signals    <-chan string
	generation atomic.Int64 // counts changes; a snapshot of an older one is stale
	lock       sync.Mutex   // held while loading
	snap       atomic.Pointer[snapshot]
}

type snapshot struct {
	generation  int64
	fingerprint fingerprint
	looked      atomic.Int64 // when the fingerprint was last compared, epoch ms
	entries     map[string][]DictEntry
	labels      map[string]map[string]map[string]string
	answers     map[string]*web.Cached
}

// fingerprint changes with every insert, update and (soft) delete.
type fingerprint struct{ N, Versions, Newest int64 }

const (
	lookAgain = 10 * time.Second
	dictTopic = "dict"

	sqlFingerprint = `SELECT COUNT(*) AS n, COALESCE(SUM(x.version), 0) AS versions, COALESCE(MAX(x.update_time), 0) AS newest FROM
 (SELECT version, update_time FROM system_dict_data UNION ALL SELECT version, update_time FROM system_dict_type) x`
	sqlEnabledEntries = `SELECT d.dict_type, d.value, d.label, d.label_en, d.color_type, d.css_class FROM system_dict_data d
 JOIN system_dict_type t ON t.type = d.dict_type AND t.deleted = false AND t.status = 0
 WHERE d.deleted = false AND d.status = 0 ORDER BY d.dict_type, d.sort, d.id`
)

func newDictionary(db *store.DB) *dictionary {
	signals, _ := db.Watch(dictTopic) // watched as long as the database is open
	return &dictionary{db: db, signals: signals}
}

// changed makes the snapshot stale everywhere once the transaction is durable.
func (d *dictionary) changed(ctx context.Context) error {
	store.AfterCommit(ctx, func() { d.generation.Add(1) })
	return store.Signal(ctx, dictTopic, "")
}

// current gives a snapshot that is fresh by the rules above.
func (d *dictionary) current(ctx context.Context) (*snapshot, error) {
	d.drain()
	now := clock.Millis()
	snap := d.snap.Load()
	fresh := snap != nil && snap.generation == d.generation.Load()
	if fresh && now-snap.looked.Load() < lookAgain.Milliseconds() {
		return snap, nil
	}
	if fresh || snap != nil && store.InWrite(ctx) {
		// Somebody loads already: the bounds are soft by that much. Waiting inside a Write
		// would keep a connection that the loader may need.
		if !d.lock.TryLock() {
			return snap, nil
		}
	} else {
		d.lock.Lock()
	}
	defer d.lock.Unlock()
	return d.refresh(now)
}

// drain turns signals into staleness without a goroutine that would have to be stopped.
func (d *dictionary) drain() {
	for {
		select {
		case <-d.signals:
			d.generation.Add(1)
		default:
			return
		}
	}
}

// refresh loads unless another caller just did. It reads outside the caller's
// transaction: what is not committed must not reach others through the cache.
func (d *dictionary) refresh(now int64) (*snapshot, error) {
	generation := d.generation.Load()
	old := d.snap.Load()
	if old != nil && old.generation == generation && now-old.looked.Load() < lookAgain.Milliseconds() {
		return old, nil
	}
	ctx, cancel := context.WithTimeout(store.Use(context.Background(), d.db), 5*time.Second)
	defer cancel()
	seen, _, err := store.Get[fingerprint](ctx, sqlFingerprint, nil)
	if err != nil {
		return nil, err
	}
	if old != nil && old.generation == generation && old.fingerprint == seen {
		old.looked.Store(now)
		return old, nil
	}
	next := &snapshot{generation: generation, fingerprint: seen}
	next.looked.Store(now)
	if err := next.load(ctx); err != nil {
		return nil, err
	}
	d.snap.Store(next)
	return next, nil
}

func (s *snapshot) load(ctx context.Context) error {
	type row struct{ DictType, Value, Label, LabelEn, ColorType, CSSClass string }
	rows, err := store.Select[row](ctx, sqlEnabledEntries, nil)
	if err != nil {
		return err
	}
	s.entries, s.labels, s.answers = map[string][]DictEntry{}, map[string]map[string]map[string]string{}, map[string]*web.Cached{}
	for _, lang := range []string{i18n.ZH, i18n.EN} {
		list, labels := make([]DictEntry, 0, len(rows)), map[string]map[string]string{}
		for _, r := range rows {
			label := r.Label
			if lang == i18n.EN && r.LabelEn != "" {
				label = r.LabelEn
			}
			list = append(list, DictEntry{DictType: r.DictType, Value: r.Value, Label: label, ColorType: r.ColorType, CSSClass: r.CSSClass})
			if labels[r.DictType] == nil {
				labels[r.DictType] = map[string]string{}
			}
			labels[r.DictType][r.Value] = label
		}
		s.entries[lang], s.labels[lang] = list, labels
		if s.answers[lang], err = web.NewCached(list); err != nil {
			return err
		}
	}
	return nil
}

// labels is App.Dictionary: value → label of a type. An unknown or disabled type has no
// values, so that nothing passes its check. The map is shared; nobody changes it.
func (d *dictionary) labels(ctx context.Context, dictType string) (map[string]string, error) {
	snap, err := d.current(ctx)
	if err != nil {
		return nil, err
	}
	if labels := snap.labels[i18n.Lang(ctx)][dictType]; labels != nil {
		return labels, nil
	}
	return map[string]string{}, nil
}

// answer is the encoded list of all enabled entries.
func (d *dictionary) answer(ctx context.Context) (*web.Cached, error) {
	snap, err := d.current(ctx)
	if err != nil {
		return nil, err
	}
	return snap.answers[i18n.Lang(ctx)], nil
}
