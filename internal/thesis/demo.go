package thesis

import (
	"context"
	"fmt"

	"viva/internal/academic"
	"viva/internal/kernel/store"
)

// Stages of a declaration that the demo shows.
const (
	stageNone       = iota // open, nothing written
	stageDraft             // a draft
	stageAdvisor           // waits for the advisor
	stageCollege           // waits for the college
	stageGraduate          // waits for the degree office
	stageReturned          // returned by the advisor
	stageWithdrawn         // taken back
	stageRejected          // rejected, second attempt open
	stagePassed            // passed, proposal open
	stageChanging          // passed, another title asked for
	stagePlan              // no advisor yet: the plan is not passed
	stageReturnedBy        // returned by the college
)

// demoStages is how many students stand where; the rest has passed.
var demoStages = [2]map[int]int{
	{stageNone: 12, stageDraft: 4, stageAdvisor: 10, stageCollege: 8, stageGraduate: 3, stageReturned: 3, stageReturnedBy: 2, stageWithdrawn: 2, stageRejected: 2, stageChanging: 5},
	{stageNone: 3, stageDraft: 1, stageAdvisor: 3, stageCollege: 2, stageReturned: 1, stageWithdrawn: 1, stageRejected: 1, stageChanging: 1},
}

// namedStages are those of the named accounts student01 … student05.
var namedStages = []int{stageNone, stageAdvisor, stageCollege, stageReturned, stagePassed}

// demo is the state of one seeding.
type demo struct {
	s      *Service
	plan   *academic.DemoPlan
	book   *book
	stages []int
	topics map[int][]Topic // advisor → offered topics
	taken  map[int64]int   // topic → places used
	titles map[string]bool
}

const sqlAnyRecord = `SELECT COUNT(*) FROM thesis_record WHERE tenant_id = :tenant AND deleted = false`

// DemoSeed writes windows, topics, theses with their histories, and feedback for the
// people of a plan that academic.DemoSeed has written, in the tenant of ctx as the
// system. It does nothing in a tenant that has theses. Times lie before now.
func (s *Service) DemoSeed(ctx context.Context, plan *academic.DemoPlan) error {
	return store.Write(ctx, func(ctx context.Context) error {
		n, _, err := store.Get[int64](ctx, sqlAnyRecord, nil)
		if err != nil || n > 0 {
			return err
		}
		d := &demo{s: s, plan: plan, topics: map[int][]Topic{}, taken: map[int64]int{}, titles: map[string]bool{}}
		if err := d.windows(ctx); err != nil {
			return err
		}
		if d.book, err = readBook(ctx); err != nil {
			return err
		}
		d.chooseStages()
		if err := d.offer(ctx); err != nil {
			return err
		}
		for i := range plan.Students {
			if err := d.thesis(ctx, i); err != nil {
				return err
			}
		}
		if err := d.countPlaces(ctx); err != nil {
			return err
		}
		return d.feedback(ctx)
	})
}

// windows opens the declaration now and the proposal later, and keeps one example policy.
func (d *demo) windows(ctx context.Context) error {
	term, found, err := academic.CurrentSemester(ctx)
	if err != nil || !found {
		return err
	}
	at := now() / day * day
	for _, w := range []StepWindow{
		{StepCode: StepSubject, OpenAt: at - 45*day, CloseAt: at + 30*day, GraceMinutes: 10},
		{StepCode: StepProposal, OpenAt: at - 5*day, CloseAt: at + 75*day, GraceMinutes: 10},
	} {
		w.Semester, w.LateMode = term.Code(), lateRefuse
		if err := windows.Insert(ctx, &w); err != nil {
			return err
		}
	}
	return policies.Insert(ctx, &Policy{Name: "博士选题须提交论证材料（试行稿）", DegreeLevel: academic.LevelDoctor, Status: policyDraft, ValidFrom: at,
		Body: `{"subject.files_min": 1, "subject.third_level": true}`})
}

// chooseStages deals the stages to the students: the named ones fixed, those without an
// advisor before the plan, the others by lot. The third level needs doctoral students.
func (d *demo) chooseStages() {
	d.stages = make([]int, len(d.plan.Students))
	for i := range d.stages {
		d.stages[i] = stagePassed
		if d.plan.Students[i].Advisor < 0 {
			d.stages[i] = stagePlan
		}
	}
	copy(d.stages, namedStages)
	free := d.plan.Random().Perm(len(d.stages))
	for stage := stageNone; stage <= stageReturnedBy; stage++ {
		for left := demoStages[d.plan.Index][stage]; left > 0 && len(free) > 0; {
			at := -1
			for n, i := range free {
				if i >= len(namedStages) && d.stages[i] == stagePassed && (stage != stageGraduate || d.plan.Students[i].Level == academic.LevelDoctor) {
					at = n
					break
				}
			}
			if at < 0 {
				break
			}
			d.stages[free[at]] = stage
			free = append(free[:at], free[at+1:]...)
			left--
		}
	}
}

// offer gives every advisor two topics; some are drafts or closed.
func (d *demo) offer(ctx context.Context) error {
	r := d.plan.Random()
	for n, t := range d.plan.Teachers {
		if !t.Advisor {
			continue
		}
		for k := range 2 {
			row := Topic{AdvisorID: t.ID, Title: d.title(d.keyword(n, k)), Summary: "围绕当前工程与学术问题开展研究，形成可复核的方法、数据与结论；要求按期参加组会并提交阶段报告。",
				ThesisType: 1 + r.IntN(4), ThesisSource: 8, MajorIDs: store.JSON[[]int64]{V: []int64{}}, Semester: d.book.semester, MaxStudents: 5, State: topicPublished}
			if k == 1 && n%5 == 4 {
				row.State = topicDraft
			}
			if err := topics.Insert(ctx, &row); err != nil {
				return err
			}
			if row.State == topicPublished {
				d.topics[n] = append(d.topics[n], row)
			}
		}
	}
	return nil
}

func (d *demo) keyword(teacher, k int) string {
	for i := range d.plan.Students {
		s := d.plan.Students[(i*7+k*3+teacher)%len(d.plan.Students)]
		if s.College == d.plan.Teachers[teacher].College {
			return s.Keyword
		}
	}
	return "交叉学科"
}

var (
	demoScenes  = []string{"复杂场景下", "高校环境中", "区域协同背景下", "多源数据支持的", "面向应用的", "资源受限条件下", "长周期观测下的", "人机协作中的", "开放环境下", "地方实践中的"}
	demoAspects = []string{"机理分析", "关键方法", "评价体系", "优化策略", "实证检验", "路径设计", "系统实现", "影响因素", "演化规律", "比较考察"}
)

// title invents a title that was not used yet.
func (d *demo) title(keyword string) string {
	r := d.plan.Random()
	for n := 0; ; n++ {
		text := demoScenes[r.IntN(len(demoScenes))] + keyword + demoAspects[r.IntN(len(demoAspects))] + "研究"
		if n > 20 {
			text = fmt.Sprintf("%s（%d）", text, len(d.titles))
		}
		if !d.titles[text] {
			d.titles[text] = true
			return text
		}
	}
}

// countPlaces writes the places used, each topic once; the fullest has just none left.
func (d *demo) countPlaces(ctx context.Context) error {
	for n := range d.plan.Teachers {
		for _, t := range d.topics[n] {
			used := d.taken[t.ID]
			if used == 0 {
				continue
			}
			_, err := topics.Change(ctx, t.ID, func(x *Topic) error {
				x.TakenCount, x.MaxStudents = used, min(5, used+n%2)
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// person is who acts in an invented history.
type person struct {
	id   int64
	name string
}
