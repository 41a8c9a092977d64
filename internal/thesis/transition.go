package thesis

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/store"
)

// Transition is one line of a thesis's history. Rows are only ever appended; each holds
// the hash of the one before, so that a changed or missing line is noticed.
type Transition struct {
	ID           int64
	TenantID     int64
	RecordID     int64
	Seq          int
	StepID       int64
	StepCode     StepCode
	FormID       int64
	Event        Event
	FromStatus   Status
	ToStatus     Status
	FromAudit    Audit
	ToAudit      Audit
	Level        Level
	ActorUserID  int64
	ActorKind    int
	ActorName    string
	Reason       string
	Files        store.JSON[[]int64]
	DigestBefore string
	DigestAfter  string
	CreateTime   int64
	PrevHash     string
	Hash         string
}

const (
	sqlTransitionLast   = `SELECT seq, hash FROM thesis_transition WHERE tenant_id = :tenant AND record_id = :record ORDER BY seq DESC LIMIT 1`
	sqlTransitionInsert = `INSERT INTO thesis_transition (tenant_id, record_id, seq, step_id, step_code, form_id, event, from_status, to_status, from_audit,
 to_audit, level, actor_user_id, actor_kind, actor_name, reason, files, digest_before, digest_after, create_time, prev_hash, hash)
 VALUES (:tenant, :record, :seq, :step, :code, :form, :event, :from, :to, :from_audit, :to_audit, :level, :user, :kind, :name, :reason, :files,
 :before, :after, :now, :prev, :hash)`
	sqlTransitionsOf = `SELECT * FROM thesis_transition WHERE tenant_id = :tenant AND record_id = :record ORDER BY seq`
)

// appendTransition adds a line for the actor of ctx (or the given one) at the current time (or the
// given one). The caller holds the lock of the record; the unique sequence refuses a fork.
func appendTransition(ctx context.Context, t Transition) error {
	type head struct {
		Seq  int
		Hash string
	}
	lastLine, _, err := store.Get[head](ctx, sqlTransitionLast, store.Args{"record": t.RecordID})
	if err != nil {
		return err
	}
	who := actor.From(ctx)
	t.TenantID, t.Seq, t.PrevHash = who.TenantID, lastLine.Seq+1, lastLine.Hash
	if t.CreateTime == 0 {
		t.CreateTime = now()
	}
	if t.ActorKind == 0 {
		t.ActorKind, t.ActorUserID, t.ActorName = int(who.Kind), who.UserID, nameOf(who)
	}
	if t.Files.V == nil {
		t.Files.V = []int64{}
	}
	t.Hash = t.digest()
	return store.Later(ctx, sqlTransitionInsert, store.Args{
		"record": t.RecordID, "seq": t.Seq, "step": t.StepID, "code": t.StepCode, "form": t.FormID, "event": t.Event, "from": t.FromStatus, "to": t.ToStatus,
		"from_audit": t.FromAudit, "to_audit": t.ToAudit, "level": t.Level, "user": t.ActorUserID, "kind": t.ActorKind, "name": t.ActorName, "reason": t.Reason,
		"files": t.Files, "before": t.DigestBefore, "after": t.DigestAfter, "now": t.CreateTime, "prev": t.PrevHash, "hash": t.Hash,
	})
}

func nameOf(a actor.Actor) string {
	switch {
	case a.Kind == actor.System:
		return "系统"
	case a.Nickname != "":
		return a.Nickname
	}
	return a.Username
}

// digest covers everything a reader relies on.
func (t Transition) digest() string {
	sum := sha256.New()
	for _, part := range []any{t.PrevHash, t.TenantID, t.RecordID, t.Seq, t.StepID, t.StepCode, t.FormID, t.Event, t.FromStatus, t.ToStatus, t.FromAudit, t.ToAudit,
		t.Level, t.ActorUserID, t.ActorKind, t.ActorName, t.Reason, t.Files.V, t.DigestBefore, t.DigestAfter, t.CreateTime} {
		text := fmt.Sprint(part)
		_, _ = fmt.Fprintf(sum, "%d:%s|", len(text), text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// unbroken checks the chain of one record's history.
func unbroken(list []Transition) bool {
	prev := ""
	for i, t := range list {
		if t.Seq != i+1 || t.PrevHash != prev || t.Hash != t.digest() {
			return false
		}
		prev = t.Hash
	}
	return true
}

// VerifyHistory reports whether the history of a record is complete and unaltered.
func VerifyHistory(ctx context.Context, recordID int64) (bool, error) {
	list, err := store.Select[Transition](ctx, sqlTransitionsOf, store.Args{"record": recordID})
	return unbroken(list), err
}
