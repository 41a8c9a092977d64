// Package audit keeps who changed which row, when, from what to what. The row is
// written in the transaction of the change; afterwards Seal chains the rows of each
// tenant by hash, so that a removed or altered row is noticed by Verify.
//
// Rows are sealed in a separate step because a chain head inside the business
// transaction would make all writes of a tenant wait for each other.
package audit

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
)

// Migrations creates the audit table.
//
//go:embed migrations/*.sql
var Migrations embed.FS

// Op is what happened to the row.
type Op int

// The operations.
const (
	Created Op = 1
	Updated Op = 2
	Deleted Op = 3
	Event   Op = 4 // something worth keeping that changed no audited row
)

// Entry is one change. Before and After are JSON objects of the changed fields with
// secrets masked.
type Entry struct {
	Table  string
	Title  string
	RowID  int64
	Op     Op
	Action string
	Before map[string]any
	After  map[string]any
	// Tenant owns the row; 0 means the actor's tenant.
	Tenant int64
}

// Row is a stored audit row.
type Row struct {
	ID         int64  `json:"id"`
	TenantID   int64  `json:"-"`
	CreateTime int64  `json:"createTime"`
	ActorKind  int    `json:"actorKind"`
	UserID     int64  `json:"userId"`
	UserType   int    `json:"userType"`
	UserName   string `json:"userName"`
	TraceID    string `json:"traceId"`
	UserIP     string `json:"userIp"`
	UserAgent  string `json:"userAgent"`
	Method     string `json:"requestMethod"`
	URL        string `json:"requestUrl"`
	Entity     string `json:"entity"`
	Type       string `json:"type"`
	SubType    string `json:"subType"`
	Op         int    `json:"op"`
	BizID      int64  `json:"bizId"`
	Action     string `json:"action"`
	Before     string `json:"before"`
	After      string `json:"after"`
	Reason     string `json:"reason"`
	ChainNo    *int64 `json:"chainNo"`
	PrevHash   string `json:"-"`
	Hash       string `json:"hash"`
}

const sqlInsert = `INSERT INTO audit_log (tenant_id, create_time, actor_kind, user_id, user_type, user_name, trace_id, user_ip,
 user_agent, method, url, entity, type, sub_type, op, biz_id, action, before, after, reason)
 VALUES (:tenant, :time, :kind, :user, :user_type, :name, :trace, :ip, :agent, :method, :url, :entity, :type, :sub_type, :op,
 :row, :action, :before, :after, :reason)`

var subTypes = map[Op]string{Created: "新增", Updated: "修改", Deleted: "删除", Event: "事件"}

// Record writes the entry into the current transaction.
func Record(ctx context.Context, e Entry) error {
	a, r := actor.From(ctx), actor.RequestOf(ctx)
	before, err := text(e.Before)
	if err != nil {
		return err
	}
	after, err := text(e.After)
	if err != nil {
		return err
	}
	tenant, reason := e.Tenant, store.AcrossReason(ctx)
	if tenant == 0 {
		tenant = a.TenantID
	}
	if tenant != a.TenantID {
		ctx = store.AcrossTenants(ctx, "audit: the row belongs to the tenant it tells of")
	}
	return store.Later(ctx, sqlInsert, store.Args{
		"tenant": tenant, "time": clock.Millis(), "kind": int(a.Kind), "user": a.UserID, "user_type": a.UserType,
		"name": a.Username, "trace": r.ID, "ip": r.IP, "agent": clip(r.UserAgent, 300), "method": r.Method, "url": clip(r.Path, 300),
		"entity": e.Table, "type": e.Title, "sub_type": subTypes[e.Op], "op": int(e.Op), "row": e.RowID,
		"action": clip(e.Action, 500), "before": before, "after": after, "reason": reason,
	})
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

func text(m map[string]any) (string, error) {
	if len(m) == 0 {
		return "", nil
	}
	b, err := json.Marshal(m)
	return string(b), err
}

const (
	sqlTenants  = `SELECT DISTINCT tenant_id FROM audit_log WHERE chain_no IS NULL`
	sqlHead     = `SELECT chain_no, hash FROM audit_log WHERE tenant_id = :tenant AND chain_no IS NOT NULL ORDER BY chain_no DESC LIMIT 1 FOR UPDATE`
	sqlUnsealed = `SELECT * FROM audit_log WHERE tenant_id = :tenant AND chain_no IS NULL ORDER BY id LIMIT 500 FOR UPDATE SKIP LOCKED`
	sqlSeal     = `UPDATE audit_log SET chain_no = :no, prev_hash = :prev, hash = :hash WHERE tenant_id = :tenant AND id = :id AND chain_no IS NULL`
	sqlChain    = `SELECT * FROM audit_log WHERE tenant_id = :tenant AND chain_no IS NOT NULL ORDER BY chain_no`
)

type head struct {
	ChainNo int64
	Hash    string
}

// Seal chains every row that is not chained yet and gives their number. Two nodes
// cannot fork a chain: (tenant_id, chain_no) is unique.
func Seal(ctx context.Context) (int, error) {
	across := store.AcrossTenants(ctx, "audit: seal the chain of each tenant")
	tenants, err := store.Select[int64](across, sqlTenants, nil)
	if err != nil {
		return 0, err
	}
	total := 0
	for _, tenant := range tenants {
		for {
			n := 0
			err := store.Write(actor.AsSystem(ctx, tenant), func(ctx context.Context) error {
				n, err = sealGroup(ctx)
				return err
			})
			total += n
			if err != nil {
				return total, err
			}
			if n < 500 {
				break
			}
		}
	}
	return total, nil
}

func sealGroup(ctx context.Context) (int, error) {
	own := store.Args{"tenant": actor.From(ctx).TenantID} // given, since tenant 0 has a chain too
	last, _, err := store.Get[head](ctx, sqlHead, own)
	if err != nil {
		return 0, err
	}
	rows, err := store.Select[Row](ctx, sqlUnsealed, own)
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		next := head{ChainNo: last.ChainNo + 1, Hash: row.digest(last.Hash, last.ChainNo+1)}
		if _, err := store.Exec(ctx, sqlSeal, store.Args{
			"tenant": own["tenant"], "no": next.ChainNo, "prev": last.Hash, "hash": next.Hash, "id": row.ID}); err != nil {
			return 0, err
		}
		last = next
	}
	return len(rows), nil
}

// digest covers every column that a reader relies on.
func (r Row) digest(prev string, no int64) string {
	sum := sha256.New()
	for _, part := range []any{prev, no, r.ID, r.TenantID, r.CreateTime, r.ActorKind, r.UserID, r.UserType, r.UserName, r.TraceID, r.UserIP,
		r.UserAgent, r.Method, r.URL, r.Entity, r.Type, r.SubType, r.Op, r.BizID, r.Action, r.Before, r.After, r.Reason} {
		s := fmt.Sprint(part)
		_, _ = fmt.Fprintf(sum, "%d:%s|", len(s), s)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Verify walks the chain of ctx's tenant and names the first row that does not fit;
// ok with the number of rows otherwise.
func Verify(ctx context.Context) (rows int64, broken int64, err error) {
	last := head{}
	err = store.Each(ctx, sqlChain, store.Args{"tenant": actor.From(ctx).TenantID}, func(r Row) error {
		if broken != 0 {
			return nil
		}
		if *r.ChainNo != last.ChainNo+1 || r.PrevHash != last.Hash || r.Hash != r.digest(last.Hash, *r.ChainNo) {
			broken = r.ID
			return nil
		}
		last = head{ChainNo: *r.ChainNo, Hash: r.Hash}
		rows++
		return nil
	})
	return rows, broken, err
}
