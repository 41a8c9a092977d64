package engine

import "viva/internal/workflow/bpmn"

// openLoop begins a standard loop; a condition tested before may skip it.
func (r *run) openLoop(t *Token, n *bpmn.Node) (Phase, error) {
	if n.Loop.TestBefore && n.Loop.Condition.Present() {
		yes, err := r.holds(t, n.Loop.Condition)
		if err != nil {
			return phaseNone, err
		}
		if !yes {
			return PhaseGo, nil
		}
	}
	return PhaseOpen, nil
}

// loopAgain decides about another round. Without a condition the maximum alone
// counts, and without both there is one round; no loop makes more than MaxItems.
func (r *run) loopAgain(t *Token, n *bpmn.Node) (bool, error) {
	most := n.Loop.Maximum
	switch {
	case most == 0 && n.Loop.Condition.Present():
		most = MaxItems
	case most == 0:
		most = 1
	}
	t.LoopIndex++
	again := t.LoopIndex < min(most, MaxItems)
	if again && n.Loop.Condition.Present() {
		yes, err := r.holds(t, n.Loop.Condition)
		if err != nil {
			t.LoopIndex-- // the retry counts the round again
			return false, err
		}
		again = yes
	}
	if !again {
		t.LoopIndex = 0
	}
	r.touch(t)
	return again, nil
}
