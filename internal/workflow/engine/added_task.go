package engine

import "slices"

// AddTask puts a further task beside an open one (add-sign). It belongs to the
// same token, moves none, and ends by EndTask or with its token.
type AddTask struct {
	Parent     int64
	AssigneeID int64
	OwnerID    int64      `json:",omitempty"`
	SignType   string     `json:",omitempty"`
	Status     TaskStatus // TaskOpen or TaskWaiting
}

// Name implements Action.
func (*AddTask) Name() string { return "add_task" }

func (a *AddTask) apply(r *run) error {
	parent, t, _, err := r.openTask(a.Parent)
	if err != nil {
		return err
	}
	k := *parent
	k.ID, k.Parent, k.AssigneeID, k.OwnerID = r.id(), parent.ID, a.AssigneeID, a.OwnerID
	k.SignType, k.Status, k.Delegation, k.Reason = a.SignType, a.Status, "", ""
	k.CreatedAt, k.ClaimedAt, k.FollowUpAt = r.cmd.At, 0, 0
	r.st.Tasks = append(r.st.Tasks, &k)
	r.saveTask(&k)
	r.event(EventTaskNew, k.Element, t.ID, k.ID)
	i, _ := r.g.Node(k.Element)
	r.emit(TaskCreated{Task: k, Node: i})
	return nil
}

// EndTask ends an added task. Added tasks below it end as cancelled.
type EndTask struct {
	Task   int64
	Status TaskStatus
	Reason string `json:",omitempty"`
}

// Name implements Action.
func (*EndTask) Name() string { return "end_task" }

func (a *EndTask) apply(r *run) error {
	k, t, _, err := r.openTask(a.Task)
	if err != nil {
		return err
	}
	if k.Parent == 0 {
		return ErrNotThere.With(t.ID, "节点任务用 CompleteTask 办结 / the task of an element ends by CompleteTask")
	}
	r.endBelow(k.ID, a.Reason)
	r.closeTask(k, a.Status, a.Reason)
	return nil
}

func (r *run) endBelow(parent int64, why string) {
	for _, k := range slices.Clone(r.st.Tasks) {
		if k.Parent == parent {
			r.endBelow(k.ID, why)
			r.closeTask(k, TaskCancelled, why)
		}
	}
}
