package kerneltest

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

var fixture = fstest.MapFS{"9000_x.sql": {Data: []byte("-- +goose Up\nCREATE TABLE mark (id IDENTITY_KEY, tenant_id BIGINT NOT NULL, text TEXT NOT NULL);\n")}}

const countMarks = `SELECT COUNT(*) FROM mark WHERE tenant_id = :tenant`

// TestEach: each test has a database of its own.
func TestEach(t *testing.T) {
	for range 3 {
		Each(t, func(t *testing.T, db *store.DB) {
			ctx := AsSystem(db, 1)
			if n, err := store.One[int](ctx, countMarks, nil); err != nil || n != 0 {
				t.Errorf("%d rows in a fresh database, %v", n, err)
			}
			err := store.Write(ctx, func(ctx context.Context) error {
				_, err := store.Exec(ctx, `INSERT INTO mark (tenant_id, text) VALUES (:tenant, 'x')`, nil)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}, fixture)
	}
}

// TestCluster_plainRole: row-level security does not bind a superuser.
func TestCluster_plainRole(t *testing.T) {
	ctx := AsSystem(OpenPostgres(t), 1)
	super, err := store.One[bool](ctx, `SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user`, nil)
	if err != nil || super {
		t.Errorf("superuser %v, %v", super, err)
	}
}

// TestCluster_leavesNothing runs this test binary as a child that starts a server and is
// killed; the server and its directory go with it.
func TestCluster_leavesNothing(t *testing.T) {
	NeedPostgres(t)
	if os.Getenv("VIVA_CLUSTER_CHILD") != "" {
		_, _ = os.Stdout.WriteString("dir=" + Shared(t).dir + "\n")
		select {}
	}
	child := exec.Command(os.Args[0], "-test.run=TestCluster_leavesNothing")
	child.Env = append(os.Environ(), "VIVA_CLUSTER_CHILD=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	dir := ""
	buffer := make([]byte, 4096)
	for text := ""; dir == ""; {
		n, err := out.Read(buffer)
		text += string(buffer[:n])
		if _, rest, ok := strings.Cut(text, "dir="); ok && strings.Contains(rest, "\n") {
			dir, _, _ = strings.Cut(rest, "\n")
		}
		if err == io.EOF {
			t.Fatalf("the child ended: %s", text)
		}
	}
	pid, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	_ = child.Process.Kill()
	_ = child.Wait()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		_, err := os.Stat(dir)
		_, running := os.Stat("/proc/" + strings.Fields(string(pid))[0])
		if os.IsNotExist(err) && os.IsNotExist(running) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the server outlived its test")
		}
	}
}

func TestCluster_requiredWhenAsked(t *testing.T) {
	if Bin("no-such-program") != "" {
		t.Error("found")
	}
}

func app(t *testing.T) (*web.App, *Auth) {
	t.Helper()
	a, auth := web.New(Open(t), web.Options{UserRate: -1}), NewAuth()
	a.SetAuthenticator(auth)
	m := a.Module("x")
	type in struct {
		ID    int64    `json:"id" minimum:"3" required:"true"`
		Name  string   `json:"name" minLength:"2" required:"true"`
		Kind  string   `json:"kind" enum:"k,l" required:"true"`
		Day   string   `json:"day" format:"date" required:"true"`
		Tags  []string `json:"tags" minItems:"1" required:"true"`
		Inner struct {
			On bool `json:"on" required:"true"`
		} `json:"inner" required:"true"`
		Free string `json:"free" required:"false"`
	}
	type query struct {
		ID int64 `query:"id" required:"true" minimum:"1"`
	}
	web.Post(m, "/save", web.SignedIn, func(_ context.Context, v in) (in, error) { return v, nil })
	web.Get(m, "/get", web.SignedIn, func(_ context.Context, v query) (int64, error) {
		if v.ID == 1 {
			return 0, errs.ErrNoRecord.With()
		}
		return v.ID, nil
	})
	web.Get(m, "/leak", web.Public, func(context.Context, web.None) (string, error) { return MarkerB, nil })
	web.Delete(m, "/logout", web.SignedIn, func(context.Context, web.None) (bool, error) { return true, nil })
	return a, auth
}

// recording lets a test see whether a check fails.
type recording struct {
	testing.TB
	failed bool
}

func (r *recording) Helper()               {}
func (r *recording) Errorf(string, ...any) { r.failed = true }

func TestTripwire(t *testing.T) {
	a, _ := app(t)
	for marker, want := range map[string]bool{MarkerB: true, MarkerA: false} {
		r := &recording{TB: t}
		Scenario{URL: "/x/leak", Lang: "zh", Foreign: "none"}.Run(t, Tripwire(r, a.Handler("/"), marker))
		if r.failed != want {
			t.Errorf("%s: %v", marker, r.failed)
		}
	}
	for text, want := range map[string]bool{"a " + MarkerB: true, `a \u27e6B\u27e7`: true, `a \u27E6b\u27E7`: true, "⟦A⟧ B": false} {
		r := &recording{TB: t}
		NoMarker(r, MarkerB, "here", []byte(text))
		if r.failed != want {
			t.Errorf("%s: %v", text, r.failed)
		}
	}
}

func TestMinimal(t *testing.T) {
	a, auth := app(t)
	token := auth.Add(Admin(1))
	for _, c := range a.Calls() {
		for id, get := range map[int64]string{1: "1070000001", 3: "ok"} {
			s := Minimal(a, c, id)
			s.As = token
			want := "ok"
			switch c.Path {
			case "/x/get":
				want = get
			case "/x/save":
				if want = "400"; id == 3 { // its smallest id
					want = "ok"
				}
			}
			if got := s.Call(t, a.Handler("/")); outcome(got) != want {
				t.Errorf("%s with %v: %s", c.Name(), s.Body, got.Raw)
			}
		}
	}
}

func TestOutcome(t *testing.T) {
	for want, a := range map[string]Answer{"http 413": {Status: 413, Code: 413}, "ok": {Status: 200}, "403": {Status: 200, Code: 403}, "file": {Status: 200, Code: -1}} {
		if got := outcome(a); got != want {
			t.Errorf("%s: %s", want, got)
		}
	}
}

func TestGolden(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g")
	if err := os.WriteFile(path, []byte("a\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if updating() {
		t.Skip("rewriting")
	}
	for text, want := range map[string]bool{"a\nb\n": false, "a\nc\n": true} {
		r := &recording{TB: t}
		Golden(r, path, text)
		if r.failed != want {
			t.Errorf("%q: %v", text, r.failed)
		}
	}
	if d := difference("a\nb\nb", "a\nb\nc"); d != "- b\n+ c\n" {
		t.Errorf("%q", d)
	}
}

func TestScenario_request(t *testing.T) {
	s := Scenario{Method: http.MethodPost, URL: "/x/y?z=1", As: "t", Body: map[string]int{"a": 1}, Headers: map[string]string{"tenant-id": "2"}}
	r := s.Request(t, "en")
	text, _ := io.ReadAll(r.Body)
	if r.URL.Path != "/admin-api/x/y" || string(text) != `{"a":1}` || r.Header.Get("Authorization") != "Bearer t" || r.Header.Get("tenant-id") != "2" ||
		r.Header.Get("Accept-Language") != "en-US" || r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%+v %s", r, text)
	}
}
