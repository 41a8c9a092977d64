package runtime

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"viva/internal/kernel/kerneltest"
)

// BenchmarkReference is the floor: the statements of BenchmarkInstance with ready-made
// values. On SQLite they are prepared on one raw connection, as many commands to a commit
// as there are clients; on PostgreSQL a command is two exchanges of a client of its own,
// since what it writes depends on what it reads.
func BenchmarkReference(b *testing.B) {
	b.Run("sqlite", referenceSQLite)
	b.Run("postgres", referencePostgres)
}

func referenceSQLite(b *testing.B) {
	db := kerneltest.Open(b, Migrations, schema)
	path := db.Path()
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	raw, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cache_size(-20000)")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	raw.SetMaxOpenConns(1)
	conn, err := raw.Conn(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	l := &liteReference{b: b, conn: conn, kept: map[string]*sql.Stmt{}}
	r := reference{to: l, state: strings.Repeat("x", 900)}
	b.ResetTimer()
	began := cpu()
	for n := 0; n < b.N; n += clients {
		group := min(clients, b.N-n)
		for command := range 4 {
			l.exec("BEGIN IMMEDIATE")
			for i := range group {
				l.exec("SAVEPOINT c")
				r.command(n+i, command)
				l.exec("RELEASE c")
			}
			l.exec("COMMIT")
		}
	}
	rate(b, cpu()-began)
}

func referencePostgres(b *testing.B) {
	kerneltest.NeedPostgres(b)
	db := kerneltest.OpenPostgres(b, Migrations, schema)
	idle := make(chan *pgx.Conn, clients)
	for range clients {
		c, err := pgx.Connect(context.Background(), db.Address())
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = c.Close(context.Background()) }()
		if _, err := c.Exec(context.Background(), "SELECT set_config('app.tenant_low', '1', false), set_config('app.tenant_high', '1', false)"); err != nil {
			b.Fatal(err)
		}
		idle <- c
	}
	spread(b, func(n int64) error {
		c := <-idle
		defer func() { idle <- c }()
		for command := range 4 {
			p := &pgReference{conn: c}
			p.exec("BEGIN")
			r := reference{to: p, state: strings.Repeat("x", 900)}
			r.command(int(n), command)
			p.exec("COMMIT")
			if p.turn(); p.err != nil {
				return p.err
			}
		}
		return nil
	})
}

// reference sends the statements of the engine to a database without the engine.
type reference struct {
	to interface {
		exec(q string, args ...any)
		read(q string, args ...any)
		turn() // what follows depends on what was read
	}
	state string
}

type liteReference struct {
	b    *testing.B
	conn *sql.Conn
	kept map[string]*sql.Stmt
}

func (l *liteReference) prepared(q string) *sql.Stmt {
	s := l.kept[q]
	if s == nil {
		var err error
		if s, err = l.conn.PrepareContext(context.Background(), q); err != nil {
			l.b.Fatalf("%v: %s", err, q)
		}
		l.kept[q] = s
	}
	return s
}

func (l *liteReference) exec(q string, args ...any) {
	if _, err := l.prepared(q).Exec(args...); err != nil {
		l.b.Fatalf("%v: %s", err, q)
	}
}

func (l *liteReference) read(q string, args ...any) {
	var skip string
	_ = l.prepared(q).QueryRow(args...).Scan(&skip)
}

func (l *liteReference) turn() {}

type pgReference struct {
	conn  *pgx.Conn
	queue pgx.Batch
	err   error
}

var numbered sync.Map // the texts with $1 for ?

func (p *pgReference) exec(q string, args ...any) {
	text, ok := numbered.Load(q)
	if !ok {
		parts := strings.Split(q, "?")
		for i := range len(parts) - 1 {
			parts[i] += fmt.Sprint("$", i+1)
		}
		text, _ = numbered.LoadOrStore(q, strings.Join(parts, ""))
	}
	p.queue.Queue(text.(string), args...)
}

func (p *pgReference) read(q string, args ...any) { p.exec(q, args...) }

func (p *pgReference) turn() {
	if p.err == nil {
		p.err = p.conn.SendBatch(context.Background(), &p.queue).Close()
	}
	p.queue = pgx.Batch{}
}

// insert writes a row of a table with the columns given.
func (r reference) insert(table, columns string, values ...any) {
	r.to.exec("INSERT INTO "+table+" ("+columns+") VALUES (?"+strings.Repeat(",?", len(values)-1)+")", values...)
}

func (r reference) command(n, command int) {
	id, ref, now := fmt.Sprintf("01a2016a-b42b-7888-b288-%012d", n), fmt.Sprint("D", n), int64(1795320099874)
	if command == 0 {
		r.insert("dossier", "tenant_id,ref", 1, ref)
		r.insert("wf_command", "tenant_id,id,instance_id,digest,at,result", 1, "s"+ref, id, "0123456789abcdef0123456789abcdef", now, "")
		r.to.read("SELECT id FROM wf_command WHERE tenant_id = ? AND id = ?", 1, "s"+ref)
		r.to.read("SELECT id FROM wf_definition WHERE tenant_id = ? AND key = ? ORDER BY version DESC LIMIT 1", 1, "three")
		r.to.turn()
		r.insert("wf_instance", "tenant_id,id,definition_id,process_key,root_id,business_type,business_id,name,starter_id,status,result,rev,next_seq,next_id,started_at,vars,state",
			1, id, "three:1:"+id, "three", id, "dossier", ref, "流程 three", 7, 1, 1, 1, 9, 8, now, `{"days":3}`, r.state)
		r.to.exec("UPDATE wf_command SET result = ? WHERE tenant_id = ? AND id = ?", r.state[:120], 1, "s"+ref)
	} else {
		r.to.exec("UPDATE dossier SET step = step + 1 WHERE tenant_id = ? AND ref = ?", 1, ref)
		r.to.read("SELECT i.state FROM wf_instance r JOIN wf_instance i ON i.root_id = r.id WHERE i.tenant_id = ? AND i.id = ?", 1, id)
		r.to.read("SELECT id FROM wf_command WHERE tenant_id = ? AND id = ?", 1, fmt.Sprint(command, ref))
		r.to.turn()
		r.to.exec("UPDATE wf_instance SET status = ?, rev = ?, next_seq = ?, next_id = ?, vars = ?, state = ? WHERE tenant_id = ? AND id = ? AND rev = ?",
			1+command/3, command+1, 9+8*command, 8+5*command, `{"days":3}`, r.state, 1, id, command)
		r.to.exec("UPDATE wf_task SET status = 2, ended_at = ? WHERE tenant_id = ? AND instance_id = ? AND id = ?", now, 1, id, command-1)
		r.to.exec("UPDATE wf_activity SET ended_at = ?, end_kind = 'completed' WHERE tenant_id = ? AND instance_id = ? AND id = ?", now, 1, id, 4*(command-1)+2)
		r.insert("wf_command", "tenant_id,id,instance_id,digest,at,result", 1, fmt.Sprint(command, ref), id, "0123456789abcdef0123456789abcdef", now, r.state[:120])
	}
	r.insert("wf_event", "tenant_id,instance_id,seq,events,at,actor_id,command_id,action,data", 1, id, 1+8*command, 8, now, 7, ref, "complete_task", r.state[:700])
	if command < 3 {
		r.insert("wf_task", "tenant_id,instance_id,id,token_id,element,name,assignee_id,status,created_at", 1, id, command, 3, "a", "a", 9, 1, now)
	}
	for i := range 3 - (command+2)/3 {
		r.insert("wf_activity", "tenant_id,instance_id,id,token_id,element,type,started_at", 1, id, 4*command+2-i, 3, "a", "userTask", now)
	}
}
