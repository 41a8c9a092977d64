package system

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"viva/internal/kernel/audit"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/field"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/richtext"
	"viva/internal/kernel/store"
)

// reader turns audit rows into sentences such as 修改岗位「讲师」：名称 a → b. Labels come
// from the descriptions of the entities, dictionary values from the dictionaries.
type reader struct {
	lang     string
	entities map[string]crud.Description
	labels   map[string]map[string]string
	names    map[rowKey]string
	people   map[int64]person
}

type rowKey struct {
	entity string
	id     int64
}

// newReader prepares what the given rows need; without rows, names come from the rows
// alone.
func (s *Service) newReader(ctx context.Context, rows []audit.Row) (*reader, error) {
	snap, err := s.dict.current(ctx)
	if err != nil {
		return nil, err
	}
	r := &reader{lang: i18n.Lang(ctx), labels: snap.labels[i18n.Lang(ctx)], entities: byTable(s.app.Entities), names: map[rowKey]string{}}
	if len(rows) == 0 {
		return r, nil
	}
	var users []int64
	for _, row := range rows {
		users = append(users, row.UserID)
	}
	slices.Sort(users)
	if r.people, err = peopleByID(ctx, slices.Compact(users)); err != nil {
		return nil, err
	}
	return r, r.findNames(ctx, rows)
}

// byTable finds the description of an entity by its table, which is named like the
// entity's calls or in the plural of it (system/user, system_users).
func byTable(entities map[string]any) map[string]crud.Description {
	found := make(map[string]crud.Description, 2*len(entities))
	for key, e := range entities {
		if d, ok := e.(crud.Description); ok {
			table := strings.NewReplacer("/", "_", "-", "_").Replace(key)
			found[table], found[table+"s"] = d, d
		}
	}
	return found
}

const sqlCreated = `SELECT a.entity, a.biz_id, a.after FROM audit_log a
 WHERE a.tenant_id = :tenant AND a.op = 1 AND a.entity IN (:entities) AND a.biz_id IN (:ids)`

// findNames looks up what rows were called when they were made, for changes that do not
// mention the name.
func (r *reader) findNames(ctx context.Context, rows []audit.Row) error {
	entities, ids := map[string]bool{}, map[int64]bool{}
	for _, row := range rows {
		if row.Op == int(audit.Updated) && nameIn(decode(row.Before)) == "" {
			entities[row.Entity], ids[row.BizID] = true, true
		}
	}
	if len(ids) == 0 {
		return nil
	}
	type created struct {
		Entity string
		BizID  int64
		After  string
	}
	list, err := store.Select[created](ctx, sqlCreated, store.Args{"entities": slices.Collect(maps.Keys(entities)), "ids": slices.Collect(maps.Keys(ids))})
	for _, c := range list {
		r.names[rowKey{c.Entity, c.BizID}] = nameIn(decode(c.After))
	}
	return err
}

func (r *reader) read(row audit.Row) OperateLog {
	title := r.title(row)
	action := r.action(row, title)
	nickname := r.people[row.UserID].Nickname
	if nickname == "" {
		nickname = row.UserName
	}
	sub := row.SubType
	if r.lang == i18n.EN {
		sub = verbsEn[row.Op]
	}
	return OperateLog{
		ID: row.ID, TraceID: row.TraceID, UserID: row.UserID, UserName: row.UserName, UserNickname: nickname, UserType: row.UserType,
		Type: title, SubType: sub, BizID: row.BizID, Action: action, Extra: row.Reason, RequestMethod: row.Method, RequestURL: row.URL,
		UserIP: row.UserIP, UserAgent: row.UserAgent, CreateTime: row.CreateTime, Module: title, Name: sub, Content: action,
		StartTime: row.CreateTime, Success: true, Entity: row.Entity, Op: row.Op, ChainNo: row.ChainNo, Hash: row.Hash,
		Before: json.RawMessage("{}"), After: json.RawMessage("{}"),
	}
}

var verbsEn = map[int]string{int(audit.Created): "Created", int(audit.Updated): "Changed", int(audit.Deleted): "Deleted", int(audit.Event): "Event"}

func (r *reader) title(row audit.Row) string {
	if d, ok := r.entities[row.Entity]; ok && r.lang == i18n.EN && d.TitleEn != "" {
		return d.TitleEn
	}
	return row.Type
}

// maxAction bounds a sentence; the detail view has everything.
const maxAction = 500

func (r *reader) action(row audit.Row, title string) string {
	if row.Action != "" {
		return row.Action
	}
	before, after := decode(row.Before), decode(row.After)
	name := nameIn(before)
	if name == "" && row.Op == int(audit.Created) {
		name = nameIn(after)
	}
	if name == "" {
		name = r.names[rowKey{row.Entity, row.BizID}]
	}
	var text string
	if r.lang == i18n.EN {
		if name == "" {
			name = fmt.Sprint("#", row.BizID)
		}
		text = verbsEn[row.Op] + " " + title + " “" + name + "”"
	} else {
		if name == "" {
			name = fmt.Sprint("编号 ", row.BizID)
		}
		text = row.SubType + title + "「" + name + "」"
	}
	if row.Op == int(audit.Updated) {
		text += r.changes(row.Entity, before, after)
	}
	return clip(text, maxAction)
}

// changes lists each changed field as "label old → new".
func (r *reader) changes(entity string, before, after map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(after)) {
		f := r.field(entity, name)
		parts = append(parts, f.Text(r.lang)+" "+r.show(f, before[name])+" → "+r.show(f, after[name]))
	}
	if len(parts) == 0 {
		return ""
	}
	if r.lang == i18n.EN {
		return ": " + strings.Join(parts, "; ")
	}
	return "：" + strings.Join(parts, "；")
}

func (r *reader) field(entity, name string) *field.Field {
	for _, f := range r.entities[entity].Fields {
		if f.Name == name {
			return f
		}
	}
	return &field.Field{Name: name}
}

const maxValue = 60

// show is a value as a person reads it.
func (r *reader) show(f *field.Field, v any) string {
	switch x := v.(type) {
	case nil:
		return r.pick("空", "empty")
	case bool:
		if x {
			return r.pick("是", "yes")
		}
		return r.pick("否", "no")
	case json.Number:
		if label := r.labels[f.Dict][x.String()]; label != "" {
			return label
		}
		if ms, err := x.Int64(); err == nil && f.Kind == "time" && ms > 0 {
			return time.UnixMilli(ms).In(clock.Shanghai).Format(time.DateTime)
		}
		return x.String()
	case string:
		if x == "" {
			return r.pick("空", "empty")
		}
		if label := r.labels[f.Dict][x]; label != "" {
			return label
		}
		if f.Kind == "richtext" {
			x = richtext.Text(x)
		}
		return clip(strings.Join(strings.Fields(x), " "), maxValue)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return clip(string(b), maxValue)
}

func (r *reader) pick(zh, en string) string {
	if r.lang == i18n.EN {
		return en
	}
	return zh
}

// nameIn finds what a row is called.
func nameIn(values map[string]any) string {
	for _, key := range []string{"name", "title", "label", "nickname", "username", "code", "key"} {
		if s, ok := values[key].(string); ok && s != "" {
			return clip(s, maxValue)
		}
	}
	return ""
}

func decode(text string) map[string]any {
	if text == "" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var m map[string]any
	if d.Decode(&m) != nil {
		return nil
	}
	return m
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
