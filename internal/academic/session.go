package academic

import (
	"context"

	"viva/internal/kernel/store"
)

// StudentDto is the student part of the session answer. RecordID, CurrentStep and
// LatestEndDate are filled by the thesis module.
type StudentDto struct {
	ID            int64  `json:"id"`
	StudentNo     string `json:"studentNo"`
	Name          string `json:"name"`
	RealNameState int    `json:"realNameState"`
	DeptID        int64  `json:"deptId"`
	DeptName      string `json:"deptName"`
	MajorID       int64  `json:"majorId"`
	MajorName     string `json:"majorName"`
	DegreeLevel   int    `json:"degreeLevel"`
	DegreeType    int    `json:"degreeType"`
	StudyMode     int    `json:"studyMode"`
	EntryYear     int    `json:"entryYear"`
	LifeState     int    `json:"lifeState"`
	AdvisorID     int64  `json:"advisorId"`
	AdvisorName   string `json:"advisorName"`
	RecordID      int64  `json:"recordId" db:"-"`
	CurrentStep   int    `json:"currentStep" db:"-"`
	LatestEndDate string `json:"latestEndDate" db:"-"`
}

// TeacherDto is the teacher part of the session answer. Identities are derived from
// relations each time.
type TeacherDto struct {
	ID               int64    `json:"id"`
	StaffNo          string   `json:"staffNo"`
	Name             string   `json:"name"`
	DeptID           int64    `json:"deptId"`
	DeptName         string   `json:"deptName"`
	TitleRank        int      `json:"titleRank"`
	AdvisorLevels    []string `json:"advisorLevels"`
	Identities       []string `json:"identities"`
	HasStoredSigning bool     `json:"hasStoredSignature"`
}

const (
	sqlStudentDto = `SELECT t.id, t.student_no, t.name, t.real_name_state, t.dept_id, t.major_id, t.degree_level, t.degree_type, t.study_mode, t.entry_year,
 t.life_state, COALESCE(d.name, '') AS dept_name, COALESCE(mj.name, '') AS major_name, COALESCE(sv.advisor_id, 0) AS advisor_id, COALESCE(av.name, '') AS advisor_name
 FROM thesis_student t` + studentJoin + ` WHERE t.tenant_id = :tenant AND t.deleted = false AND t.user_id = :user`
	sqlDeptName = `SELECT d.name FROM system_dept d WHERE d.tenant_id = :tenant AND d.id = :id`
)

// StudentSession gives the student part of a user's session, nil when the user is no student.
func (s *Service) StudentSession(ctx context.Context, userID int64) (*StudentDto, error) {
	dto, found, err := store.Get[StudentDto](ctx, sqlStudentDto, store.Args{"user": userID})
	if err != nil || !found {
		return nil, err
	}
	for _, complete := range s.onDto {
		if err := complete(ctx, &dto); err != nil {
			return nil, err
		}
	}
	return &dto, nil
}

// TeacherSession gives the teacher part of a user's session, nil when the user is no advisor.
func (s *Service) TeacherSession(ctx context.Context, userID int64) (*TeacherDto, error) {
	a, found, err := AdvisorOfUser(ctx, userID)
	if err != nil || !found {
		return nil, err
	}
	dept, _, err := store.Get[string](ctx, sqlDeptName, store.Args{"id": a.DeptID})
	if err != nil {
		return nil, err
	}
	dto := &TeacherDto{ID: a.ID, StaffNo: a.StaffNo, Name: a.Name, DeptID: a.DeptID, DeptName: dept, TitleRank: a.TitleRank,
		AdvisorLevels: a.AdvisorLevels.V, Identities: []string{}}
	if dto.AdvisorLevels == nil {
		dto.AdvisorLevels = []string{}
	}
	n, _, err := store.Get[int64](ctx, sqlAdvisorBusy, store.Args{"id": a.ID})
	if n > 0 {
		dto.Identities = append(dto.Identities, "ADVISOR")
	}
	return dto, err
}
