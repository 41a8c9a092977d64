package engine

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Command is one request to an instance. ID makes it idempotent (the shell keeps
// the ids), At is the clock of everything that happens in it.
type Command struct {
	ID      string
	At      int64 // ms UTC
	ActorID int64
	Do      Action
}

// Action is what a command does; one type per command.
type Action interface {
	// Name is the stable name under which the action is recorded.
	Name() string
	apply(r *run) error
}

// blank gives an empty action by name, to read a recorded one into.
func blank(name string) Action {
	for _, a := range []Action{
		&Start{}, &End{}, &Suspend{}, &Resume{}, &SetVariables{}, &Migrate{},
		&CompleteTask{}, &SetAssignee{}, &UpdateTask{}, &AddTask{}, &EndTask{},
		&Cancel{}, &Move{}, &AddItem{}, &RemoveItem{}, &ReopenItem{},
		&Deliver{}, &FireJob{}, &FinishJob{}, &FailJob{}, &FinishChild{}, &Raise{},
		&RetryIncident{}, &SkipIncident{},
	} {
		if a.Name() == name {
			return a
		}
	}
	return nil
}

// record is the data of an EventCommand row: all inputs of the command that do
// not stand in the other columns.
type record struct {
	Args  json.RawMessage
	Calls []call `json:",omitempty"`
	Do    string
}

func (r *run) recordCommand(at int) error {
	args, err := arguments(r.cmd.Do)
	if err != nil {
		return err
	}
	if len(r.env.calls) == 0 {
		r.fx.Events[at].Data = `{"Args":` + args + `,"Do":"` + Document(r.cmd.Do.Name()) + `"}`
		return nil
	}
	data, err := encode(record{Do: r.cmd.Do.Name(), Args: json.RawMessage(args), Calls: r.env.calls})
	if err != nil {
		return err
	}
	r.fx.Events[at].Data = data
	return nil
}

// arguments writes an action; the plain approval without encoding/json.
func arguments(do Action) (Document, error) {
	if c, ok := do.(*CompleteTask); ok && *c == (CompleteTask{Task: c.Task}) {
		return Document(append(strconv.AppendInt([]byte(`{"Task":`), c.Task, 10), '}')), nil
	}
	return encode(do)
}

func readCommand(e Event) (Command, []call, error) {
	var rec record
	if err := json.Unmarshal([]byte(e.Data), &rec); err != nil {
		return Command{}, nil, fmt.Errorf("event %d: %w", e.Seq, err)
	}
	do := blank(rec.Do)
	if do == nil {
		return Command{}, nil, fmt.Errorf("event %d: unknown command %q", e.Seq, rec.Do)
	}
	if err := json.Unmarshal(rec.Args, do); err != nil {
		return Command{}, nil, fmt.Errorf("event %d: command %s: %w", e.Seq, rec.Do, err)
	}
	return Command{ID: e.Command, At: e.At, ActorID: e.ActorID, Do: do}, rec.Calls, nil
}
