package academic

import "context"

// AddMajor writes a major for a program (demo, tests) and gives its id.
func AddMajor(ctx context.Context, row Major) (int64, error) {
	err := majors.Insert(ctx, &row)
	return row.ID, err
}

// AddSemester writes a semester for a program and gives its id.
func AddSemester(ctx context.Context, row Semester) (int64, error) {
	err := semesters.Insert(ctx, &row)
	return row.ID, err
}

// AddAdvisor writes an advisor for a program and gives its id.
func AddAdvisor(ctx context.Context, row Advisor) (int64, error) {
	err := advisors.Insert(ctx, &row)
	return row.ID, err
}

// AddStudent writes a student for a program, with a main advisor unless that is 0, and
// tells the modules above once. It gives the id.
func (s *Service) AddStudent(ctx context.Context, row Student, advisorID int64) (int64, error) {
	if err := students.Insert(ctx, &row); err != nil {
		return 0, err
	}
	if advisorID > 0 {
		link := Supervision{StudentID: row.ID, AdvisorID: advisorID, Role: RoleMain, StartDate: today()}
		if err := supervisions.Insert(ctx, &link); err != nil {
			return 0, err
		}
	}
	return row.ID, s.changed(ctx, row.ID)
}

// ChangeStudent alters a student for a program and tells the modules above.
func (s *Service) ChangeStudent(ctx context.Context, id int64, fn func(*Student)) error {
	if _, err := students.Change(ctx, id, func(row *Student) error { fn(row); return nil }); err != nil {
		return err
	}
	return s.changed(ctx, id)
}
