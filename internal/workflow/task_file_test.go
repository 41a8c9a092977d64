package workflow

import (
	"context"
	"fmt"
	"testing"

	"viva/internal/kernel/errs"
)

// TestDecisionFiles: files of a decision are bound to it; whoever may read the instance
// may read them, nobody else.
func TestDecisionFiles(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		bound := map[int64]int64{}
		w.s.Files = &Files{
			Attach: func(_ context.Context, ids []int64, owner string, ownerID int64) error {
				for _, id := range ids {
					if id > 100 || owner != OwnerOfFiles || ownerID == 0 {
						return errs.ErrNoRecord.With()
					}
					bound[id] = ownerID
				}
				return nil
			},
			Of: func(_ context.Context, id int64) (AttachedFile, error) {
				if id == 9 {
					return AttachedFile{}, errs.ErrNoRecord.With()
				}
				return AttachedFile{ID: id, Name: fmt.Sprintf("附件%d.pdf", id), Size: 10 * id}, nil
			},
		}
		w.publish("p", line(w.task("a", StrategyUser, "{ann}"), w.task("b", StrategyUser, "{bob}")))
		id := w.start("p", nil)
		address := func(n int64) string { return fmt.Sprint("/infra/file/download?id=", n) }
		w.act("ann", "approve", w.taskOf(id, "a", "ann"), body{"attachments": []string{address(101)}}, errs.CodeInvalid)
		w.want("refused", w.state(id), "a ann")
		w.approve("ann", id, "a", body{"signPicUrl": address(3), "attachments": []string{address(1), "/admin-api" + address(9), "https://x.example/a.pdf"}})
		w.act("bob", "reject", w.taskOf(id, "b", "bob"), body{"reason": "no", "attachments": []string{address(4)}}, 0)
		if len(bound) != 4 || bound[1] != bound[3] || bound[1] == bound[4] {
			t.Fatalf("bound %v", bound)
		}
		rows := into[[]InstanceTask](w.office, w.call("starter", "GET", "/task/list-by-process-instance-id?processInstanceId="+id, nil, 0))
		w.want("of bob", fmt.Sprint(rows[0].AttachmentFiles), "[{4 附件4.pdf 40}]")
		w.want("of ann", fmt.Sprint(rows[1].AttachmentFiles, len(rows[1].Attachments)), "[{1 附件1.pdf 10}] 3")
		for who, want := range map[string]bool{"starter": true, "ann": true, "bob": true, "outsider": false, "cid": false} {
			if may, err := w.s.MayReadFiles(w.as(who), bound[1]); err != nil || may != want {
				t.Errorf("%s may read: %v %v", who, may, err)
			}
		}
		if may, err := w.s.MayReadFiles(w.as("starter"), 900_000); may || err != nil {
			t.Errorf("no such comment: %v %v", may, err)
		}
	})
}
