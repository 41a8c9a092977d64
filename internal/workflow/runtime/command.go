package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
)

// Command is one request to an instance.
type Command struct {
	// ID, unless empty, makes the command idempotent for seven days: the same id again
	// gives the first answer, and ErrKeyReused when it asks for something else.
	ID       string
	Instance string
	// Rev, unless 0, is the revision the caller saw; any other is ErrStale.
	Rev int64
	// Actor is the user; the user of ctx when 0.
	Actor  int64
	Action engine.Action
}

// Result is what a command came to.
type Result struct {
	Instance string
	Rev      int64
	Status   engine.InstanceStatus
	Outcome  engine.Result
	// Opened are the tasks that are open now and were not before the unit.
	Opened []int64 `json:",omitempty"`
	// Repeated marks the answer to a command that was executed before.
	Repeated bool `json:"-"`
}

// StartIn starts an instance of the newest version of Key, or of Definition.
type StartIn struct {
	CommandID    string
	Key          string
	Definition   string
	BusinessType string // with BusinessID: at most one running instance
	BusinessID   string
	Name         string
	Starter      int64 // the user of ctx when 0
	Vars         map[string]any
	Node         string // a start event other than the none start event
}

// commandRow remembers an executed command.
type commandRow struct {
	ID         string
	InstanceID string
	Digest     string
	Result     string
	claimed    bool // stands in the table, without its result
}

const (
	sqlCommand       = `SELECT id, instance_id, digest, result FROM wf_command WHERE tenant_id = :tenant AND id = :id`
	sqlClaimCommand  = `INSERT INTO wf_command (tenant_id, id, instance_id, digest, at, result) VALUES (:tenant, :id, :instance, :digest, :at, :result) ON CONFLICT (tenant_id, id) DO NOTHING`
	sqlInsertCommand = `INSERT INTO wf_command (tenant_id, id, instance_id, digest, at, result) VALUES (:tenant, :id, :instance, :digest, :at, :result)`
	sqlEndCommand    = `UPDATE wf_command SET result = :result WHERE tenant_id = :tenant AND id = :id`
)

// Do executes a command up to the next wait states, in the caller's Write or in one of
// its own. Called from a hook it joins the unit of the hook.
func (e *Engine) Do(ctx context.Context, c Command) (Result, error) {
	var res Result
	err := e.within(ctx, func(ctx context.Context, u *unit) error {
		c.Actor = who(ctx, c.Actor)
		outer := u.begin(c.ID)
		a, earlier, err := u.load(ctx, c.Instance, c.ID)
		if err != nil {
			return err
		}
		if earlier != nil {
			res, err = earlier.answer(c.digest())
			return err
		}
		if err := a.stale(c.Rev); err != nil {
			return err
		}
		if err := u.apply(ctx, a, c.Actor, c.Action); err != nil {
			return err
		}
		if res, err = u.finish(ctx, a, outer); err != nil || c.ID == "" {
			return err
		}
		row := commandRow{ID: c.ID, InstanceID: c.Instance, Digest: c.digest()}
		return u.remember(row, res)
	})
	return res, err
}

// Start starts an instance and runs it to its first wait states.
func (e *Engine) Start(ctx context.Context, in StartIn) (Result, error) {
	var res Result
	err := e.within(ctx, func(ctx context.Context, u *unit) error {
		in.Starter = who(ctx, in.Starter)
		outer := u.begin(in.CommandID)
		row := commandRow{ID: in.CommandID, InstanceID: newID(), claimed: true}
		if in.CommandID != "" {
			row.Digest = in.digest()
		}
		d, earlier, err := u.claim(ctx, in, row)
		if err != nil {
			return err
		}
		if earlier != nil {
			res, err = earlier.answer(row.Digest)
			return err
		}
		a, err := u.start(ctx, d, startable(d), in, &engine.Start{ID: row.InstanceID})
		if err != nil {
			return err
		}
		if res, err = u.finish(ctx, a, outer); err != nil || in.CommandID == "" {
			return err
		}
		return u.remember(row, res)
	})
	return res, err
}

// claim reads the definition and, in the same exchange, takes the id of the command: an
// equal command at the same time waits here for the end of the first.
func (u *unit) claim(ctx context.Context, in StartIn, row commandRow) (d Definition, earlier *commandRow, err error) {
	var b store.Batch
	claimed, found := new(int64), &[]commandRow{}
	if row.ID != "" {
		claimed = b.Exec(sqlClaimCommand, store.Args{"id": row.ID, "instance": row.InstanceID, "digest": row.Digest, "at": u.at, "result": ""})
		found = store.Read[commandRow](&b, sqlCommand, store.Args{"id": row.ID})
	}
	name := in.Definition
	var list *[]Definition
	if name != "" {
		list = store.Read[Definition](&b, sqlDefinition, store.Args{"id": name})
	} else {
		name = in.Key
		list = store.Read[Definition](&b, sqlLatest, store.Args{"key": name})
	}
	if err := b.Send(ctx); err != nil {
		return d, nil, err
	}
	if row.ID != "" && *claimed == 0 {
		return d, &(*found)[0], nil
	}
	if len(*list) == 0 {
		return d, nil, ErrNoDefinition.With(name)
	}
	return (*list)[0], nil, nil
}

// startable refuses a suspended definition.
func startable(d Definition) error {
	if d.Suspended {
		return ErrDefinitionPause.With(d.Name)
	}
	return nil
}

// start adds a new instance to the unit. do holds what a caller in the call tree knows.
func (u *unit) start(ctx context.Context, d Definition, refusal error, in StartIn, do *engine.Start) (*aggregate, error) {
	if refusal != nil {
		return nil, refusal
	}
	c, err := u.e.compile(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	do.DefinitionID, do.BusinessType, do.BusinessID, do.Title, do.StarterID, do.Node = d.ID, in.BusinessType, in.BusinessID, in.Name, in.Starter, in.Node
	if do.Title == "" {
		do.Title = d.Name
	}
	if do.Vars == "" {
		if do.Vars, err = engine.Object(in.Vars); err != nil {
			return nil, engine.ErrBadVariable.With(err)
		}
	}
	a := u.add(c, &engine.State{})
	if err := u.apply(ctx, a, in.Starter, do); err != nil {
		return a, err
	}
	for _, fn := range u.e.onStart {
		if err := fn(ctx, &InstanceStarted{Instance: a.st.Instance, Process: a.process}); err != nil {
			return a, err
		}
	}
	return a, nil
}

// begin gives the unit the id of its first command and reports whether it is that.
func (u *unit) begin(id string) (outer bool) {
	outer = u.n == 0 && len(u.all) == 0
	if outer && u.id == "" {
		u.id = id
	}
	return outer
}

// finish makes the result: of the first command after everything that follows from it.
func (u *unit) finish(ctx context.Context, a *aggregate, outer bool) (Result, error) {
	if outer {
		if err := u.drain(ctx); err != nil {
			return Result{}, err
		}
	}
	return a.result(), nil
}

func (u *unit) remember(row commandRow, res Result) error {
	text, err := json.Marshal(res)
	row.Result = string(text)
	u.rows = append(u.rows, row)
	return err
}

func (a *aggregate) result() Result {
	in := &a.st.Instance
	res := Result{Instance: in.ID, Rev: in.Rev, Status: in.Status, Outcome: in.Result}
	for _, k := range a.st.Tasks {
		if k.ID >= a.first {
			res.Opened = append(res.Opened, k.ID)
		}
	}
	return res
}

// digest tells a repeated command from another one under the same id.
func (c Command) digest() string {
	return digest(c.Instance, c.Action.Name(), c.Rev, c.Actor, c.Action)
}

func (in StartIn) digest() string { return digest(in) }

func digest(parts ...any) string {
	text, err := json.Marshal(parts)
	if err != nil {
		text = []byte(err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

func (r commandRow) answer(digest string) (res Result, err error) {
	if r.Digest != digest {
		return res, errs.ErrKeyReused.With()
	}
	if err := json.Unmarshal([]byte(r.Result), &res); err != nil {
		return res, fmt.Errorf("result of command %s: %w", r.ID, err)
	}
	res.Repeated = true
	return res, nil
}
