package web_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

var fixture fs.FS = fstest.MapFS{"9000_item.sql": {Data: []byte(`-- +goose Up
CREATE TABLE item (id IDENTITY_KEY, tenant_id BIGINT NOT NULL, name TEXT NOT NULL,
  creator TEXT NOT NULL, create_time BIGINT NOT NULL, updater TEXT NOT NULL, update_time BIGINT NOT NULL, deleted BOOLEAN NOT NULL, version INTEGER NOT NULL);
`)}}

type item struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	table.Meta
}

var items = table.New[item]("item", "条目")

var errLocked = errs.Define(1099000001, errs.Conflict, "步骤 {} 已锁定", "Step {} is locked")

type createIn struct {
	Name string `json:"name" doc:"名称|Name" minLength:"1" maxLength:"30" required:"true"`
	Size *int   `json:"size" doc:"大小|Size" minimum:"1" maximum:"9"`
	Kind string `json:"kind" doc:"种类|Kind" enum:"a,b" required:"false"`
	Tree any    `json:"tree"`
}

type queryIn struct {
	store.Paging
	IDs   []int64  `query:"ids,explode"`
	Name  string   `query:"name" doc:"名称|Name"`
	Range []string `query:"createTime,explode"`
	Inner string   `query:"filter[name]"`
}

type failIn struct {
	Kind string `query:"kind"`
}

const (
	countItems = `SELECT COUNT(*) FROM item WHERE tenant_id = :tenant`
	listItems  = `SELECT name FROM item WHERE tenant_id = :tenant ORDER BY id`
)

// site is an App with calls of every sort, and callers of every sort.
type site struct {
	app   *web.App
	h     http.Handler
	auth  *kerneltest.Auth
	db    *store.DB
	token map[string]string
}

func newSite(t testing.TB, db *store.DB, o web.Options) *site {
	t.Helper()
	if o.UserRate == 0 {
		o.UserRate = -1
	}
	s := &site{app: web.New(db, o), auth: kerneltest.NewAuth(), db: db}
	s.app.SetAuthenticator(s.auth)
	s.token = map[string]string{
		"anonymous": "", "admin": s.auth.Add(kerneltest.Admin(1)), "admin2": s.auth.Add(kerneltest.Admin(2)),
		"creator": s.auth.Add(kerneltest.User(1, 10, "demo:item:create")), "nobody": s.auth.Add(kerneltest.User(1, 11)),
		"student": s.auth.Add(kerneltest.Student(1, 12)),
	}
	m := s.app.Module("demo")
	declareReading(m)
	declareChanging(m)
	s.h = s.app.Handler("/")
	return s
}

func declareReading(m *web.Module) {
	ok := func(context.Context, web.None) (string, error) { return "ok", nil }
	web.Get(m, "/public", web.Public, ok)
	web.Get(m, "/open", web.PublicNoTenant, ok)
	web.Get(m, "/signed-in", web.SignedIn, ok)
	web.Get(m, "/self", web.Self, ok)
	web.Get(m, "/staff", web.Staff, ok)
	web.Get(m, "/item/list", web.Perm("demo:item:query", "demo:item:create"), func(ctx context.Context, _ web.None) ([]string, error) {
		return store.Select[string](ctx, listItems, nil)
	})
	web.Get(m, "/page", web.SignedIn, func(_ context.Context, in queryIn) (queryIn, error) { return in, nil })
	web.Get(m, "/fail", web.SignedIn, func(_ context.Context, in failIn) (string, error) { return "", failures[in.Kind] })
	web.Get(m, "/whoami", web.Public, func(ctx context.Context, _ web.None) (int64, error) {
		return actor.From(ctx).TenantID*100000 + actor.From(ctx).UserID, nil
	})
	web.Stream(m, "/file", web.SignedIn, func(_ context.Context, in failIn) (*web.Download, error) {
		return &web.Download{Name: "名单.csv", Type: "text/csv", Write: func(w io.Writer) error {
			if in.Kind != "" {
				return failures[in.Kind]
			}
			_, err := io.WriteString(w, "a,b\n")
			return err
		}}, nil
	})
}

func declareChanging(m *web.Module) {
	web.Post(m, "/item/create", web.Perm("demo:item:create"), func(ctx context.Context, in createIn) (int64, error) {
		row := item{Name: in.Name}
		err := items.Insert(ctx, &row)
		if err == nil && in.Name == "refused" {
			err = errLocked.With(3).WithData([]string{"guard"})
		}
		if in.Name == "panic" {
			panic("bad code")
		}
		return row.ID, err
	}, web.Title("新建条目"))
	web.Raw(m, web.RawCall{Method: http.MethodPost, Path: "/raw", Access: web.SignedIn, Summary: "raw", In: &huma.Schema{Type: "object"},
		Fn: func(ctx context.Context, r web.RawRequest) (any, error) {
			row := item{Name: "raw"}
			return len(r.Body), items.Insert(ctx, &row)
		}})
	web.Raw(m, web.RawCall{Method: http.MethodPost, Path: "/upload", Access: web.SignedIn, StreamBody: true, MaxBytes: 2 << 20,
		Fn: func(_ context.Context, r web.RawRequest) (any, error) {
			n, err := io.Copy(io.Discard, r.Stream)
			return n, err
		}})
}

// failures are errors of every kind, by name.
var failures = map[string]error{
	"invalid": errs.Field("name", "不好"), "unauthenticated": errs.ErrUnauthenticated.With(), "forbidden": errs.ErrForbidden.With(),
	"not-found": errs.ErrNoRecord.With(), "conflict": errLocked.With(3).WithData([]string{"guard"}), "stale": errs.ErrStale.With(),
	"limit": errs.ErrLimit.With(), "too-large": errs.ErrTooLarge.With("1 MB"), "unavailable": errs.ErrUnavailable.With().Because(errors.New("disk full at /secret/path")),
	"internal": errors.New("secret detail of the database"), "unscoped": store.ErrUnscoped, "cancelled": context.Canceled,
}

func quiet(t testing.TB) {
	t.Helper()
	old := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(old) })
}

func (s *site) count(t testing.TB) int64 {
	t.Helper()
	n, _, err := store.Get[int64](kerneltest.AsSystem(s.db, 1), countItems, nil)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func body(h http.Handler, r *http.Request) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Body.String()
}

func ip(ctx context.Context) string { return actor.RequestOf(ctx).IP }
