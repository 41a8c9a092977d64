package ops

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"viva/internal/kernel/store"
)

// TransferReport lists what was moved.
type TransferReport struct {
	Tables []Moved
}

// Moved is one table: its rows and the checksum that both sides agree on.
type Moved struct {
	Name     string
	Rows     int64
	Checksum string
}

// String is the report for the terminal.
func (r TransferReport) String() string {
	var out strings.Builder
	var rows int64
	for _, t := range r.Tables {
		rows += t.Rows
		_, _ = fmt.Fprintf(&out, "%-40s %10d  %.16s\n", t.Name, t.Rows, t.Checksum)
	}
	_, _ = fmt.Fprintf(&out, "%d tables, %d rows moved; every checksum agrees\n", len(r.Tables), rows)
	return out.String()
}

// Transfer copies every row of from (SQLite) into to (PostgreSQL, migrated to the same
// schema and never worked in) and compares counts and checksums; on any difference
// nothing is kept. It reads one moment of from: stop the server first, or later changes
// stay behind. The blobs are not touched.
func Transfer(ctx context.Context, from, to *store.DB) (TransferReport, error) {
	var report TransferReport
	if from.Dialect() != store.SQLite || to.Dialect() != store.Postgres {
		return report, errors.New("ops: transfer goes from SQLite to PostgreSQL")
	}
	source, err := from.OpenWhole()
	if err != nil {
		return report, err
	}
	defer func() { _ = source.Close() }()
	moment, err := source.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return report, err
	}
	defer func() { _ = moment.Rollback() }()
	target, err := to.OpenWhole()
	if err != nil {
		return report, err
	}
	defer func() { _ = target.Close() }()
	conn, err := target.Conn(ctx)
	if err != nil {
		return report, err
	}
	defer func() { _ = conn.Close() }()
	err = conn.Raw(func(c any) error {
		return pgx.BeginFunc(ctx, c.(*stdlib.Conn).Conn(), func(tx pgx.Tx) error {
			move := &move{source: moment, target: tx}
			report, err = move.all(ctx)
			return err
		})
	})
	if err != nil {
		return TransferReport{}, fmt.Errorf("ops: transfer: %w", err)
	}
	return report, nil
}

// move is one transfer under way.
type move struct {
	source   *sql.Tx
	target   pgx.Tx
	columns  map[string][]column // of the target, by table
	deferred []foreignKey
}

type foreignKey struct{ Table, Name string } // both quoted where needed

type column struct {
	name string
	kind kind
	auto bool // generated key
}

func (m *move) all(ctx context.Context) (TransferReport, error) {
	var report TransferReport
	if err := m.prepare(ctx); err != nil {
		return report, err
	}
	tables := slices.Sorted(maps.Keys(m.columns))
	for _, table := range tables { // COPY does not work below forced row-level security
		if err := m.exec(ctx, "ALTER TABLE "+quote(table)+" NO FORCE ROW LEVEL SECURITY"); err != nil {
			return report, err
		}
		if err := m.exec(ctx, "DELETE FROM "+quote(table)); err != nil {
			return report, err
		}
	}
	for _, table := range tables {
		moved, err := m.table(ctx, table)
		if err != nil {
			return report, fmt.Errorf("%s: %w", table, err)
		}
		report.Tables = append(report.Tables, moved)
	}
	return report, m.finish(ctx, tables)
}

const (
	sqlTypes = `SELECT table_name, column_name, data_type, is_identity = 'YES' FROM information_schema.columns c
 JOIN information_schema.tables t USING (table_schema, table_name)
 WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name, ordinal_position`
	sqlVersions   = `SELECT DISTINCT version_id FROM goose_db_version WHERE is_applied ORDER BY version_id`
	sqlWorkedIn   = `SELECT EXISTS (SELECT 1 FROM audit_log)`
	sqlForeign    = `SELECT conrelid::regclass::text, quote_ident(conname) FROM pg_constraint WHERE contype = 'f' AND NOT condeferrable AND connamespace = current_schema()::regnamespace`
	sqlHasRLS     = `SELECT relrowsecurity FROM pg_class WHERE oid = $1::regclass`
	sqlSequence   = `SELECT pg_get_serial_sequence($1, $2)`
	sqlSetSeq     = `SELECT setval($1::regclass, $2)`
	sqlLiteAutoID = `SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = ?`
)

// prepare refuses anything but two databases of one schema and an unused target.
func (m *move) prepare(ctx context.Context) error {
	var used bool
	if err := m.target.QueryRow(ctx, sqlWorkedIn).Scan(&used); err != nil {
		return err
	}
	if used {
		return errors.New("the target has been worked in; take an empty database")
	}
	if err := m.compareVersions(ctx); err != nil {
		return err
	}
	if err := m.readColumns(ctx); err != nil {
		return err
	}
	source, err := columnsOf(ctx, m.source, store.SQLite)
	if err != nil {
		return err
	}
	for _, table := range slices.Sorted(maps.Keys(source)) {
		if table == gooseTable {
			continue
		}
		var names []string
		for _, c := range m.columns[table] {
			names = append(names, c.name)
		}
		slices.Sort(names)
		if got := slices.Sorted(slices.Values(source[table])); !slices.Equal(got, names) {
			return fmt.Errorf("table %s has columns %v here and %v there", table, got, names)
		}
	}
	if len(m.columns) != len(source)-1 {
		return fmt.Errorf("%d tables here and %d there", len(source)-1, len(m.columns))
	}
	return m.deferForeignKeys(ctx)
}

func (m *move) compareVersions(ctx context.Context) error {
	var here, there []int64
	err := eachRow(ctx, m.source, sqlVersions, func(rows *sql.Rows) error {
		var v int64
		err := rows.Scan(&v)
		here = append(here, v)
		return err
	})
	if err != nil {
		return err
	}
	rows, err := m.target.Query(ctx, sqlVersions)
	if err != nil {
		return err
	}
	if there, err = pgx.CollectRows(rows, pgx.RowTo[int64]); err != nil {
		return err
	}
	if !slices.Equal(here, there) {
		return fmt.Errorf("the schemas differ: migrations %v here, %v there", here, there)
	}
	return nil
}

func (m *move) readColumns(ctx context.Context) error {
	m.columns = map[string][]column{}
	rows, err := m.target.Query(ctx, sqlTypes)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var table, typ string
		var c column
		if err := rows.Scan(&table, &c.name, &typ, &c.auto); err != nil {
			return err
		}
		if table == gooseTable {
			continue
		}
		known := false
		if c.kind, known = kinds[typ]; !known {
			return fmt.Errorf("%s.%s has type %s, which no migration should use", table, c.name, typ)
		}
		m.columns[table] = append(m.columns[table], c)
	}
	return rows.Err()
}

// deferForeignKeys lets the tables come in any order; finish checks and restores.
func (m *move) deferForeignKeys(ctx context.Context) error {
	rows, err := m.target.Query(ctx, sqlForeign)
	if err != nil {
		return err
	}
	if m.deferred, err = pgx.CollectRows(rows, pgx.RowToStructByPos[foreignKey]); err != nil {
		return err
	}
	for _, k := range m.deferred {
		if err := m.exec(ctx, "ALTER TABLE "+k.Table+" ALTER CONSTRAINT "+k.Name+" DEFERRABLE INITIALLY DEFERRED"); err != nil {
			return err
		}
	}
	return nil
}

func (m *move) exec(ctx context.Context, text string, args ...any) error {
	_, err := m.target.Exec(ctx, text, args...)
	return err
}

// table copies one table and compares what arrived.
func (m *move) table(ctx context.Context, name string) (Moved, error) {
	columns := m.columns[name]
	names := make([]string, len(columns))
	quoted := make([]string, len(columns))
	for i, c := range columns {
		names[i], quoted[i] = c.name, quote(c.name)
	}
	text := "SELECT " + strings.Join(quoted, ", ") + " FROM " + quote(name)
	rows, err := m.source.QueryContext(ctx, text)
	if err != nil {
		return Moved{}, err
	}
	defer func() { _ = rows.Close() }()
	sent := &stream{rows: rows, columns: columns}
	n, err := m.target.CopyFrom(ctx, pgx.Identifier{name}, names, sent)
	if err != nil {
		return Moved{}, err
	}
	arrived, err := m.target.Query(ctx, text)
	if err != nil {
		return Moved{}, err
	}
	defer arrived.Close()
	var got digest
	for arrived.Next() {
		values, err := arrived.Values()
		if err == nil {
			err = normalise(columns, values)
		}
		if err != nil {
			return Moved{}, err
		}
		got.add(columns, values)
	}
	if err := arrived.Err(); err != nil {
		return Moved{}, err
	}
	if n != sent.digest.rows || got != sent.digest {
		return Moved{}, fmt.Errorf("%d rows with checksum %s left, %d with %s arrived", sent.digest.rows, sent.digest, got.rows, got)
	}
	return Moved{Name: name, Rows: n, Checksum: got.String()}, m.sequences(ctx, name)
}

// sequences continues the numbering where SQLite stopped, so that the id of a removed
// row is not given out again.
func (m *move) sequences(ctx context.Context, table string) error {
	for _, c := range m.columns[table] {
		if !c.auto {
			continue
		}
		var last int64
		if err := m.source.QueryRowContext(ctx, sqlLiteAutoID, table).Scan(&last); err != nil {
			return err
		}
		var sequence *string
		if err := m.target.QueryRow(ctx, sqlSequence, quote(table), c.name).Scan(&sequence); err != nil {
			return err
		}
		if last > 0 && sequence != nil {
			if err := m.exec(ctx, sqlSetSeq, *sequence, last); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish raises the walls again.
func (m *move) finish(ctx context.Context, tables []string) error {
	if err := m.exec(ctx, "SET CONSTRAINTS ALL IMMEDIATE"); err != nil {
		return err
	}
	for _, k := range m.deferred {
		if err := m.exec(ctx, "ALTER TABLE "+k.Table+" ALTER CONSTRAINT "+k.Name+" NOT DEFERRABLE"); err != nil {
			return err
		}
	}
	for _, table := range tables {
		var walled bool
		if err := m.target.QueryRow(ctx, sqlHasRLS, quote(table)).Scan(&walled); err != nil {
			return err
		}
		if walled {
			if err := m.exec(ctx, "ALTER TABLE "+quote(table)+" FORCE ROW LEVEL SECURITY"); err != nil {
				return err
			}
		}
	}
	return nil
}
