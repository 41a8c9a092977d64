package workflow

import (
	"context"
	"hash/fnv"
	"slices"
	"strconv"

	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
)

// verdict is who decides a task: people, or nobody because the rules decide at once, or
// nobody because none was found; then the task waits for an administrator.
type verdict struct {
	ids  []int64
	auto engine.TaskStatus // 0, or Approved or Rejected without asking
	why  string
}

// The reasons of decisions that nobody makes; they stand in the history of the instance.
const (
	whyApproveType   = "审批方式：自动通过"
	whyRejectType    = "审批方式：自动拒绝"
	whyStarterPasses = "审批人与发起人为同一人，自动通过"
	whyEmptyPasses   = "审批人为空，自动通过"
	whyEmptyRejects  = "审批人为空，自动拒绝"
	whyRepeated      = "审批人已审批过，自动通过"
)

// verdictFor applies the settings of the task to the people found for it, in this order:
// approve type, starter among them, nobody left. again says that the task was sent back
// to: then the starter is asked like everybody.
func (s *Service) verdictFor(ctx context.Context, q *question, ids []int64, again bool) (verdict, error) {
	set := settingOf(q.node)
	switch set.approveType {
	case approveAtOnce:
		return verdict{auto: engine.TaskApproved, why: whyApproveType}, nil
	case rejectAtOnce:
		return verdict{auto: engine.TaskRejected, why: whyRejectType}, nil
	}
	if slices.Contains(ids, q.instance.StarterID) && !again {
		left, err := withoutStarter(ctx, ids, q.instance.StarterID, set.ifStarter)
		if err != nil {
			return verdict{}, err
		}
		if len(left) == 0 {
			return verdict{auto: engine.TaskApproved, why: whyStarterPasses}, nil
		}
		return verdict{ids: left}, nil
	}
	if len(ids) > 0 {
		return verdict{ids: ids}, nil
	}
	switch set.ifEmpty {
	case emptyApproves:
		return verdict{auto: engine.TaskApproved, why: whyEmptyPasses}, nil
	case emptyRejects:
		return verdict{auto: engine.TaskRejected, why: whyEmptyRejects}, nil
	case emptyToUsers:
		ids, err := enabledUsers(ctx, set.emptyUsers)
		return verdict{ids: ids}, err
	case emptyToModel:
		ids, err := enabledUsers(ctx, q.plan.settings().ManagerUserIDs)
		return verdict{ids: ids}, err
	}
	return verdict{}, nil
}

// withoutStarter puts the head of his department in the starter's place, or drops him,
// as the setting wants. A starter who is that head himself decides.
func withoutStarter(ctx context.Context, ids []int64, starter int64, how int) ([]int64, error) {
	if how != starterSkipped && how != starterToLeader {
		return ids, nil
	}
	left := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return id == starter })
	if how == starterSkipped {
		return left, nil
	}
	leader, err := leaderAt(ctx, starter, 1)
	if err != nil || leader == starter {
		return ids, err
	}
	usable, err := enabledUsers(ctx, []int64{leader})
	if err != nil || len(usable) == 0 {
		return left, err
	}
	out := slices.Clone(ids)
	out[slices.Index(ids, starter)] = leader
	return distinct(out), nil
}

// chosen picks the one person of a task with several candidates. It looks random over the
// instances, so that nobody gets them all, and is the same at every try: it depends on
// nothing but the task and the candidates. The choice itself is recorded as a command, so
// that a replay repeats it even after people have come or gone.
func chosen(ids []int64, instance string, task int64) int64 {
	sorted := slices.Sorted(slices.Values(ids))
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(instance + "." + strconv.FormatInt(task, 10)))
	return sorted[int(sum.Sum32()%uint32(len(sorted)))]
}

// The values of autoApprovalType: a person who approved before need not approve again.
const (
	repeatsPass           = 1 // anywhere earlier in the instance
	consecutiveRepeatPass = 2 // only in the step before
)

// repeats reports whether the user has approved already what the model does not want him
// to approve twice. A loop back to the same task asks again, and so does a return.
func repeats(q *question, tasks []engine.Task, user int64) bool {
	how := q.plan.settings().AutoApprovalType
	if how != repeatsPass && how != consecutiveRepeatPass {
		return false
	}
	var before []string
	if how == consecutiveRepeatPass {
		before = tasksBefore(q.process, q.node)
	}
	since := returnedAt(q.vars)
	return slices.ContainsFunc(tasks, func(k engine.Task) bool {
		return k.AssigneeID == user && k.Status == engine.TaskApproved && k.EndedAt > since && k.Element != q.node.ID &&
			(how == repeatsPass || slices.Contains(before, k.Element))
	})
}

func returnedAt(vars map[string]any) int64 {
	if at := idsIn(vars[varReturnedAt]); len(at) == 1 {
		return at[0]
	}
	return 0
}

// sentBackTo reports whether the task was decided already before the instance was sent
// back, so that it is now asked again.
func sentBackTo(q *question, tasks []engine.Task) bool {
	return returnedAt(q.vars) > 0 && slices.ContainsFunc(tasks, func(k engine.Task) bool { return k.Element == q.node.ID && k.EndedAt > 0 })
}

// tasksBefore are the user tasks from which a token can come to the node without passing
// another user task.
func tasksBefore(p *bpmn.Process, n *bpmn.Node) []string {
	var found []string
	seen := map[int]bool{}
	queue := []int{n.Index}
	for len(queue) > 0 {
		at := &p.Nodes[queue[0]]
		queue = queue[1:]
		incoming := at.Incoming
		if at.Kind == bpmn.KindStartEvent && at.Parent != bpmn.Root {
			incoming = p.Nodes[at.Parent].Incoming
		}
		for _, flow := range incoming {
			from := p.Flows[flow].Source
			if seen[from] {
				continue
			}
			seen[from] = true
			if p.Nodes[from].Kind == bpmn.KindUserTask {
				found = append(found, p.Nodes[from].ID)
				continue
			}
			queue = append(queue, from)
		}
	}
	return found
}
