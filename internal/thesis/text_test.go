package thesis

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"viva/internal/kernel/module"
)

func TestTrigrams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.StringN(1, 40, -1).Draw(t, "a")
		b := rapid.StringN(1, 40, -1).Draw(t, "b")
		x, y := trigrams(a), trigrams(b)
		if overlap(x, x) != 1 {
			t.Fatalf("%q is not like itself", a)
		}
		s := overlap(x, y)
		if s != overlap(y, x) || s < 0 || s > 1 {
			t.Fatalf("%q, %q: %v", a, b, s)
		}
	})
	for _, c := range []struct {
		a, b string
		near bool
	}{
		{"面向边缘设备的模型压缩方法研究", "面向边缘设备的模型压缩方法的研究", true},
		{"面向边缘设备的模型压缩方法研究", "面向边缘设备的 模型压缩 方法研究", true},
		{"Deep Learning for Proteins", "deep learning for proteins", true},
		{"面向边缘设备的模型压缩方法研究", "面向移动终端的知识蒸馏方法研究", false},
		{"基因调控机理分析", "发酵优化实证检验", false},
	} {
		if s := overlap(trigrams(c.a), trigrams(c.b)); (s >= similarAt) != c.near {
			t.Errorf("%s / %s: %v", c.a, c.b, s)
		}
	}
}

// TestLengthFilterLosesNothing: a title left out for its length could not have matched.
func TestLengthFilterLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.StringOfN(rapid.RuneFrom([]rune("甲乙丙丁")), 5, 60, -1).Draw(t, "a")
		b := rapid.StringOfN(rapid.RuneFrom([]rune("甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥")), 5, 60, -1).Draw(t, "b")
		n, m := len([]rune(a)), len([]rune(b))
		least, most := int(float64(n)*similarAt)-2, int(float64(n)/similarAt)+2
		distinct := len(trigrams(a)) == n+1 && len(trigrams(b)) == m+1
		if distinct && (m < least || m > most) && overlap(trigrams(a), trigrams(b)) >= similarAt {
			t.Fatalf("%q and %q are alike but filtered", a, b)
		}
	})
}

func TestTransitionDigest(t *testing.T) {
	base := Transition{TenantID: 1, RecordID: 2, Seq: 1, Event: EvSubmit, Reason: "理由", ActorName: "甲", CreateTime: 5}
	base.Hash = base.digest()
	if !unbroken([]Transition{base}) {
		t.Fatal("a single line is broken")
	}
	for name, change := range map[string]func(*Transition){
		"reason": func(x *Transition) { x.Reason = "理由。" }, "actor": func(x *Transition) { x.ActorName = "乙" }, "user": func(x *Transition) { x.ActorUserID = 9 },
		"time": func(x *Transition) { x.CreateTime = 6 }, "event": func(x *Transition) { x.Event = EvPass }, "to": func(x *Transition) { x.ToStatus = Passed },
		"audit": func(x *Transition) { x.ToAudit = AuditPassed }, "files": func(x *Transition) { x.Files.V = []int64{1} }, "digest": func(x *Transition) { x.DigestAfter = "x" },
		"record": func(x *Transition) { x.RecordID = 3 }, "tenant": func(x *Transition) { x.TenantID = 3 }, "before": func(x *Transition) { x.PrevHash = "y" },
	} {
		x := base
		change(&x)
		if x.digest() == base.Hash || unbroken([]Transition{x}) {
			t.Errorf("a changed %s is not noticed", name)
		}
	}
	second := Transition{TenantID: 1, RecordID: 2, Seq: 2, Event: EvPass, PrevHash: base.Hash}
	second.Hash = second.digest()
	if !unbroken([]Transition{base, second}) || unbroken([]Transition{second}) || unbroken([]Transition{second, base}) {
		t.Error("a missing or moved line is not noticed")
	}
}

func TestStorable(t *testing.T) {
	for text, want := range map[string][2]bool{
		"普通文字 with English 1": {true, true}, "两行\n文字": {false, true}, "空\x00字符": {false, false}, "\x1b[31m": {false, false},
		"<b>标记</b>": {true, true}, "坏\xff编码": {false, false}, "": {true, true}, "表情😀": {true, true},
	} {
		if storable(text, false) != want[0] || storable(text, true) != want[1] {
			t.Errorf("%q: %v %v", text, storable(text, false), storable(text, true))
		}
	}
}

// TestListsAreConsistent: every status, event and message has its texts, and every
// permission of a role stands on a menu or is the student's.
func TestListsAreConsistent(t *testing.T) {
	for status := Locked; status <= Waived; status++ {
		if statusNames[status][0] == "" || statusNames[status][1] == "" {
			t.Errorf("status %d has no name", status)
		}
	}
	later := []Event{EvRun, EvRecordResult, EvConfirm, EvConfirmRevise, EvConfirmFail, EvAcceptRevision} // of steps that are not built
	for _, m := range moves {
		if _, ok := eventTexts[m.event]; !ok && !contains(later, m.event) {
			t.Errorf("event %s has no text", m.event)
		}
	}
	for _, x := range templates {
		if x.Content == "" || x.Name == "" || strings.Count(x.Content, "{") != strings.Count(x.Content, "}") {
			t.Errorf("template %+v", x)
		}
	}
	carried := map[string]bool{}
	collect(menus, carried)
	for _, r := range roles {
		for _, p := range r.Perms {
			if !carried[p] {
				t.Errorf("role %s: no menu carries %s", r.Code, p)
			}
		}
	}
}

func contains(list []Event, e Event) bool {
	for _, x := range list {
		if x == e {
			return true
		}
	}
	return false
}

func collect(list []module.Menu, into map[string]bool) {
	for _, m := range list {
		into[m.Permission] = true
		for _, p := range m.Perms {
			into[p] = true
		}
		collect(m.Children, into)
	}
}
