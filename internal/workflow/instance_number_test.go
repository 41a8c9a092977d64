package workflow

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
)

const oneTask = `<startEvent id="s"/><sequenceFlow id="f1" sourceRef="s" targetRef="a"/>%s<sequenceFlow id="f2" sourceRef="a" targetRef="e"/><endEvent id="e"/>`

func TestNumberRule(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 5, 7, 0, clock.Shanghai)
	for _, c := range []struct {
		rule   ProcessIDRule
		usable bool
		stem   string
	}{
		{ProcessIDRule{Prefix: "LW", Infix: "yyyyMMdd", Length: 4}, true, "LW20260302"},
		{ProcessIDRule{Prefix: "LW-", Infix: "yy/MM-", Length: 1}, true, "LW-26/03-"},
		{ProcessIDRule{Infix: "DAY", Length: 12}, true, "20260302"},
		{ProcessIDRule{Infix: "SECOND", Length: 3}, true, "20260302090507"},
		{ProcessIDRule{Prefix: "答辩", Postfix: "号", Length: 3}, true, "答辩"},
		{ProcessIDRule{Infix: "week", Length: 3}, false, ""},
		{ProcessIDRule{Infix: "y", Length: 3}, false, ""},
		{ProcessIDRule{Prefix: "a b", Length: 3}, false, ""},
		{ProcessIDRule{Prefix: "a", Length: 0}, false, ""},
		{ProcessIDRule{Prefix: "a", Length: 13}, false, ""},
		{ProcessIDRule{Prefix: strings.Repeat("x", 61), Length: 3}, false, ""},
	} {
		if c.rule.usable() != c.usable {
			t.Errorf("%+v usable: %v", c.rule, !c.usable)
		}
		if c.usable && c.rule.stem(at) != c.stem {
			t.Errorf("%+v: %q, want %q", c.rule, c.rule.stem(at), c.stem)
		}
	}
}

// TestNumbers: instances are numbered one after the other for each day and rule, however
// many start at once; a start that fails leaves no gap, and lists find the number.
func TestNumbers(t *testing.T) {
	eachDesk(t, func(t *testing.T, w *desk) {
		pass := w.travel()
		rule := func(prefix string, length int) changes {
			return changes{"processIdRule": body{"enable": true, "prefix": prefix, "infix": "yyyyMMdd", "postfix": "号", "length": length}}
		}
		w.publish("p", fmt.Sprintf(oneTask, w.task("a", StrategyUser, "{ann}")), rule("LW", 4))
		w.publish("plain", fmt.Sprintf(oneTask, w.task("a", StrategyUser, "{ann}")))
		first, plain := w.start("p", nil), w.start("plain", nil)
		if _, err := w.s.Start(w.as("starter"), StartIn{Process: "p", BusinessID: "1"}); err == nil {
			t.Error("the same business row starts twice")
		}
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				if _, err := w.s.Start(w.as("starter"), StartIn{Process: "p", BusinessID: fmt.Sprint("at once ", i)}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		page := func(who, path string) []string {
			t.Helper()
			var list []string
			for _, v := range into[store.Page[InstanceView]](w.office, w.call(who, "GET", path, nil, 0)).List {
				list = append(list, v.Number)
			}
			slices.Sort(list)
			return list
		}
		numbers := page("starter", "/process-instance/my-page?pageSize=50&processDefinitionKey=p")
		for i, have := range numbers {
			w.want("number", have, fmt.Sprintf("LW20260302%04d号", i+1))
		}
		w.want("how many", fmt.Sprint(len(numbers)), "13")
		w.want("found", fmt.Sprint(page("admin", "/process-instance/manager-page?name=0302001")), "[LW202603020010号 LW202603020011号 LW202603020012号 LW202603020013号]")
		w.want("first", into[InstanceDetail](w.office, w.call("starter", "GET", "/process-instance/get?id="+first, nil, 0)).Number, "LW202603020001号")
		w.want("none", into[InstanceDetail](w.office, w.call("starter", "GET", "/process-instance/get?id="+plain, nil, 0)).Number, "")
		todo := into[store.Page[TaskView]](w.office, w.call("ann", "GET", "/task/todo-page?pageSize=50&processDefinitionKey=p", nil, 0))
		if number := todo.List[0].ProcessInstance.Number; !slices.Contains(numbers, number) {
			t.Errorf("to do: %q", number)
		}
		w.act("ann", "copy", w.taskOf(first, "a", "ann"), body{"copyUserIds": w.ids("bob")}, 0)
		copies := into[store.Page[CopyView]](w.office, w.call("bob", "GET", "/process-instance/copy/page?processInstanceName=020001", nil, 0))
		if len(copies.List) != 1 || copies.List[0].Number != "LW202603020001号" {
			t.Errorf("copies %+v", copies.List)
		}
		pass(24 * time.Hour)
		next := w.start("p", nil)
		w.want("next day", into[InstanceDetail](w.office, w.call("starter", "GET", "/process-instance/get?id="+next, nil, 0)).Number, "LW202603030001号")
		// A rule that spells the same numbers leaves out those that are taken.
		w.publish("q", fmt.Sprintf(oneTask, w.task("a", StrategyUser, "{ann}")), changes{"processIdRule": body{"enable": true, "prefix": "LW202603030", "infix": "", "postfix": "号", "length": 3}})
		other := w.start("q", nil)
		w.want("not twice", into[InstanceDetail](w.office, w.call("starter", "GET", "/process-instance/get?id="+other, nil, 0)).Number, "LW202603030002号")
		w.sound()
	})
}
