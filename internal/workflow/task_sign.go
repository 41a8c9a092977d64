package workflow

import (
	"context"
	"slices"
	"strings"

	"viva/internal/kernel/errs"
	"viva/internal/workflow/engine"
)

// Signers are added before or after the assignee. The task tree while they decide:
//
//	before   task 0 waits without assignee   signers 1   all done → task 1, back to its owner
//	after    task 1 open                     signers 0   approved → task 7, signers 1 → all done → task 2
const (
	signBefore = "before"
	signAfter  = "after"
)

type createSignIn struct {
	ID         string  `json:"id" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
	UserIDs    []int64 `json:"userIds" maxItems:"100" doc:"加签人|Signers"`
	UserIDList []int64 `json:"userIdList" maxItems:"100" doc:"加签人|Signers"`
	Type       string  `json:"type" required:"true" enum:"before,after" doc:"加签方式|Kind"`
	Reason     string  `json:"reason" required:"true" minLength:"1" maxLength:"2000" doc:"理由|Reason"`
}

func (s *Service) createSign(ctx context.Context, in createSignIn) (bool, error) {
	reason, err := plainText("reason", in.Reason)
	if err != nil {
		return false, err
	}
	users := distinct(append(slices.Clone(in.UserIDs), in.UserIDList...))
	if len(users) == 0 {
		return false, errs.Field("userIds", "请选择至少一名加签人", "choose at least one signer")
	}
	return s.holdOwn(ctx, in.ID, func(ctx context.Context, h *held) error { return s.addSigners(ctx, h, in.Type, users, reason) })
}

func (s *Service) addSigners(ctx context.Context, h *held, kind string, users []int64, reason string) error {
	switch {
	case h.delegated():
		return errTaskDelegated.With()
	case h.task.SignType != "" && h.task.SignType != kind:
		return errSignMixed.With()
	}
	names, err := s.checkSigners(ctx, h, users)
	if err != nil {
		return err
	}
	if err := keep(ctx, h.instance.ID, h.task.ID, note{kind: commentSigned, message: map[string]string{signBefore: "向前加签 ", signAfter: "向后加签 "}[kind] + names + "：" + reason}); err != nil {
		return err
	}
	if err := s.do(ctx, h, &engine.UpdateTask{Task: h.task.ID, SignType: &kind}); err != nil {
		return err
	}
	if kind == signBefore {
		waiting := engine.TaskWaiting
		err := s.do(ctx, h, &engine.SetAssignee{Task: h.task.ID, OwnerID: h.task.AssigneeID}, &engine.UpdateTask{Task: h.task.ID, Status: &waiting})
		if err != nil {
			return err
		}
	}
	for _, user := range users {
		signer := &engine.AddTask{Parent: h.task.ID, AssigneeID: user, Status: engine.TaskOpen}
		if kind == signAfter {
			signer = &engine.AddTask{Parent: h.task.ID, OwnerID: user, Status: engine.TaskWaiting}
		}
		if err := s.do(ctx, h, signer); err != nil {
			return err
		}
	}
	return nil
}

// checkSigners gives the names of the new signers. Nobody decides twice at one step.
func (s *Service) checkSigners(ctx context.Context, h *held, users []int64) (string, error) {
	live, err := enabledUsers(ctx, users)
	if err != nil {
		return "", err
	}
	if gone := slices.DeleteFunc(slices.Clone(users), func(id int64) bool { return slices.Contains(live, id) }); len(gone) > 0 {
		return "", errSignWhom.With(joinIDs(gone))
	}
	known, err := usersOf(ctx, users)
	if err != nil {
		return "", err
	}
	twice := slices.DeleteFunc(slices.Clone(users), func(id int64) bool {
		return !slices.ContainsFunc(h.state.Tasks, func(k *engine.Task) bool {
			return k.Element == h.task.Element && (k.AssigneeID == id || k.OwnerID == id && k.Status == engine.TaskWaiting)
		})
	})
	if len(twice) > 0 {
		return "", errSignTwice.With(known.names(twice))
	}
	return known.names(users), nil
}

func (p people) names(ids []int64) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = p[id].Nickname
	}
	return strings.Join(list, "、")
}

// children are the open tasks of the signers of the held task.
func (h *held) children() []engine.Task { return childrenOf(h.state, h.task.ID) }

func childrenOf(st *engine.State, parent int64) []engine.Task {
	var list []engine.Task
	for _, k := range st.Tasks {
		if k.Parent == parent {
			list = append(list, *k)
		}
	}
	return list
}

// askSigners lets the signers who stand after the task decide, now that its assignee has.
func (s *Service) askSigners(ctx context.Context, h *held, signers []engine.Task, reason string) error {
	approving, open := engine.TaskApproving, engine.TaskOpen
	if err := s.do(ctx, h, &engine.UpdateTask{Task: h.task.ID, Status: &approving, Reason: &reason}); err != nil {
		return err
	}
	for _, k := range signers {
		if err := s.do(ctx, h, &engine.UpdateTask{Task: k.ID, Status: &open}, &engine.SetAssignee{Task: k.ID, AssigneeID: k.OwnerID}); err != nil {
			return err
		}
	}
	return nil
}

// signerGone goes on with a task one of whose signers decided or was removed, once it was
// the last one.
func (s *Service) signerGone(ctx context.Context, h *held, parent int64) error {
	v, err := s.engine.Load(ctx, h.instance.ID)
	if err != nil {
		return err
	}
	task := v.State.Task(parent)
	if task == nil || len(childrenOf(v.State, parent)) > 0 {
		return nil
	}
	none, open := "", engine.TaskOpen
	switch task.Status {
	case engine.TaskWaiting:
		return s.do(ctx, h, &engine.UpdateTask{Task: parent, Status: &open, SignType: &none}, &engine.SetAssignee{Task: parent, AssigneeID: task.OwnerID})
	case engine.TaskApproving:
		return s.finish(ctx, h, *task, task.Reason)
	}
	return s.do(ctx, h, &engine.UpdateTask{Task: parent, SignType: &none})
}

// deleteSignIn carries its members in a JSON body, as the wire family does.
type deleteSignIn struct {
	Body struct {
		ID     string `json:"id" required:"true" minLength:"1" maxLength:"100" doc:"任务|Task"`
		Reason string `json:"reason" required:"true" minLength:"1" maxLength:"2000" doc:"理由|Reason"`
	}
}

// deleteSign takes a signer away again. Whoever added him may, while he has not decided.
func (s *Service) deleteSign(ctx context.Context, in deleteSignIn) (bool, error) {
	reason, err := plainText("reason", in.Body.Reason)
	if err != nil {
		return false, err
	}
	err = s.hold(ctx, in.Body.ID, func(ctx context.Context, h *held) error {
		if h.task.Parent == 0 {
			return errNotSigned.With()
		}
		parent := h.state.Task(h.task.Parent)
		if parent == nil || !added(*parent, me(ctx)) {
			return errNotYourTask.With()
		}
		if err := h.running(); err != nil {
			return err
		}
		known, err := usersOf(ctx, []int64{h.task.AssigneeID, h.task.OwnerID})
		if err != nil {
			return err
		}
		who := h.task.AssigneeID
		if who == 0 {
			who = h.task.OwnerID
		}
		if err := keep(ctx, h.instance.ID, parent.ID, note{kind: commentUnsigned, message: "减签 " + known[who].Nickname + "：" + reason}); err != nil {
			return err
		}
		if err := s.do(ctx, h, &engine.EndTask{Task: h.task.ID, Status: engine.TaskCancelled, Reason: reason}); err != nil {
			return err
		}
		return s.signerGone(ctx, h, parent.ID)
	})
	return err == nil, err
}

// added reports whether the user added the signers of the task.
func added(parent engine.Task, user int64) bool {
	if parent.Status == engine.TaskWaiting && parent.SignType == signBefore {
		return parent.OwnerID == user
	}
	return parent.AssigneeID == user
}
