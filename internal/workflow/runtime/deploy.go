package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
)

// DeployIn is a file to deploy. XML is UTF-8 text, see bpmn.Text.
type DeployIn struct {
	Key  string // id of the process in the file
	Name string // shown to people; the process's own name when empty
	XML  string
	// Always makes a new version even when the text is that of the newest one: what
	// belongs to a model besides its file has changed.
	Always bool
	// Siblings deploys the other executable processes of the file along, under one
	// deployment id, so that call activities can bind to it.
	Siblings bool
}

const (
	sqlInsertDefinition = `INSERT INTO wf_definition (tenant_id, id, deployment_id, key, version, version_tag, name, xml, sha256, suspended, history_ttl, deployed_at, deployed_by)
 VALUES (:tenant, :id, :deployment, :key, :version, :tag, :name, :xml, :sha, false, :ttl, :now, :by)`
	sqlLockKey        = `SELECT id FROM wf_definition WHERE tenant_id = :tenant AND key = :key AND version = 1 FOR UPDATE`
	sqlSuspendOlder   = `UPDATE wf_definition SET suspended = true WHERE tenant_id = :tenant AND key = :key AND version < :version AND suspended = false`
	sqlSetSuspended   = `UPDATE wf_definition SET suspended = :suspended WHERE tenant_id = :tenant AND id = :id`
	sqlDropStarts     = `DELETE FROM wf_subscription WHERE tenant_id = :tenant AND owner_id = :id AND starts = true`
	sqlSubscribeStart = `INSERT INTO wf_subscription (tenant_id, owner_id, id, starts, token_id, kind, name, corr_key, element)
 VALUES (:tenant, :owner, :id, :starts, :token, :kind, :name, :corr_key, :element)`
)

// Deploy checks a file and makes its process the newest version of its key, the only
// one that can be started; instances of older versions run on. The problems hold the
// warnings; with errors nothing is deployed and the error carries them as its data.
// The same text again gives the version that has it already.
func (e *Engine) Deploy(ctx context.Context, in DeployIn) (Definition, []bpmn.Problem, error) {
	var d Definition
	doc, problems, err := e.Examine(ctx, in.XML)
	if err != nil {
		return d, nil, err
	}
	if !bpmn.Deployable(problems) {
		return d, problems, refuse(ctx, problems)
	}
	p, ok := doc.Process(in.Key)
	if !ok || !p.Executable {
		return d, problems, ErrNoProcess.With(in.Key)
	}
	deployment := newID()
	err = store.Write(ctx, func(ctx context.Context) error {
		if d, err = e.deploy(ctx, in, p, deployment); err != nil || !in.Siblings || d.DeploymentID != deployment {
			return err
		}
		for _, other := range doc.Processes {
			if other == p || !other.Executable {
				continue
			}
			sibling := DeployIn{Key: other.ID, XML: in.XML, Always: true}
			if _, err := e.deploy(ctx, sibling, other, deployment); err != nil {
				return err
			}
		}
		return nil
	})
	return d, problems, err
}

func refuse(ctx context.Context, problems []bpmn.Problem) error {
	n, first := 0, ""
	for _, p := range problems {
		if p.Severity != bpmn.Error {
			continue
		}
		if n++; n == 1 {
			first = strings.TrimPrefix(p.ElementID+" ", " ") + p.Text(i18n.Lang(ctx))
		}
	}
	return ErrRefused.With(n, first).WithData(problems)
}

func (e *Engine) deploy(ctx context.Context, in DeployIn, p *bpmn.Process, deployment string) (Definition, error) {
	sum := sha256.Sum256([]byte(in.XML))
	d := Definition{DeploymentID: deployment, Key: p.ID, Version: 1, VersionTag: p.VersionTag, Name: in.Name, SHA256: hex.EncodeToString(sum[:]),
		HistoryTTL: p.HistoryTTL, DeployedAt: clock.Millis(), DeployedBy: actor.From(ctx).UserID}
	if d.Name == "" {
		d.Name = p.Name
	}
	// The first version stands for the key: who deploys a further one locks it, and only
	// then looks which is the newest.
	var look store.Batch
	_ = store.Read[string](&look, sqlLockKey, store.Args{"key": p.ID})
	list := store.Read[Definition](&look, sqlLatest, store.Args{"key": p.ID})
	if err := look.Send(ctx); err != nil {
		return d, err
	}
	exists := len(*list) > 0
	var newest Definition
	if exists {
		newest = (*list)[0]
		if newest.SHA256 == d.SHA256 && newest.Name == d.Name && !in.Always {
			return newest, nil
		}
		d.Version = newest.Version + 1
	}
	d.ID = fmt.Sprintf("%s:%d:%s", d.Key, d.Version, newID())
	var b store.Batch
	b.Exec(sqlInsertDefinition, store.Args{"id": d.ID, "deployment": deployment, "key": d.Key, "version": d.Version, "tag": d.VersionTag,
		"name": d.Name, "xml": in.XML, "sha": d.SHA256, "ttl": d.HistoryTTL, "now": d.DeployedAt, "by": d.DeployedBy})
	if exists {
		b.Exec(sqlSuspendOlder, store.Args{"key": d.Key, "version": d.Version})
		b.Exec(sqlDropStarts, store.Args{"id": newest.ID})
	}
	subscribeStarts(&b, d, p)
	if err := b.Send(ctx); err != nil {
		if errors.Is(err, store.ErrUnique) { // the first version, deployed twice at once
			err = errs.ErrStale.With().Because(err)
		}
		return d, err
	}
	return d, e.armStarts(ctx, d, p)
}

// subscribeStarts makes the process listen for what its start events name.
func subscribeStarts(b *store.Batch, d Definition, p *bpmn.Process) {
	for _, i := range p.Starts {
		n := &p.Nodes[i]
		kind := ""
		switch n.Event.Type {
		case bpmn.EventMessage:
			kind = "message"
		case bpmn.EventSignal:
			kind = "signal"
		default:
			continue
		}
		b.Exec(sqlSubscribeStart, store.Args{"owner": d.ID, "id": int64(i) + 1, "starts": true, "token": int64(0), "kind": kind,
			"name": startText(n.Event.Name), "corr_key": "", "element": n.ID})
	}
}

// Suspend keeps a definition from being started, or lets it start again; its instances
// are not touched. Only the newest version can be started at all.
func (e *Engine) Suspend(ctx context.Context, id string, suspended bool) error {
	return store.Write(ctx, func(ctx context.Context) error {
		d, err := e.FindDefinition(ctx, id)
		if err != nil || d.Suspended == suspended {
			return err
		}
		var b store.Batch
		b.Exec(sqlSetSuspended, store.Args{"id": id, "suspended": suspended})
		b.Exec(sqlDropStarts, store.Args{"id": id})
		newest, err := e.Latest(ctx, d.Key)
		if err != nil {
			return err
		}
		c, err := e.compile(ctx, id)
		if err != nil {
			return err
		}
		starts := !suspended && newest.ID == d.ID
		if starts {
			subscribeStarts(&b, d, c.process)
		}
		if err := b.Send(ctx); err != nil || !starts {
			return err
		}
		return e.armStarts(ctx, d, c.process)
	})
}

// Examine reads a file and lists all its problems, as a deployment would find them.
func (e *Engine) Examine(ctx context.Context, xml string) (*bpmn.Document, []bpmn.Problem, error) {
	if !utf8.ValidString(xml) || strings.ContainsRune(xml, 0) {
		return nil, nil, ErrUnreadable.With(i18n.Pick(ctx, "不是 UTF-8 文本", "it is not UTF-8 text"))
	}
	doc, err := bpmn.Decode([]byte(xml))
	if err != nil {
		var problem *bpmn.Problem
		if errors.As(err, &problem) {
			return nil, nil, ErrUnreadable.With(problem.Text(i18n.Lang(ctx)))
		}
		return nil, nil, err
	}
	var failed error
	problems := bpmn.Check(doc, func(kind bpmn.UseKind, name string) bool {
		known, err := e.knows(ctx, kind, name)
		failed = errors.Join(failed, err)
		return known
	})
	if failed != nil {
		return nil, nil, failed
	}
	more, err := e.examineCode(ctx, doc)
	return doc, append(problems, more...), err
}

// knows reports whether a name that a file uses is registered.
func (e *Engine) knows(ctx context.Context, kind bpmn.UseKind, name string) (known bool, err error) {
	switch kind {
	case bpmn.UseService:
		_, known = e.registry.handler(name, ForService)
	case bpmn.UseListener:
		_, known = e.registry.handler(name, ForExecution)
	case bpmn.UseTaskListener:
		_, known = e.registry.handler(name, ForTask)
	case bpmn.UseDecision:
		_, known = e.registry.decisions[name]
	case bpmn.UseCall:
		bean, method, dotted := strings.Cut(name, ".")
		if !dotted {
			bean, method = "", name
		}
		if known = bean == "execution" || bean == "task"; !known {
			_, known = e.registry.method(bean, method)
		}
	case bpmn.UseProcess:
		_, known, err = store.Get[Definition](ctx, sqlLatest, store.Args{"key": name})
	}
	return known, err
}
