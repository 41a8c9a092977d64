package system

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/job"
	"viva/internal/kernel/module"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// dictsTSV holds the dictionaries of the wire family and of the thesis domain, one entry
// a line: module, type, name, value, label, labelEn, sort, color, css, status.
//
//go:embed dicts.tsv
var dictsTSV string

// seedEntry is one entry of the seed, from the file or from a module's list.
type seedEntry struct {
	dictType, name string
	DictData
}

const columnsTSV = 10

// readTSV parses the file; a bad line is a mistake of the build and stops the start-up.
func readTSV(text string) ([]seedEntry, error) {
	var list []seedEntry
	for n, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		c := strings.Split(line, "\t")
		if len(c) != columnsTSV {
			return nil, fmt.Errorf("system: dicts.tsv:%d has %d columns", n+1, len(c))
		}
		if n == 0 {
			continue
		}
		sort, err := strconv.Atoi(c[6])
		if err != nil {
			return nil, fmt.Errorf("system: dicts.tsv:%d: %w", n+1, err)
		}
		status, err := strconv.Atoi(c[9])
		if err != nil {
			return nil, fmt.Errorf("system: dicts.tsv:%d: %w", n+1, err)
		}
		list = append(list, seedEntry{c[1], c[2], DictData{Value: c[3], Label: c[4], LabelEn: c[5], Sort: sort, ColorType: c[7], CSSClass: c[8], Status: status}})
	}
	return list, nil
}

// fromModules gives the entries that modules declare.
func fromModules(modules []*module.Module) []seedEntry {
	var list []seedEntry
	for _, m := range modules {
		for _, d := range m.Dicts {
			for i, e := range d.Entries {
				list = append(list, seedEntry{d.Type, d.Name, DictData{Value: e.Value, Label: e.Label, LabelEn: e.LabelEn, ColorType: e.Color, Sort: i + 1}})
			}
		}
	}
	return list
}

const semesterType = "academic_year_semesters"

// semesters gives two semesters a year from 2023 to four years from now.
func semesters(year int) []seedEntry {
	const first, ahead = 2023, 4
	var list []seedEntry
	zh, en := [...]string{"第一学期", "第二学期"}, [...]string{"semester 1", "semester 2"}
	for y := first; y <= year+ahead; y++ {
		for n := range zh {
			list = append(list, seedEntry{semesterType, "学年学期", DictData{
				Value: fmt.Sprintf("%d-%d-%d", y, y+1, n+1), Sort: (y-first)*len(zh) + n + 1,
				Label: fmt.Sprintf("%d-%d学年%s", y, y+1, zh[n]), LabelEn: fmt.Sprintf("%d-%d %s", y, y+1, en[n]),
			}})
		}
	}
	return list
}

func (s *Service) seedDicts(ctx context.Context) error {
	list, err := readTSV(dictsTSV)
	if err != nil {
		return err
	}
	list = append(list, fromModules(s.modules())...)
	return s.addEntries(ctx, append(list, semesters(clock.Now().In(clock.Shanghai).Year())...))
}

const (
	sqlSeenTypes   = `SELECT type FROM system_dict_type`
	sqlSeenEntries = `SELECT dict_type || '=' || value FROM system_dict_data`
)

// addEntries writes what was never there. Rows that somebody changed or deleted are
// found by their key (deleted ones included) and stay as they are.
func (s *Service) addEntries(ctx context.Context, list []seedEntry) error {
	oldTypes, err := store.Select[string](ctx, sqlSeenTypes, nil)
	if err != nil {
		return err
	}
	oldEntries, err := store.Select[string](ctx, sqlSeenEntries, nil)
	if err != nil {
		return err
	}
	types, entries, added := setOf(oldTypes), setOf(oldEntries), false
	for _, e := range list {
		if !types[e.dictType] {
			types[e.dictType], added = true, true
			if err := s.types.Table.Insert(ctx, &DictType{Type: e.dictType, Name: e.name}); err != nil {
				return fmt.Errorf("system: seed dictionary %s: %w", e.dictType, err)
			}
		}
		key := e.dictType + "=" + e.Value
		if entries[key] {
			continue
		}
		entries[key], added = true, true
		row := e.DictData
		row.DictType = e.dictType
		if err := s.entries.Table.Insert(ctx, &row); err != nil {
			return fmt.Errorf("system: seed dictionary entry %s: %w", key, err)
		}
	}
	if !added {
		return nil
	}
	return s.dict.changed(ctx)
}

func setOf(keys []string) map[string]bool {
	set := make(map[string]bool, len(keys))
	for _, k := range keys {
		set[k] = true
	}
	return set
}

// addSemesters is the yearly growth of the semester dictionary, as a job that looks daily.
func (s *Service) addSemesters(ctx context.Context, _ *job.Run) error {
	return store.Write(actor.AsSystem(ctx, web.Operator), func(ctx context.Context) error {
		return s.addEntries(ctx, semesters(clock.Now().In(clock.Shanghai).Year()))
	})
}
