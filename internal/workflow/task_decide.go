package workflow

import (
	"context"
	"slices"
	"strings"

	"viva/internal/kernel/errs"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
)

// decisionIn is what a decider says. Older clients always send a reason, newer ones may
// leave it out where the step does not want one.
type decisionIn struct {
	ID            string             `json:"id" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
	Reason        string             `json:"reason" maxLength:"2000" doc:"审批意见|Opinion"`
	SignPicURL    string             `json:"signPicUrl" maxLength:"1000" doc:"签名|Signature"`
	Attachments   []string           `json:"attachments" maxItems:"20" doc:"附件|Attachments"`
	Variables     map[string]any     `json:"variables" maxProperties:"500" doc:"表单内容|Form values"`
	NextAssignees map[string][]int64 `json:"nextAssignees" maxProperties:"50" doc:"下一审批人|Next people"`
}

type rejectIn struct {
	ID          string   `json:"id" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
	Reason      string   `json:"reason" required:"true" minLength:"1" maxLength:"2000" doc:"审批意见|Opinion"`
	Attachments []string `json:"attachments" maxItems:"20" doc:"附件|Attachments"`
}

func (s *Service) approveTask(ctx context.Context, in decisionIn) (bool, error) {
	n, err := in.note()
	if err != nil {
		return false, err
	}
	return s.holdOwn(ctx, in.ID, func(ctx context.Context, h *held) error { return s.approve(ctx, h, in, n) })
}

func (in decisionIn) note() (note, error) {
	reason, err := plainText("reason", in.Reason)
	if err == nil {
		err = webAddresses(append([]string{in.SignPicURL}, in.Attachments...))
	}
	return note{kind: commentApproved, message: reason, signature: in.SignPicURL, attachments: in.Attachments}, err
}

// webAddresses refuses what a page would not show as a file, such as javascript:.
func webAddresses(list []string) error {
	for _, text := range list {
		if text != "" && (len(text) > 1000 || strings.ContainsAny(text, "\x00\r\n\"'<>") || !(strings.HasPrefix(text, "/") || strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://"))) {
			return errs.Field("attachments", "附件应为已上传文件的地址", "an attachment must be the address of an uploaded file")
		}
	}
	return nil
}

// approve is a decision for: advice when the task was delegated, the first half of one
// when signers follow, else the end of the task.
func (s *Service) approve(ctx context.Context, h *held, in decisionIn, n note) error {
	if h.delegated() {
		return s.handBack(ctx, h, n)
	}
	set := settingOf(h.node)
	switch {
	case set.wantsSign && n.signature == "":
		return errSignature.With()
	case set.wantsOpinion && n.message == "":
		return errOpinion.With()
	}
	if err := s.keepVariables(ctx, h, set.writable(in.Variables), in.NextAssignees); err != nil {
		return err
	}
	if err := s.keepDecision(ctx, h.instance.ID, h.task.ID, n); err != nil {
		return err
	}
	if later := h.children(); len(later) > 0 {
		return s.askSigners(ctx, h, later, n.message)
	}
	return s.finish(ctx, h, h.task, n.message)
}

// finish ends an approved task and what waited for it.
func (s *Service) finish(ctx context.Context, h *held, task engine.Task, reason string) error {
	if task.Parent == 0 {
		return s.do(ctx, h, &engine.CompleteTask{Task: task.ID, Status: engine.TaskApproved, Reason: reason})
	}
	if err := s.do(ctx, h, &engine.EndTask{Task: task.ID, Status: engine.TaskApproved, Reason: reason}); err != nil {
		return err
	}
	return s.signerGone(ctx, h, task.Parent)
}

// handBack gives a delegated task back to its owner with the opinion of the delegate,
// whichever way that goes: the owner decides.
func (s *Service) handBack(ctx context.Context, h *held, n note) error {
	n.kind = commentResolved
	if err := s.keepDecision(ctx, h.instance.ID, h.task.ID, n); err != nil {
		return err
	}
	return s.do(ctx, h, &engine.SetAssignee{Task: h.task.ID, AssigneeID: h.task.OwnerID, Delegation: delegationResolved})
}

// keepVariables stores what the decider wrote into the form and whom he picked for the
// next tasks.
func (s *Service) keepVariables(ctx context.Context, h *held, vars map[string]any, next map[string][]int64) error {
	current := documentVars(h.instance.Vars)
	seen := map[string]any{}
	for name, v := range current {
		seen[name] = v
	}
	for name, v := range vars {
		seen[name] = v
	}
	byDecider, err := s.nextPicks(ctx, h, seen, next)
	if err != nil {
		return err
	}
	for variable, chosen := range byDecider {
		all, _ := current[variable].(map[string]any)
		merged := map[string]any{}
		for task, people := range all {
			merged[task] = people
		}
		for task, people := range chosen {
			merged[task] = people
		}
		vars[variable] = merged
	}
	if len(vars) == 0 {
		return nil
	}
	doc, err := engine.Object(vars)
	if err != nil {
		return engine.ErrBadVariable.With(err)
	}
	return s.do(ctx, h, &engine.SetVariables{Vars: doc})
}

// nextPicks wants people for the tasks that follow and that the decider, or the starter
// who did not, has to pick; of several deciders the last one picks.
func (s *Service) nextPicks(ctx context.Context, h *held, vars map[string]any, given map[string][]int64) (map[string]map[string]any, error) {
	out := map[string]map[string]any{}
	if h.node == nil || slices.ContainsFunc(h.state.Tasks, func(k *engine.Task) bool { return k.Element == h.task.Element && k.ID != h.task.ID }) {
		return out, nil
	}
	for _, at := range s.nextTasks(h.process, h.node.Index, vars, h.instance) {
		n := &h.process.Nodes[at]
		rule, ok := h.plan.rules[n.ID]
		if !ok || len(rule.Candidates.V) != 1 {
			continue
		}
		variable := map[string]string{StrategyApproverPicks: varDeciderPicks, StrategyStarterPicks: varStarterPicks}[rule.Candidates.V[0].Strategy]
		if variable == "" || variable == varStarterPicks && len(picks(vars, variable, n.ID)) > 0 {
			continue
		}
		ids := given[n.ID]
		if len(ids) == 0 {
			return nil, errNextPeople.With(n.Name)
		}
		if err := checkPicked(ctx, n.Name, ids); err != nil {
			return nil, err
		}
		if out[variable] == nil {
			out[variable] = map[string]any{}
		}
		out[variable][n.ID] = listed(ids)
	}
	return out, nil
}

// nextTasks predicts the user tasks that follow a node directly.
func (s *Service) nextTasks(p *bpmn.Process, node int, vars map[string]any, in engine.Instance) []int {
	w := s.walker(p, vars, in)
	w.near = true
	w.leave(&p.Nodes[node])
	return slices.DeleteFunc(w.path, func(at int) bool { return p.Nodes[at].Kind != bpmn.KindUserTask })
}

func (s *Service) rejectTask(ctx context.Context, in rejectIn) (bool, error) {
	reason, err := plainText("reason", in.Reason)
	if err == nil {
		err = webAddresses(in.Attachments)
	}
	if err != nil {
		return false, err
	}
	return s.holdOwn(ctx, in.ID, func(ctx context.Context, h *held) error {
		return s.refuse(ctx, h, note{kind: commentRejected, message: reason, attachments: in.Attachments})
	})
}

// refuse is a decision against. A signer's ends the task that he was added to as well.
func (s *Service) refuse(ctx context.Context, h *held, n note) error {
	if h.delegated() {
		return s.handBack(ctx, h, n)
	}
	if err := s.keepDecision(ctx, h.instance.ID, h.task.ID, n); err != nil {
		return err
	}
	root := h.task
	for root.Parent != 0 {
		above := h.state.Task(root.Parent)
		if above == nil {
			break
		}
		root = *above
	}
	if root.ID != h.task.ID {
		if err := s.do(ctx, h, &engine.EndTask{Task: h.task.ID, Status: engine.TaskRejected, Reason: n.message}); err != nil {
			return err
		}
	}
	return s.reject(ctx, rejection{instance: h.instance.ID, process: h.process, node: h.node, task: root.ID, reason: n.message})
}
