package academic

import (
	"fmt"
	"math/rand/v2"
	"time"

	"viva/internal/identity"
	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
)

// DemoPlan is the invented people of one demo university. The same index gives the same
// plan on every machine; only dates follow the day it is made. The app turns
// Organisation into accounts, then the modules seed from the plan in rank order.
type DemoPlan struct {
	Index    int
	Teachers []DemoTeacher
	Students []DemoStudent
	// Year is the newest entry year.
	Year int
	// Users are the accounts by name after DemoSeed.
	Users map[string]int64

	colleges []demoCollege
	majors   map[string]int64
	random   *rand.Rand
}

// DemoTeacher is a member of staff who may supervise.
type DemoTeacher struct {
	Username, Name string
	College        int
	Rank           int
	Advisor        bool
	// ID is the thesis_advisor row after DemoSeed, UserID the account.
	ID, UserID int64
}

// DemoStudent is a student; Advisor is an index into Teachers, -1 for none yet. Where
// the thesis stands is chosen by module thesis.
type DemoStudent struct {
	Username, No, Name string
	Sex, College       int
	Major              string
	Keyword            string
	Level, Type, Year  int
	Advisor            int
	LifeState          int
	RealName           int
	ID, UserID         int64
}

// Sizes of the demo universities.
var demoSizes = [2]struct{ teachers, advisors, students, withoutAdvisor int }{{40, 30, 300, 25}, {8, 6, 30, 3}}

// The first students are the named accounts of the README: the first three belong to the
// first advisor, the next two to the second.
const (
	demoNamed     = 5
	demoNamedOne  = 3
	demoSeedStart = 2025090100
)

// NewDemo invents the people of the demo university of an index (0 or 1).
func NewDemo(index int) *DemoPlan {
	size := demoSizes[index]
	today := clock.Now().In(clock.Shanghai)
	p := &DemoPlan{Index: index, colleges: demoColleges[index], majors: map[string]int64{}, Year: today.Year(), random: rand.New(rand.NewPCG(demoSeedStart+uint64(index), 7))}
	if today.Month() < time.September {
		p.Year--
	}
	for i := range size.teachers {
		p.Teachers = append(p.Teachers, p.teacher(i, i < size.advisors))
	}
	for i := range size.students {
		p.Students = append(p.Students, p.student(i, size.students-i <= size.withoutAdvisor))
	}
	return p
}

// Random is the source of the plan: what is drawn depends on what was drawn before.
func (p *DemoPlan) Random() *rand.Rand { return p.random }

func (p *DemoPlan) name() string {
	r := p.random
	name := string(surnames[r.IntN(len(surnames))]) + string(given1[r.IntN(len(given1))])
	if r.IntN(4) > 0 {
		name += string(given2[r.IntN(len(given2))])
	}
	return name
}

func (p *DemoPlan) teacher(i int, advisor bool) DemoTeacher {
	t := DemoTeacher{Username: fmt.Sprintf("advisor%02d", i+1), Name: p.name(), College: i % len(p.colleges), Rank: 1 + p.random.IntN(3), Advisor: advisor}
	if i < 2 { // the named advisors work at the college of the named students
		t.College, t.Rank = 0, 1
	}
	if !advisor {
		t.Username = fmt.Sprintf("teacher%02d", i+1)
	}
	return t
}

func (p *DemoPlan) student(i int, late bool) DemoStudent {
	r := p.random
	s := DemoStudent{Username: fmt.Sprintf("student%02d", i+1), Name: p.name(), Sex: 1 + r.IntN(2), College: i % len(p.colleges), Advisor: -1, LifeState: LifeActive, RealName: RealNamePassed}
	draw, year := r.IntN(300), r.IntN(4)
	major := r.IntN(64)
	s.Level, s.Type = LevelMaster, 1
	if i < demoNamed {
		s.College, draw = 0, 200
	}
	list := p.colleges[s.College].majors
	pick := list[major%len(list)]
	switch {
	case draw < 40 && pick.degreeType == 1:
		s.Level = LevelDoctor
	case pick.degreeType == 2:
		s.Type = 2
	}
	s.Major, s.Keyword = pick.code, pick.keywords[r.IntN(len(pick.keywords))]
	s.Year = p.Year - year
	if late {
		s.Year = p.Year
	}
	s.No = fmt.Sprintf("%d%d%02d%04d", s.Year, s.Level, s.College+1, i+1)
	if !late {
		s.Advisor = p.advisorFor(i, s.College)
	}
	if i >= demoNamed && r.IntN(12) == 0 {
		s.RealName = RealNameNone
	}
	return s
}

// advisorFor spreads students over the advisors of their college.
func (p *DemoPlan) advisorFor(i, college int) int {
	if i < demoNamed {
		return map[bool]int{true: 0, false: 1}[i < demoNamedOne]
	}
	var list []int
	for n, t := range p.Teachers {
		if t.Advisor && t.College == college {
			list = append(list, n)
		}
	}
	return list[p.random.IntN(len(list))]
}

// CollegeName is the name of a college of the plan.
func (p *DemoPlan) CollegeName(i int) string { return p.colleges[i].name }

// Organisation is the departments and accounts the plan needs; PasswordHash is left to
// the caller, who may add accounts of his own. secretaryNN and deanNN belong to college
// NN, training01 and degree01 to the graduate school.
func (p *DemoPlan) Organisation() identity.Plan {
	root := demoUniversities[p.Index]
	plan := identity.Plan{Depts: []identity.PlanDept{{Name: root}, {Name: "研究生院", Parent: root, Sort: 1, Leader: "degree01"}}}
	add := func(username, nickname, dept string, roles ...string) {
		plan.Users = append(plan.Users, identity.PlanUser{Username: username, Nickname: nickname, Dept: dept, Type: actor.Teacher, Sex: 1, Roles: roles})
	}
	for i, c := range p.colleges {
		plan.Depts = append(plan.Depts, identity.PlanDept{Name: c.name, Parent: root, Sort: 10 + i, Leader: fmt.Sprintf("dean%02d", i+1)})
		n := i + 1
		add(fmt.Sprintf("secretary%02d", n), c.name+"秘书", c.name, "college_secretary")
		add(fmt.Sprintf("dean%02d", n), c.name+"院长", c.name, "college_dean")
	}
	add("training01", "培养办老师", "研究生院", "grad_training")
	add("degree01", "学位办老师", "研究生院", "grad_degree")
	for _, t := range p.Teachers {
		add(t.Username, t.Name, p.colleges[t.College].name, "teacher")
	}
	for _, s := range p.Students {
		plan.Users = append(plan.Users, identity.PlanUser{Username: s.Username, Nickname: s.Name, Dept: p.colleges[s.College].name, Type: actor.Student, Sex: s.Sex,
			Email: fmt.Sprintf("%s.t%d@example.edu", s.Username, p.Index+1)})
	}
	return plan
}

func keywordsOf(c demoCollege) store.JSON[[]string] {
	var list []string
	for _, m := range c.majors {
		list = append(list, m.keywords...)
	}
	return store.JSON[[]string]{V: list}
}
