package runtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// instanceRow is a line of wf_instance.
type instanceRow struct {
	ID               string
	DefinitionID     string
	ProcessKey       string
	RootID           string
	ParentInstanceID string
	ParentTokenID    int64
	Depth            int
	BusinessType     string
	BusinessID       string
	Name             string
	StarterID        int64
	Status           int
	Result           int
	Rev              int64
	NextSeq          int64
	NextID           int64
	StartedAt        int64
	EndedAt          int64
	Reason           string
	Vars             string
	State            string
}

// living is the part of the aggregate that stands in the column state. Its field names
// are stored: renaming one needs a migration.
type living struct {
	Tokens        []*engine.Token        `json:",omitempty"`
	Tasks         []*engine.Task         `json:",omitempty"`
	Subscriptions []*engine.Subscription `json:",omitempty"`
	Jobs          []*engine.Job          `json:",omitempty"`
	Incidents     []*engine.Incident     `json:",omitempty"`
	Activities    []*engine.Activity     `json:",omitempty"`
}

// load turns a row into the aggregate.
func (r *instanceRow) load() (*engine.State, error) {
	var l living
	if r.State != "" {
		if err := json.Unmarshal([]byte(r.State), &l); err != nil {
			return nil, fmt.Errorf("state of instance %s: %w", r.ID, err)
		}
	}
	return &engine.State{
		Instance: engine.Instance{
			ID: r.ID, DefinitionID: r.DefinitionID, RootID: r.RootID, ParentInstance: r.ParentInstanceID, ParentToken: r.ParentTokenID, Depth: r.Depth,
			BusinessType: r.BusinessType, BusinessID: r.BusinessID, Name: r.Name, StarterID: r.StarterID,
			Status: engine.InstanceStatus(r.Status), Result: engine.Result(r.Result), Rev: r.Rev, NextSeq: r.NextSeq, NextID: r.NextID,
			StartedAt: r.StartedAt, EndedAt: r.EndedAt, Reason: r.Reason, Vars: engine.Document(r.Vars),
		},
		Tokens: l.Tokens, Tasks: l.Tasks, Subscriptions: l.Subscriptions, Jobs: l.Jobs, Incidents: l.Incidents, Activities: l.Activities,
	}, nil
}

// snapshot writes the living part; an ended instance has none.
func snapshot(st *engine.State) (string, error) {
	if st.Instance.Status == engine.Ended {
		return "", nil
	}
	return encode(living{st.Tokens, st.Tasks, st.Subscriptions, st.Jobs, st.Incidents, st.Activities})
}

// encode writes JSON without the escapes for HTML, so that documents inside keep their
// bytes.
func encode(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// instanceArgs are the columns of an instance.
func instanceArgs(st *engine.State, key string) (store.Args, error) {
	state, err := snapshot(st)
	if err != nil {
		return nil, err
	}
	in := &st.Instance
	return store.Args{"id": in.ID, "definition": in.DefinitionID, "key": key, "root": in.RootID, "parent": in.ParentInstance, "parent_token": in.ParentToken,
		"depth": in.Depth, "business_type": in.BusinessType, "business_id": in.BusinessID, "name": in.Name, "starter": in.StarterID,
		"status": int(in.Status), "result": int(in.Result), "rev": in.Rev, "next_seq": in.NextSeq, "next_id": in.NextID,
		"started_at": in.StartedAt, "ended_at": in.EndedAt, "reason": in.Reason, "vars": string(in.Vars), "state": state}, nil
}
