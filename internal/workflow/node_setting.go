package workflow

import (
	"strconv"
	"strings"

	"viva/internal/workflow/bpmn"
)

// nodeSetting is what a user task says about its approval beside who decides it: the text
// elements of contract bpm.md §B in its extension elements. 0 means not said.
type nodeSetting struct {
	approveType  int // 1 people, 2 approve at once, 3 reject at once
	ifStarter    int // the starter is asked: 1 he decides, 2 skip him, 3 the head of his department
	ifEmpty      int // nobody found: 1 approve, 2 reject, 3 fixed users, 4 the managers of the model
	emptyUsers   []int64
	ifRejected   int // 1 the process ends, 2 back to rejectTo
	rejectTo     string
	wantsSign    bool
	wantsOpinion bool
	// fields maps a field of the form to what the decider may: 1 read, 2 write, 3 not see.
	fields map[string]int
}

// The values of the settings that decide without asking.
const (
	approveAtOnce = 2
	rejectAtOnce  = 3

	starterSkipped  = 2
	starterToLeader = 3

	emptyApproves = 1
	emptyRejects  = 2
	emptyToUsers  = 3
	emptyToModel  = 4

	rejectReturns = 2
)

// What a decider may do with a field of the form.
const (
	fieldRead   = 1
	fieldWrite  = 2
	fieldHidden = 3
)

func settingOf(n *bpmn.Node) nodeSetting {
	set := nodeSetting{fields: map[string]int{}}
	if n == nil {
		return set
	}
	for _, e := range n.Extensions {
		number, _ := strconv.Atoi(e.Text)
		switch e.Name {
		case "approveType":
			set.approveType = number
		case "assignStartUserHandlerType":
			set.ifStarter = number
		case "assignEmptyHandlerType":
			set.ifEmpty = number
		case "assignEmptyUserIds":
			set.emptyUsers, _ = parseIDs(e.Text)
		case "rejectHandlerType":
			set.ifRejected = number
		case "rejectReturnTaskId":
			set.rejectTo = e.Text
		case "signEnable":
			set.wantsSign = strings.EqualFold(e.Text, "true")
		case "reasonRequire":
			set.wantsOpinion = strings.EqualFold(e.Text, "true")
		case "fieldsPermission":
			may, err := strconv.Atoi(e.Attribute("permission"))
			if err == nil && e.Attribute("field") != "" {
				set.fields[e.Attribute("field")] = may
			}
		}
	}
	return set
}

// writable keeps those values whose fields the decider may write. Clients send the whole
// form back, so the others are left out rather than refused.
func (set nodeSetting) writable(vars map[string]any) map[string]any {
	kept := map[string]any{}
	for name, v := range vars {
		if set.fields[name] == fieldWrite && !reserved(name) {
			kept[name] = v
		}
	}
	return kept
}
