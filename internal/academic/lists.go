package academic

import "viva/internal/kernel/module"

// menus of staff; students and teachers get theirs from module thesis.
var menus = []module.Menu{{
	Name: "学生与导师", NameEn: "Students and advisors", Path: "/academic", Icon: "ep:user", Sort: 40,
	Children: []module.Menu{
		{Name: "学生", NameEn: "Students", Path: "students", Component: "academic/student/index", ComponentName: "AcademicStudent", Icon: "ep:user-filled", Sort: 1,
			Perms: perms("thesis:students", "query", "create", "update", "delete", "export", "import")},
		{Name: "导师", NameEn: "Advisors", Path: "advisor", Component: "academic/advisor/index", ComponentName: "AcademicAdvisor", Icon: "ep:avatar", Sort: 2,
			Perms: perms("thesis:advisor", "query", "create", "update", "delete", "export", "import")},
		{Name: "师生关系", NameEn: "Supervision", Path: "supervision", Component: "academic/supervision/index", ComponentName: "AcademicSupervision", Icon: "ep:connection", Sort: 3,
			Perms: perms("thesis:supervision", "query", "create", "update", "export")},
		{Name: "专业", NameEn: "Majors", Path: "major", Component: "academic/major/index", ComponentName: "AcademicMajor", Icon: "ep:collection", Sort: 4,
			Perms: perms("thesis:major", "query", "create", "update", "delete", "export", "import")},
		{Name: "学期", NameEn: "Semesters", Path: "semester", Component: "academic/semester/index", ComponentName: "AcademicSemester", Icon: "ep:calendar", Sort: 5,
			Perms: perms("thesis:semester", "query", "create", "update", "delete", "export")},
	},
}}

func perms(stem string, verbs ...string) []string {
	list := make([]string, len(verbs))
	for i, v := range verbs {
		list[i] = stem + ":" + v
	}
	return list
}

var roles = []module.Role{
	{Code: "college_secretary", Name: "学院研究生秘书", Scope: 4, Perms: join(
		perms("thesis:students", "query", "create", "update", "export", "import"), perms("thesis:advisor", "query", "create", "update", "export"),
		perms("thesis:supervision", "query", "create", "update", "export"), perms("thesis:major", "query", "export"), perms("thesis:semester", "query"))},
	{Code: "college_dean", Name: "分管院长", Scope: 4, Perms: join(
		perms("thesis:students", "query", "export"), perms("thesis:advisor", "query", "export"), perms("thesis:supervision", "query"))},
	{Code: "grad_training", Name: "研究生院培养办", Scope: 1, Perms: join(
		perms("thesis:students", "query", "create", "update", "delete", "export", "import"), perms("thesis:advisor", "query", "create", "update", "delete", "export", "import"),
		perms("thesis:supervision", "query", "create", "update", "export"), perms("thesis:major", "query", "create", "update", "delete", "export", "import"),
		perms("thesis:semester", "query", "create", "update", "delete", "export"))},
	{Code: "grad_degree", Name: "研究生院学位办", Scope: 1, Perms: join(
		perms("thesis:students", "query", "export"), perms("thesis:advisor", "query", "export"), perms("thesis:supervision", "query", "export"),
		perms("thesis:major", "query"), perms("thesis:semester", "query"))},
	{Code: "inspector", Name: "督导/审计", Scope: 1, Perms: join(
		perms("thesis:students", "query"), perms("thesis:advisor", "query"), perms("thesis:supervision", "query"))},
}

func join(lists ...[]string) []string {
	var all []string
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func entries(list ...module.Entry) []module.Entry { return list }

var dicts = []module.Dict{
	{Type: "thesis_study_mode", Name: "学习方式", Entries: entries(
		module.Entry{Value: "1", Label: "全日制", LabelEn: "Full time"}, module.Entry{Value: "2", Label: "非全日制", LabelEn: "Part time"})},
	{Type: "thesis_supervision_role", Name: "师生关系", Entries: entries(
		module.Entry{Value: "1", Label: "主导师", LabelEn: "Main advisor", Color: "primary"}, module.Entry{Value: "2", Label: "副导师", LabelEn: "Co-advisor"},
		module.Entry{Value: "3", Label: "行业导师", LabelEn: "Industry advisor"})},
	{Type: "thesis_real_name_state", Name: "实名认证", Entries: entries(
		module.Entry{Value: "0", Label: "未认证", LabelEn: "Not verified", Color: "info"}, module.Entry{Value: "1", Label: "已认证", LabelEn: "Verified", Color: "success"},
		module.Entry{Value: "2", Label: "未通过", LabelEn: "Refused", Color: "danger"})},
}
