package thesis

import (
	"bytes"
	"context"
	"encoding/json"
	"sort"

	"viva/internal/academic"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Rules are the policy keys in force for one student. They are pinned to a step when it
// opens, so that a change never hits a student who is already in the step.
type Rules struct {
	// PlanRequired false passes the study plan as soon as its guards hold; the default
	// until the page of the study plan exists.
	PlanRequired bool `json:"plan.required"`
	// ThirdLevel adds the degree office as third level of a topic.
	ThirdLevel      bool `json:"subject.third_level"`
	FilesMin        int  `json:"subject.files_min"`
	FilesMax        int  `json:"subject.files_max"`
	TitleEnRequired bool `json:"subject.title_en_required"`
	// FixDays is how long a returned form stays open at least.
	FixDays int `json:"return.fix_days"`
}

// defaultRules are the values of design §4.4 for a degree level.
func defaultRules(level int) Rules {
	doctor := level == academic.LevelDoctor
	return Rules{ThirdLevel: doctor, TitleEnRequired: doctor, FilesMax: maxFiles, FixDays: 7}
}

// Policy states.
const (
	policyDraft   = 0
	policyActive  = 1
	policyRetired = 2
)

// Policy overrides policy keys for a scope; 0 stands for any. The more fields of the
// scope are set, the stronger it is.
type Policy struct {
	ID          int64  `json:"id"`
	Name        string `json:"name" label:"名称|Name" in:"required,max=60" q:"like"`
	DeptID      int64  `json:"deptId" label:"学院|College" in:"ref=system_dept:/system/dept/list-all-simple" q:"eq"`
	DegreeLevel int    `json:"degreeLevel" label:"培养层次(0 不限)|Degree level (0 any)" in:"min=0,max=3" q:"eq"`
	DegreeType  int    `json:"degreeType" label:"学位类型(0 不限)|Degree type (0 any)" in:"min=0,max=3" q:"eq"`
	EntryYear   int    `json:"entryYear" label:"入学年份(0 不限)|Entry year (0 any)" in:"min=0,max=2100" q:"eq"`
	Status      int    `json:"status" label:"状态|State" in:"dict=thesis_policy_state" q:"eq"`
	ValidFrom   int64  `json:"validFrom" label:"生效时间|Valid from" in:"kind=time"`
	Body        string `json:"body" label:"规则(JSON)|Rules (JSON)" in:"required,kind=longtext,max=4000"`
	crud.Meta
}

var policies = table.New[Policy]("thesis_policy", "培养规则")

var (
	errPolicyFixed = errs.Define(1070001011, errs.Conflict, "已生效的规则不能修改，请停用后另建一条", "An active policy cannot change; retire it and make a new one")
	errPolicyBody  = errs.Define(1070001012, errs.Invalid, "规则应为 JSON 对象，且只能使用已有的键：{}", "The rules are a JSON object of known keys: {}")
	errPolicyRange = errs.Define(1070001013, errs.Invalid, "附件数应在 0 到 {} 之间，修改天数应在 0 到 60 之间", "Files lie between 0 and {}, days to correct between 0 and 60")
)

func mountPolicies(m *web.Module) {
	r := crud.Mount[Policy](m, "policy", "培养规则|Policy")
	r.BeforeSave = func(_ context.Context, old, row *Policy) error {
		if old != nil && old.Status == policyActive {
			same := *row
			same.Status, same.Stamp = old.Status, old.Stamp
			if same != *old || row.Status == policyDraft {
				return errPolicyFixed.With()
			}
		}
		rules := defaultRules(row.DegreeLevel)
		return rules.overlay(row.Body)
	}
	r.BeforeDelete = func(_ context.Context, row Policy) error {
		if row.Status == policyActive {
			return errPolicyFixed.With()
		}
		return nil
	}
}

// overlay applies the keys of a policy body; a key that does not exist is refused.
func (r *Rules) overlay(body string) error {
	dec := json.NewDecoder(bytes.NewReader([]byte(body)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(r); err != nil {
		return errPolicyBody.With(err.Error())
	}
	if r.FilesMax > maxFiles || r.FilesMin < 0 || r.FilesMin > r.FilesMax || r.FixDays < 0 || r.FixDays > 60 {
		return errPolicyRange.With(maxFiles)
	}
	return nil
}

// book holds the rules and windows of the tenant at one instant, read once and used for
// many students.
type book struct {
	now      int64
	semester string
	policies []Policy
	windows  []StepWindow
}

const (
	sqlPoliciesActive = `SELECT * FROM thesis_policy WHERE tenant_id = :tenant AND deleted = false AND status = 1 AND valid_from <= :now ORDER BY id`
	sqlWindowsAll     = `SELECT * FROM thesis_step_window WHERE tenant_id = :tenant AND deleted = false ORDER BY id`
)

// readBook fixes the time as well: everything judged with the book is judged at that
// time. For a call it is the one at which the server received it, so that waiting for a
// lock makes nobody late; for a job it is now.
func readBook(ctx context.Context) (*book, error) {
	b := &book{now: clock.Millis()}
	if at := actor.RequestOf(ctx).Received; at > 0 {
		b.now = at
	}
	term, found, err := academic.CurrentSemester(ctx)
	if err != nil {
		return nil, err
	}
	if found {
		b.semester = term.Code()
	}
	if b.policies, err = store.Select[Policy](ctx, sqlPoliciesActive, store.Args{"now": b.now}); err != nil {
		return nil, err
	}
	b.windows, err = store.Select[StepWindow](ctx, sqlWindowsAll, nil)
	return b, err
}

// scopeOf is the part of a student that policies and windows look at.
type scopeOf struct {
	deptID      int64
	degreeLevel int
	degreeType  int
	entryYear   int
}

// rules resolves the keys for a student: defaults, then every matching policy from the
// most general to the most specific. id names the strongest policy that took part.
func (b *book) rules(s scopeOf) (rules Rules, id int64) {
	rules = defaultRules(s.degreeLevel)
	type match struct {
		policy Policy
		weight int
	}
	var found []match
	for _, p := range b.policies {
		weight, fits := 0, true
		for _, pair := range [][2]int64{{p.DeptID, s.deptID}, {int64(p.DegreeLevel), int64(s.degreeLevel)}, {int64(p.DegreeType), int64(s.degreeType)}, {int64(p.EntryYear), int64(s.entryYear)}} {
			if pair[0] == 0 {
				continue
			}
			weight++
			fits = fits && pair[0] == pair[1]
		}
		if fits {
			found = append(found, match{p, weight})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].weight < found[j].weight })
	for _, m := range found {
		if rules.overlay(m.policy.Body) == nil { // checked when it was saved
			id = m.policy.ID
		}
	}
	return rules, id
}

// window finds the window of a step for a student: the pinned one if it exists, else
// the most specific of the current semester.
func (b *book) window(code StepCode, s scopeOf, pinned int64) *StepWindow {
	var best *StepWindow
	weight := -1
	for i, w := range b.windows {
		if pinned > 0 && w.ID == pinned {
			return &b.windows[i]
		}
		if w.StepCode != code || w.Semester != b.semester || w.DeptID != 0 && w.DeptID != s.deptID || w.DegreeLevel != 0 && w.DegreeLevel != s.degreeLevel {
			continue
		}
		n := 0
		if w.DeptID != 0 {
			n += 2
		}
		if w.DegreeLevel != 0 {
			n++
		}
		if n > weight {
			best, weight = &b.windows[i], n
		}
	}
	return best
}
