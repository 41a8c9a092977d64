package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

const (
	allNotes    = `SELECT * FROM note WHERE tenant_id = :tenant ORDER BY id`
	notesByIDs  = `SELECT title FROM note WHERE tenant_id = :tenant AND id IN (:ids) AND title <> :not ORDER BY id`
	notesByName = `SELECT title FROM note WHERE tenant_id = :tenant AND title IN (:titles) ORDER BY title`
	notesLike   = `SELECT title FROM note WHERE tenant_id = :tenant AND title LIKE :q ESCAPE '\' ORDER BY id`
	fullInsert  = `INSERT INTO note (tenant_id, title, body, done, cents, tags) VALUES (:tenant, :title, :body, :done, :cents, :tags)`
	literal     = `SELECT ':tenant '':x ' || title FROM note WHERE tenant_id = :tenant`
	cast        = `SELECT CAST(COUNT(*) AS BIGINT) FROM note WHERE tenant_id = :tenant`
)

func seed(t testing.TB, ctx context.Context, titles ...string) {
	t.Helper()
	mustWrite(t, ctx, func(ctx context.Context) error {
		for _, title := range titles {
			if err := addNote(ctx, title); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestQuery_roundTrip(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		cents := int64(-1234567890123)
		want := note{ID: 1, TenantID: 1, Title: "论文 'x' \\ \" 😀", Body: strings.Repeat("长", 5000), Done: true, Cents: &cents,
			Tags: store.JSON[[]string]{V: []string{"a", "乙"}}}
		mustWrite(t, ctx, func(ctx context.Context) error {
			n, err := store.Exec(ctx, fullInsert, store.Args{"title": want.Title, "body": want.Body, "done": want.Done, "cents": want.Cents, "tags": want.Tags})
			if err == nil && n != 1 {
				err = fmt.Errorf("%d rows", n)
			}
			return err
		})
		list, err := store.Select[note](ctx, allNotes, nil)
		if err != nil || len(list) != 1 || !reflect.DeepEqual(list[0], want) {
			t.Fatalf("%+v, %v", list, err)
		}
		if text, _, err := store.Get[string](ctx, literal, nil); err != nil || text != ":tenant ':x "+want.Title {
			t.Errorf("literal: %q, %v", text, err)
		}
	})
}

func TestQuery_empty(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		list, err := store.Select[note](ctx, allNotes, nil)
		if err != nil || list == nil || len(list) != 0 {
			t.Errorf("%v, %v", list, err)
		}
		if _, ok, err := store.Get[note](ctx, allNotes, nil); ok || err != nil {
			t.Errorf("Get: %v, %v", ok, err)
		}
		if _, err := store.One[note](ctx, allNotes, nil); !errs.Is(err, errs.ErrNoRecord) {
			t.Errorf("One: %v", err)
		}
		if n, ok, err := store.Get[int64](ctx, cast, nil); n != 0 || !ok || err != nil {
			t.Errorf("cast: %d %v %v", n, ok, err)
		}
	})
}

func TestQuery_lists(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		seed(t, ctx, "a", "b", "c", "d")
		for _, c := range []struct {
			ids  []int64
			want string
		}{{[]int64{1, 3, 4}, "[a d]"}, {nil, "[]"}, {[]int64{99}, "[]"}, {[]int64{2}, "[b]"}} {
			got, err := store.Select[string](ctx, notesByIDs, store.Args{"ids": c.ids, "not": "c"})
			if err != nil || fmt.Sprint(got) != c.want {
				t.Errorf("%v: %v, %v", c.ids, got, err)
			}
		}
		got, err := store.Select[string](ctx, notesByName, store.Args{"titles": []string{"d", "a", "'; DROP TABLE note; --"}})
		if err != nil || fmt.Sprint(got) != "[a d]" {
			t.Errorf("%v, %v", got, err)
		}
	})
}

func TestQuery_like(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		seed(t, ctx, "Alpha", "al%pha", "b_c", "bxc", `back\slash`, "毕业论文")
		for q, want := range map[string]string{
			"ALPH": "[Alpha]", "%": "[al%pha]", "_": "[b_c]", `\`: `[back\slash]`, "论": "[毕业论文]", "' OR 1=1": "[]",
		} {
			got, err := store.Select[string](ctx, notesLike, store.Args{"q": store.Contains(q)})
			if err != nil || fmt.Sprint(got) != want {
				t.Errorf("%q: %v, %v", q, got, err)
			}
		}
	})
}

func TestQuery_missingValue(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		if _, err := store.Select[string](ctx, notesLike, nil); err == nil || !strings.Contains(err.Error(), ":q") {
			t.Errorf("%v", err)
		}
	})
}

func TestQuery_errorFromEach(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		seed(t, ctx, "a", "b")
		stop := errors.New("enough")
		if err := store.Each(ctx, allNotes, nil, func(note) error { return stop }); !errors.Is(err, stop) {
			t.Error(err)
		}
		mustWrite(t, ctx, func(ctx context.Context) error { // the rows must be closed, else the connection is busy
			_ = store.Each(ctx, allNotes, nil, func(note) error { return stop })
			return addNote(ctx, "c")
		})
	})
}

func TestQuery_page(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		for i := range 45 {
			seed(t, ctx, fmt.Sprintf("n%02d", i))
		}
		page := func(no, size int, filter string) (store.Page[note], error) {
			q := store.Build(`FROM note WHERE tenant_id = :tenant`, nil).If(filter != "", ` AND title LIKE :f ESCAPE '\'`, "f", store.Contains(filter))
			return store.SelectPage[note](ctx, "*", q, "id DESC", store.Paging{PageNo: no, PageSize: size})
		}
		for _, c := range []struct {
			no, size, rows int
			total          int64
			filter, first  string
		}{{1, 20, 20, 45, "", "n44"}, {3, 20, 5, 45, "", "n04"}, {4, 20, 0, 45, "", ""}, {0, 0, 20, 45, "", "n44"}, {1, 500, 10, 10, "n1", "n19"}, {1, 20, 0, 0, "none", ""}} {
			p, err := page(c.no, c.size, c.filter)
			if err != nil || len(p.List) != c.rows || p.Total != c.total || p.Capped || p.List == nil || c.rows > 0 && p.List[0].Title != c.first {
				t.Errorf("%+v: %d rows of %d, %v", c, len(p.List), p.Total, err)
			}
		}
	})
}

func TestQuery_unique(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		seed(t, ctx, "one")
		err := store.Write(ctx, func(ctx context.Context) error { return addNote(ctx, "one") })
		if !errors.Is(err, store.ErrUnique) {
			t.Errorf("%v", err)
		}
		for name, q := range map[string]string{"not null": `INSERT INTO country (code) VALUES ('x')`, "syntax": `INSERT INTO country SELEKT`} {
			err := store.Write(ctx, func(ctx context.Context) error {
				_, err := store.Exec(ctx, store.Generated(q), nil)
				return err
			})
			if err == nil || errors.Is(err, store.ErrUnique) || errs.Is(err, errs.ErrUnavailable) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestQuery_runawayBuilder(t *testing.T) {
	each(t, func(t *testing.T, ctx context.Context) {
		for i := range 5000 {
			q := store.Generated(fmt.Sprintf("SELECT %d FROM country", i))
			if i%500 == 0 {
				if _, err := store.Select[int](ctx, q, nil); err != nil {
					t.Fatal(err)
				}
				continue
			}
			_, _, _ = store.Get[int](canceled(ctx), q, nil) // compiled, not run
		}
	})
}

func canceled(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}

func TestSnake(t *testing.T) {
	for in, want := range map[string]string{"ID": "id", "DeptID": "dept_id", "UserIP": "user_ip", "URL": "url", "PrevHash": "prev_hash",
		"HTTPServer": "http_server", "A1B": "a1_b", "x": "x"} {
		if got := store.Snake(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
