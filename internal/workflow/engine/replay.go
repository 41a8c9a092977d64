package engine

import (
	"fmt"
	"time"

	"viva/internal/workflow/bpmn"
)

// Recorded is one command with the answers it got from outside.
type Recorded struct {
	Command Command
	calls   []call
}

// Commands reads the commands back from the events of an instance.
func Commands(events []Event) ([]Recorded, error) {
	var list []Recorded
	for _, e := range events {
		if e.Kind != EventCommand {
			continue
		}
		cmd, calls, err := readCommand(e)
		if err != nil {
			return nil, err
		}
		list = append(list, Recorded{Command: cmd, calls: calls})
	}
	return list, nil
}

// Replay runs recorded commands from nothing and gives the aggregate and the
// events, equal byte for byte to those of the first run. process finds the graph
// of a definition; loc must be the zone of the first run.
func Replay(process func(definitionID string) (*bpmn.Process, error), loc *time.Location, commands []Recorded) (*State, []Event, error) {
	st := &State{}
	var events []Event
	for i, rec := range commands {
		definition := st.Instance.DefinitionID
		if start, ok := rec.Command.Do.(*Start); ok {
			definition = start.DefinitionID
		}
		g, err := process(definition)
		if err != nil {
			return nil, nil, err
		}
		w := world{Env: Env{Process: process, Location: loc}, calls: rec.calls, replay: true}
		fx, err := apply(g, st, rec.Command, w)
		if err != nil {
			return nil, nil, fmt.Errorf("replay: command %d (%s): %w", i+1, rec.Command.Do.Name(), err)
		}
		events = append(events, fx.Events...)
	}
	return st, events, nil
}
