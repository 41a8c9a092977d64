package ops

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// kind is how a column's values compare across engines.
type kind int

const (
	wholeNumber kind = iota + 1
	realNumber
	truth
	plainText
	binaryData
	jsonText
)

var kinds = map[string]kind{
	"bigint": wholeNumber, "integer": wholeNumber, "smallint": wholeNumber, "double precision": realNumber, "real": realNumber,
	"boolean": truth, "text": plainText, "character varying": plainText, "bytea": binaryData, "json": jsonText, "jsonb": jsonText,
}

// digest is a checksum of a set of rows in any order: the sum of the rows' hashes.
type digest struct {
	rows int64
	sum  [4]uint64
}

func (d *digest) add(columns []column, values []any) {
	hash := sha256.New()
	for i, v := range values {
		text := "-"
		if v != nil {
			text = "+" + canonical(columns[i].kind, v)
		}
		_, _ = fmt.Fprintf(hash, "%d:%s", len(text), text)
	}
	sum := hash.Sum(nil)
	for i := range d.sum {
		d.sum[i] += binary.BigEndian.Uint64(sum[i*8:])
	}
	d.rows++
}

// String is the checksum in hex.
func (d digest) String() string {
	return fmt.Sprintf("%016x%016x%016x%016x", d.sum[0], d.sum[1], d.sum[2], d.sum[3])
}

func canonical(k kind, v any) string {
	switch x := v.(type) {
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(x)
	case []byte:
		return string(x)
	case string:
		var tree any
		if k == jsonText && json.Unmarshal([]byte(x), &tree) == nil {
			plain, _ := json.Marshal(tree) // sorts the keys
			return string(plain)
		}
		return x
	}
	return fmt.Sprint(v)
}

// normalise gives every value the Go type of its column's kind, whichever engine it
// came from, and names the column that holds something else.
func normalise(columns []column, values []any) error {
	for i, v := range values {
		if v == nil {
			continue
		}
		fit, ok := columns[i].kind.fit(v)
		if !ok {
			return fmt.Errorf("column %s holds %T %.40v", columns[i].name, v, v)
		}
		values[i] = fit
	}
	return nil
}

func (k kind) fit(v any) (any, bool) {
	switch x := v.(type) {
	case int16:
		v = int64(x)
	case int32:
		v = int64(x)
	case int:
		v = int64(x)
	case float32:
		v = float64(x)
	case time.Time: // no column of ours has such a type
		return nil, false
	}
	switch k {
	case wholeNumber:
		if b, ok := v.(bool); ok && b {
			return int64(1), true
		} else if ok {
			return int64(0), true
		}
		n, ok := v.(int64)
		return n, ok
	case realNumber:
		if n, ok := v.(int64); ok {
			return float64(n), true
		}
		f, ok := v.(float64)
		return f, ok
	case truth:
		if n, ok := v.(int64); ok {
			return n != 0, n == 0 || n == 1
		}
		b, ok := v.(bool)
		return b, ok
	case binaryData:
		if s, ok := v.(string); ok {
			return []byte(s), true
		}
		b, ok := v.([]byte)
		return b, ok
	case jsonText:
		if _, isText := v.(string); !isText { // pgx hands out the decoded tree
			text, err := json.Marshal(v)
			return string(text), err == nil
		}
	}
	if b, ok := v.([]byte); ok {
		return string(b), true
	}
	s, ok := v.(string)
	return s, ok
}

// stream feeds SQLite's rows to COPY and sums them on the way.
type stream struct {
	rows    *sql.Rows
	columns []column
	values  []any
	digest  digest
	err     error
}

// Next implements pgx.CopyFromSource.
func (s *stream) Next() bool {
	if s.err != nil || !s.rows.Next() {
		return false
	}
	s.values = make([]any, len(s.columns))
	into := make([]any, len(s.columns))
	for i := range s.values {
		into[i] = &s.values[i]
	}
	if s.err = s.rows.Scan(into...); s.err == nil {
		s.err = normalise(s.columns, s.values)
	}
	if s.err == nil {
		s.digest.add(s.columns, s.values)
	}
	return true // an error is told by Values
}

// Values implements pgx.CopyFromSource.
func (s *stream) Values() ([]any, error) { return s.values, s.err }

// Err implements pgx.CopyFromSource.
func (s *stream) Err() error {
	if s.err != nil {
		return s.err
	}
	return s.rows.Err()
}
