package main

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"
)

// floorPost is the row as Viva shows it.
type floorPost struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	Code       string `json:"code"`
	Sort       int    `json:"sort"`
	Status     int    `json:"status"`
	Remark     string `json:"remark"`
	Creator    string `json:"creator"`
	CreateTime int64  `json:"createTime"`
	Updater    string `json:"updater"`
	UpdateTime int64  `json:"updateTime"`
	Version    int    `json:"version"`
}

const floorColumns = "id, name, code, sort, status, remark, creator, create_time, updater, update_time, version"

type floor struct {
	read, write *sql.DB
	get         string
	page        string
	count       string
	create      string
	dicts       string
}

// serveFloor answers get, page, create, bootstrap and hash on addr. db is the path of a
// SQLite file or a postgres:// address.
func serveFloor(db, addr string) error {
	f := &floor{
		get:    "SELECT " + floorColumns + " FROM system_post WHERE tenant_id = 1 AND id = ? AND deleted = false",
		page:   "SELECT " + floorColumns + " FROM system_post WHERE tenant_id = 1 AND deleted = false AND status = ? ORDER BY sort, id LIMIT ? OFFSET ?",
		count:  "SELECT COUNT(*) FROM (SELECT 1 AS one FROM system_post WHERE tenant_id = 1 AND deleted = false AND status = ? LIMIT 10001) counted",
		create: "INSERT INTO system_post (tenant_id, name, code, sort, status, create_time, update_time) VALUES (1, ?, ?, 0, 1, ?, ?) RETURNING id",
		dicts:  "SELECT dict_type, value, label, color_type, css_class FROM system_dict_data WHERE deleted = false AND status = 0 ORDER BY dict_type, sort",
	}
	var err error
	if strings.HasPrefix(db, "postgres") {
		for _, q := range []*string{&f.get, &f.page, &f.count, &f.create} {
			*q = numbered(*q)
		}
		if f.read, err = sql.Open("pgx", db); err != nil {
			return err
		}
		f.read.SetMaxOpenConns(16)
		f.read.SetMaxIdleConns(16)
		f.write = f.read
	} else {
		const pragmas = "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"
		if f.read, err = sql.Open("sqlite", "file:"+db+pragmas); err != nil {
			return err
		}
		f.read.SetMaxOpenConns(4)
		f.read.SetMaxIdleConns(4)
		if f.write, err = sql.Open("sqlite", "file:"+db+pragmas+"&_txlock=immediate"); err != nil {
			return err
		}
		f.write.SetMaxOpenConns(1)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /get", f.serveGet)
	mux.HandleFunc("GET /page", f.servePage)
	mux.HandleFunc("POST /create", f.serveCreate)
	mux.HandleFunc("GET /bootstrap", f.serveBootstrap)
	mux.HandleFunc("GET /hash", func(w http.ResponseWriter, _ *http.Request) {
		argon2.IDKey([]byte("Viva@2026"), []byte("0123456789abcdef"), 2, 19*1024, 1, 32)
		send(w, true, nil)
	})
	return http.ListenAndServe(addr, mux)
}

func numbered(q string) string {
	for i := 1; strings.Contains(q, "?"); i++ {
		q = strings.Replace(q, "?", "$"+strconv.Itoa(i), 1)
	}
	return q
}

func send(w http.ResponseWriter, v any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"code": 0, "data": v, "msg": ""})
}

func scanPost(row interface{ Scan(...any) error }) (p floorPost, err error) {
	err = row.Scan(&p.ID, &p.Name, &p.Code, &p.Sort, &p.Status, &p.Remark, &p.Creator, &p.CreateTime, &p.Updater, &p.UpdateTime, &p.Version)
	return p, err
}

func (f *floor) serveGet(w http.ResponseWriter, r *http.Request) {
	p, err := scanPost(f.read.QueryRowContext(r.Context(), f.get, r.URL.Query().Get("id")))
	send(w, p, err)
}

func (f *floor) servePage(w http.ResponseWriter, r *http.Request) {
	var total int64
	if err := f.read.QueryRowContext(r.Context(), f.count, 0).Scan(&total); err != nil {
		send(w, nil, err)
		return
	}
	no, _ := strconv.Atoi(r.URL.Query().Get("pageNo"))
	rows, err := f.read.QueryContext(r.Context(), f.page, 0, 20, (no-1)*20)
	if err != nil {
		send(w, nil, err)
		return
	}
	defer func() { _ = rows.Close() }()
	list := []floorPost{}
	for rows.Next() {
		p, err := scanPost(rows)
		if err != nil {
			send(w, nil, err)
			return
		}
		list = append(list, p)
	}
	send(w, map[string]any{"list": list, "total": total}, rows.Err())
}

func (f *floor) serveCreate(w http.ResponseWriter, r *http.Request) {
	var in struct{ Name, Code string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		send(w, nil, err)
		return
	}
	now := time.Now().UnixMilli()
	tx, err := f.write.BeginTx(r.Context(), nil)
	if err != nil {
		send(w, nil, err)
		return
	}
	var id int64
	if err = tx.QueryRowContext(r.Context(), f.create, in.Name, in.Code, now, now).Scan(&id); err != nil {
		_ = tx.Rollback()
	} else {
		err = tx.Commit()
	}
	send(w, id, err)
}

// serveBootstrap answers the dictionaries, uncached, as a plain program would.
func (f *floor) serveBootstrap(w http.ResponseWriter, r *http.Request) {
	rows, err := f.read.QueryContext(r.Context(), f.dicts)
	if err != nil {
		send(w, nil, err)
		return
	}
	defer func() { _ = rows.Close() }()
	type entry struct {
		DictType  string `json:"dictType"`
		Value     string `json:"value"`
		Label     string `json:"label"`
		ColorType string `json:"colorType"`
		CSSClass  string `json:"cssClass"`
	}
	list := []entry{}
	for rows.Next() {
		var e entry
		if err := rows.Scan(&e.DictType, &e.Value, &e.Label, &e.ColorType, &e.CSSClass); err != nil {
			send(w, nil, err)
			return
		}
		list = append(list, e)
	}
	send(w, list, rows.Err())
}
