package runtime

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
)

// Definition is one deployed version of a process. Only Suspended ever changes.
type Definition struct {
	ID           string
	DeploymentID string
	Key          string
	Version      int
	VersionTag   string
	Name         string
	SHA256       string `db:"sha256"`
	Suspended    bool
	HistoryTTL   string `db:"history_ttl"`
	DeployedAt   int64
	DeployedBy   int64
}

const (
	sqlDefinition = `SELECT id, deployment_id, key, version, version_tag, name, sha256, suspended, history_ttl, deployed_at, deployed_by
 FROM wf_definition WHERE tenant_id = :tenant AND id = :id`
	sqlLatest = `SELECT id, deployment_id, key, version, version_tag, name, sha256, suspended, history_ttl, deployed_at, deployed_by
 FROM wf_definition WHERE tenant_id = :tenant AND key = :key ORDER BY version DESC LIMIT 1`
	sqlByVersion = `SELECT id, deployment_id, key, version, version_tag, name, sha256, suspended, history_ttl, deployed_at, deployed_by
 FROM wf_definition WHERE tenant_id = :tenant AND key = :key AND version = :version`
	sqlByTag = `SELECT id, deployment_id, key, version, version_tag, name, sha256, suspended, history_ttl, deployed_at, deployed_by
 FROM wf_definition WHERE tenant_id = :tenant AND key = :key AND version_tag = :tag AND version_tag <> '' ORDER BY version DESC LIMIT 1`
	sqlByDeployment = `SELECT id, deployment_id, key, version, version_tag, name, sha256, suspended, history_ttl, deployed_at, deployed_by
 FROM wf_definition WHERE tenant_id = :tenant AND deployment_id = :deployment AND key = :key`
	sqlXML = `SELECT xml FROM wf_definition WHERE tenant_id = :tenant AND id = :id`
)

// FindDefinition reads a definition by id, ErrNoDefinition when there is none.
func (e *Engine) FindDefinition(ctx context.Context, id string) (Definition, error) {
	return foundDefinition(id)(store.Get[Definition](ctx, sqlDefinition, store.Args{"id": id}))
}

// Latest reads the newest version of a process, ErrNoDefinition when there is none.
func (e *Engine) Latest(ctx context.Context, key string) (Definition, error) {
	return foundDefinition(key)(store.Get[Definition](ctx, sqlLatest, store.Args{"key": key}))
}

// XML reads the file of a definition as it was deployed.
func (e *Engine) XML(ctx context.Context, id string) (string, error) {
	text, ok, err := store.Get[string](ctx, sqlXML, store.Args{"id": id})
	if err == nil && !ok {
		err = ErrNoDefinition.With(id)
	}
	return text, err
}

func foundDefinition(name string) func(Definition, bool, error) (Definition, error) {
	return func(d Definition, ok bool, err error) (Definition, error) {
		if err == nil && !ok {
			err = ErrNoDefinition.With(name)
		}
		return d, err
	}
}

// compiled is a definition with its graph. Apart from Suspended, which must not be read
// from here, it never changes, so that it may stay in memory under its id.
type compiled struct {
	Definition
	tenant  int64
	process *bpmn.Process
}

// Process gives the graph of a definition.
func (e *Engine) Process(ctx context.Context, id string) (*bpmn.Process, error) {
	c, err := e.compile(ctx, id)
	if err != nil {
		return nil, err
	}
	return c.process, nil
}

func (e *Engine) compile(ctx context.Context, id string) (*compiled, error) {
	tenant := actor.From(ctx).TenantID
	if c, ok := e.compiled.GetIfPresent(id); ok && c.tenant == tenant {
		return c, nil
	}
	d, err := e.FindDefinition(ctx, id)
	if err != nil {
		return nil, err
	}
	text, err := e.XML(ctx, id)
	if err != nil {
		return nil, err
	}
	doc, err := bpmn.Decode([]byte(text))
	if err != nil {
		return nil, err
	}
	p, ok := doc.Process(d.Key)
	if !ok {
		return nil, ErrNoProcess.With(d.Key)
	}
	c := &compiled{Definition: d, tenant: tenant, process: p}
	e.compiled.Set(id, c)
	return c, nil
}
