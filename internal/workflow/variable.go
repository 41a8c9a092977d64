package workflow

import (
	"strings"

	"viva/internal/workflow/engine"
)

// The variables that the approval layer itself keeps in an instance.
const (
	varStarter      = "PROCESS_START_USER_ID"
	varStarterPicks = "PROCESS_START_USER_SELECT_ASSIGNEES"
	varDeciderPicks = "PROCESS_APPROVE_USER_SELECT_ASSIGNEES"
	// varReturnedAt is when somebody last sent the instance back: what was decided before
	// does not answer for the people asked again.
	varReturnedAt = "PROCESS_RETURNED_AT"
)

// reservedNames steer the engine or the approval layer; a form never sets them.
var reservedNames = map[string]bool{
	"initiator": true, "execution": true, "task": true, "loopCounter": true, "nrOfInstances": true, "nrOfActiveInstances": true, "nrOfCompletedInstances": true,
	"_FLOWABLE_SKIP_EXPRESSION_ENABLED": true, "_ACTIVITI_SKIP_EXPRESSION_ENABLED": true,
}

func reserved(name string) bool {
	return reservedNames[name] || strings.HasPrefix(name, "PROCESS_") || strings.HasPrefix(name, "RETURN_FLAG_") || strings.HasSuffix(name, "_assignee") || strings.HasSuffix(name, "_assignees")
}

// formVariables are the variables that came from people.
func formVariables(vars map[string]any) map[string]any {
	out := make(map[string]any, len(vars))
	for name, v := range vars {
		if !reserved(name) {
			out[name] = v
		}
	}
	return out
}

// picks reads who was picked for a task, out of a variable that maps task keys to ids.
func picks(vars map[string]any, variable, element string) []int64 {
	chosen, _ := vars[variable].(map[string]any)
	return idsIn(chosen[element])
}

// visibleVars are the variables as a token sees them, the nearest scope winning.
func visibleVars(st *engine.State, token int64) map[string]any {
	var scopes []engine.Document
	for t := st.Token(token); t != nil; t = st.Token(t.Parent) {
		scopes = append(scopes, t.Vars)
	}
	all := documentVars(st.Instance.Vars)
	for i := len(scopes) - 1; i >= 0; i-- {
		for name, v := range documentVars(scopes[i]) {
			all[name] = v
		}
	}
	return all
}

// documentVars reads a stored document; the engine wrote it, so that it is readable.
func documentVars(d engine.Document) map[string]any {
	vars, err := d.Fields()
	if err != nil || vars == nil {
		return map[string]any{}
	}
	return vars
}
