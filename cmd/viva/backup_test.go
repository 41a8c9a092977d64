package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/kerneltest"
	"viva/internal/kernel/store"
)

// busyTimeout is how long a statement of the server would wait for a lock of another
// process before it failed.
const busyTimeout = 5 * time.Second

// administered makes a data directory with an administrator and serves it.
func administered(t *testing.T) (data string, r *running, token string) {
	t.Helper()
	data = filepath.Join(t.TempDir(), "data")
	text, err := viva(t, "user", "admin", "--data", data)
	if err != nil {
		t.Fatalf("%v %s", err, text)
	}
	words := strings.Fields(text)
	r = serve(t, data, "--captcha", "off", "--user-rate=-1")
	var session struct{ AccessToken string }
	if err := r.post("", "/system/auth/login", map[string]any{"username": "admin", "password": words[len(words)-1]}, &session); err != nil || session.AccessToken == "" {
		t.Fatalf("sign-in: %v", err)
	}
	return data, r, session.AccessToken
}

// post makes a call that must succeed.
func (r *running) post(token, path string, body, out any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, strings.TrimSuffix(r.address, "/")+"/admin-api"+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err = io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	envelope := struct {
		Code int
		Data any
	}{Code: -1, Data: out}
	if err := json.Unmarshal(text, &envelope); err != nil || envelope.Code != 0 {
		return fmt.Errorf("%d %s %v", answer.StatusCode, text, err)
	}
	return nil
}

func (r *running) addPost(token, code string) error {
	var id int64
	return r.post(token, "/system/post/create", map[string]any{"name": code, "code": code, "sort": 1, "status": 0}, &id)
}

// ledger keeps which writes were acknowledged.
type ledger struct {
	lock    sync.Mutex
	written []string
	slowest time.Duration
}

func (l *ledger) add(code string, took time.Duration) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.written, l.slowest = append(l.written, code), max(l.slowest, took)
}

func (l *ledger) so() []string {
	l.lock.Lock()
	defer l.lock.Unlock()
	return slices.Clone(l.written)
}

// posts are the codes of the posts in a data directory that nobody serves.
func posts(t *testing.T, data string) []string {
	t.Helper()
	db, err := store.Open(context.Background(), store.Config{Dir: data, ReadOnly: true})
	if err == nil {
		defer func() { _ = db.Close() }()
		err = db.RefreshCatalogue(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	codes, err := store.Select[string](kerneltest.AsSystem(db, 1), `SELECT code FROM system_post WHERE tenant_id = :tenant`, nil)
	if err != nil {
		t.Fatal(err)
	}
	return codes
}

// longRead looks at one moment of the database until it is ended, as a long export does.
// Whoever wants the whole write-ahead log for himself has to wait for it.
func longRead(t *testing.T, data string) (end func()) {
	t.Helper()
	db, err := store.Open(context.Background(), store.Config{Dir: data, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := db.OpenWhole()
	if err != nil {
		t.Fatal(err)
	}
	tx, err := pool.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRow("SELECT COUNT(*) FROM system_post").Scan(&n); err != nil {
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() { _ = tx.Rollback(); _ = pool.Close(); _ = db.Close() })
	t.Cleanup(end)
	return end
}

// TestBackup_besideWrites takes copies while the real server answers writes and somebody
// reads at length: no write fails or waits for the copy, and each copy holds all that was
// acknowledged before it began.
func TestBackup_besideWrites(t *testing.T) {
	data, r, token := administered(t)
	endRead := longRead(t, data)
	var written ledger
	begun, stop := make(chan struct{}), make(chan struct{})
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := 0; ; i++ {
				if i == 20 && w == 0 {
					close(begun)
				}
				select {
				case <-stop:
					return
				default:
				}
				code, at := fmt.Sprintf("p%d-%d", w, i), time.Now()
				if err := r.addPost(token, code); err != nil {
					t.Errorf("a write beside the backup: %v", err)
					if i < 20 && w == 0 {
						close(begun)
					}
					return
				}
				written.add(code, time.Since(at))
			}
		})
	}
	<-begun
	copies, known := map[string][]string{}, 0
	to := t.TempDir()
	for range 5 {
		before := written.so()
		name, err := viva(t, "backup", "--data", data, "--to", to)
		if err != nil {
			t.Errorf("%v %s", err, name)
			break
		}
		copies[strings.TrimSpace(name)] = before
		known = len(before)
	}
	close(stop)
	writers.Wait()
	if all := len(written.so()); all == known || written.slowest >= busyTimeout {
		t.Errorf("%d writes after %d, the slowest took %v", all, known, written.slowest)
	}
	t.Logf("%d writes beside 5 backups, the slowest took %v", len(written.so()), written.slowest)
	endRead()
	r.stop(t)
	for name, before := range copies {
		restored := filepath.Join(t.TempDir(), "restored")
		if text, err := viva(t, "restore", name, "--data", restored); err != nil {
			t.Fatalf("restore: %v %s", err, text)
		}
		held := map[string]bool{}
		for _, code := range posts(t, restored) {
			held[code] = true
		}
		for _, code := range before {
			if !held[code] {
				t.Errorf("%s lacks %s, which was acknowledged before it began", name, code)
			}
		}
	}
}

// TestBackup_changesNothing copies what a killed server left: the database and its
// write-ahead log stay byte for byte what they were, and the copy holds the log's rows.
func TestBackup_changesNothing(t *testing.T) {
	data, r, token := administered(t)
	if err := r.addPost(token, "last"); err != nil {
		t.Fatal(err)
	}
	if err := r.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = r.cmd.Wait()
	files := []string{filepath.Join(data, "viva.db"), filepath.Join(data, "viva.db-wal")}
	contents := func() (list [][]byte) {
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, text)
		}
		return list
	}
	before := contents()
	if len(before[1]) == 0 {
		t.Fatal("the log is empty: there is nothing to lose")
	}
	name, err := viva(t, "backup", "--data", data, "--to", t.TempDir())
	if err != nil {
		t.Fatalf("%v %s", err, name)
	}
	for i, after := range contents() {
		if !bytes.Equal(before[i], after) {
			t.Errorf("%s had %d bytes and has %d", files[i], len(before[i]), len(after))
		}
	}
	if codes := posts(t, strings.TrimSpace(name)); !slices.Equal(codes, []string{"last"}) {
		t.Errorf("the copy holds the posts %v", codes)
	}
}

// TestBackup_ofNothing: a mistyped directory is an error, not a new database.
func TestBackup_ofNothing(t *testing.T) {
	data := filepath.Join(t.TempDir(), "mistyped")
	if text, err := viva(t, "backup", "--data", data, "--to", t.TempDir()); err == nil || !strings.Contains(text, "no database") {
		t.Errorf("%v %s", err, text)
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("the directory was made: %v", err)
	}
}
