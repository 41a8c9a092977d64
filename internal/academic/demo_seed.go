package academic

import (
	"context"
	"fmt"
	"time"

	"viva/internal/identity"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
)

// DemoSeed writes majors, semesters, advisors, students and supervision of the plan in
// the tenant of ctx, as the system, and fills the ids into the plan. It does nothing in
// a tenant that has students. Theses follow from module thesis, which is not told here.
func (s *Service) DemoSeed(ctx context.Context, p *DemoPlan, org identity.Organisation) error {
	p.Users = org.Users
	return store.Write(ctx, func(ctx context.Context) error {
		n, _, err := store.Get[int64](ctx, sqlAnyStudent, nil)
		if err != nil || n > 0 {
			return err
		}
		if err := p.seedSemesters(ctx); err != nil {
			return err
		}
		for i, c := range p.colleges {
			if err := p.seedMajors(ctx, c, org.Depts[p.colleges[i].name]); err != nil {
				return err
			}
		}
		if err := p.seedAdvisors(ctx, org); err != nil {
			return err
		}
		return p.seedStudents(ctx, org)
	})
}

const sqlAnyStudent = `SELECT COUNT(*) FROM thesis_student WHERE tenant_id = :tenant AND deleted = false`

// seedSemesters writes the terms from five years back to one ahead; the one of today, or
// in the holidays the next, is current.
func (p *DemoPlan) seedSemesters(ctx context.Context) error {
	current := false
	today := clock.Now().In(clock.Shanghai).Format(time.DateOnly)
	for year := p.Year - 5; year <= p.Year+1; year++ {
		for item := 1; item <= 2; item++ {
			row := Semester{AcademicYear: fmt.Sprintf("%d-%d", year, year+1), Item: item, WeekCount: 20,
				StartDate: fmt.Sprintf("%d-09-01", year), EndDate: fmt.Sprintf("%d-01-31", year+1)}
			if item == 2 {
				row.StartDate, row.EndDate = fmt.Sprintf("%d-02-20", year+1), fmt.Sprintf("%d-07-15", year+1)
			}
			if !current && today <= row.EndDate {
				row.IsCurrent, current = true, true
			}
			if err := semesters.Insert(ctx, &row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *DemoPlan) seedMajors(ctx context.Context, c demoCollege, dept int64) error {
	for _, m := range c.majors {
		levels := []int64{LevelMaster}
		if m.degreeType == 1 {
			levels = []int64{LevelDoctor, LevelMaster}
		}
		id, err := AddMajor(ctx, Major{Code: m.code, Name: m.name, DeptID: dept, DegreeType: m.degreeType, DegreeLevels: store.JSON[[]int64]{V: levels}, IsEnable: 1})
		if err != nil {
			return err
		}
		p.majors[m.code] = id
	}
	return nil
}

func (p *DemoPlan) seedAdvisors(ctx context.Context, org identity.Organisation) error {
	for i := range p.Teachers {
		t := &p.Teachers[i]
		t.UserID = org.Users[t.Username]
		if !t.Advisor {
			continue
		}
		c := p.colleges[t.College]
		levels := []string{"硕导"}
		if t.Rank == 1 {
			levels = []string{"博导", "硕导"}
		}
		id, err := AddAdvisor(ctx, Advisor{UserID: t.UserID, StaffNo: fmt.Sprintf("T%04d", 1001+i), Name: t.Name, DeptID: org.Depts[c.name], TitleRank: t.Rank,
			AdvisorLevels: store.JSON[[]string]{V: levels}, QuotaPerYear: 4 + 2*(3-t.Rank), Disciplines: store.JSON[[]string]{V: []string{c.majors[0].name}},
			ResearchKeywords: keywordsOf(c), Email: fmt.Sprintf("%s.t%d@example.edu", t.Username, p.Index+1), OfficeHours: "周三 14:00-16:00", IsEnable: 1})
		if err != nil {
			return err
		}
		t.ID = id
	}
	return nil
}

// years of study by degree: regular and longest, in months.
func years(level, kind int) (base, most int) {
	switch {
	case level == LevelDoctor:
		return 48, 96
	case kind == 2:
		return 24, 60
	}
	return 36, 60
}

func (p *DemoPlan) seedStudents(ctx context.Context, org identity.Organisation) error {
	for i := range p.Students {
		s := &p.Students[i]
		s.UserID = org.Users[s.Username]
		base, most := years(s.Level, s.Type)
		row := Student{UserID: s.UserID, StudentNo: s.No, Name: s.Name, Sex: s.Sex, Email: fmt.Sprintf("%s.t%d@example.edu", s.Username, p.Index+1),
			DeptID: org.Depts[p.colleges[s.College].name], MajorID: p.majors[s.Major], DegreeLevel: s.Level, DegreeType: s.Type, StudyMode: 1, EntryYear: s.Year,
			EntrySemester: fmt.Sprintf("%d-%d-1", s.Year, s.Year+1), BaseMonths: base, MaxMonths: most, LifeState: s.LifeState, ResearchField: s.Keyword, RealNameState: s.RealName}
		if err := students.Insert(ctx, &row); err != nil {
			return err
		}
		s.ID = row.ID
		if s.Advisor < 0 {
			continue
		}
		link := Supervision{StudentID: row.ID, AdvisorID: p.Teachers[s.Advisor].ID, Role: RoleMain, StartDate: fmt.Sprintf("%d-09-10", s.Year)}
		if err := supervisions.Insert(ctx, &link); err != nil {
			return err
		}
	}
	return nil
}
