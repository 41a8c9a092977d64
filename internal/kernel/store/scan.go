package store

import (
	"database/sql"
	"fmt"
	"reflect"

	"github.com/jackc/pgx/v5"
	"github.com/jmoiron/sqlx"
	"github.com/jmoiron/sqlx/reflectx"
)

func isStruct(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && !reflect.PointerTo(t).Implements(reflect.TypeFor[sql.Scanner]())
}

func keep[T any](list *[]T) func(T) error {
	return func(row T) error {
		*list = append(*list, row)
		return nil
	}
}

func eachOf[T any](list []T, fn func(T) error) error {
	for _, row := range list {
		if err := fn(row); err != nil {
			return err
		}
	}
	return nil
}

// eachSQL reads rows of database/sql until fn fails. Its own failures are classified.
func eachSQL[T any](rows *sql.Rows, fn func(T) error) error {
	x := sqlx.Rows{Rows: rows, Mapper: Mapper}
	scan := func(row any) error { return rows.Scan(row) }
	if isStruct(reflect.TypeFor[T]()) {
		scan = x.StructScan
	}
	for rows.Next() {
		var row T
		if err := scan(&row); err != nil {
			return err
		}
		if err := fn(row); err != nil {
			return err
		}
	}
	return classify(rows.Err())
}

// eachPgx is eachSQL for rows of pgx.
func eachPgx[T any](rows pgx.Rows, fn func(T) error) error {
	scan, err := scanner(rows, reflect.TypeFor[T]())
	if err != nil {
		return err
	}
	for rows.Next() {
		var row T
		if err := scan(&row); err != nil {
			return err
		}
		if err := fn(row); err != nil {
			return err
		}
	}
	return classify(rows.Err())
}

// scanner gives what reads the current row into the value a pointer points to. Columns
// belong to fields as in sqlx.
func scanner(rows pgx.Rows, typ reflect.Type) (func(ptr any) error, error) {
	if !isStruct(typ) {
		return func(ptr any) error { return rows.Scan(ptr) }, nil
	}
	columns := rows.FieldDescriptions()
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	fields := Mapper.TraversalsByName(typ, names)
	for i, f := range fields {
		if len(f) == 0 {
			return nil, fmt.Errorf("missing destination name %s in %s", names[i], typ)
		}
	}
	into := make([]any, len(fields))
	return func(ptr any) error {
		v := reflect.ValueOf(ptr).Elem()
		for i, f := range fields {
			into[i] = reflectx.FieldByIndexes(v, f).Addr().Interface()
		}
		return rows.Scan(into...)
	}, nil
}
