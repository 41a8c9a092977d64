package thesis

import "viva/internal/kernel/module"

func perms(stem string, verbs ...string) []string {
	list := make([]string, len(verbs))
	for i, v := range verbs {
		list[i] = stem + ":" + v
	}
	return list
}

func join(lists ...[]string) []string {
	var all []string
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// roleTeacher shows the pages of advisors; an account that becomes an advisor's gets it.
// What an advisor may see and decide does not depend on it.
const roleTeacher = "teacher"

// Permissions of the teacher's pages, which no call needs: the calls go by relation. They
// tie the pages to the role teacher.
const (
	permDesk     = "thesis:teacher:desk"
	permStudents = "thesis:teacher:students"
	permTopics   = "thesis:teacher:topic"
	permTodo     = "thesis:teacher:todo"
)

var menus = []module.Menu{
	{Name: "导师工作", NameEn: "Supervising", Path: "/teacher", Icon: "ep:briefcase", Sort: 30, Children: []module.Menu{
		{Name: "工作台", NameEn: "Desk", Path: "desk", Component: "teacher/desk", ComponentName: "TeacherDesk", Icon: "ep:odometer", Sort: 1, Permission: permDesk},
		{Name: "我的学生", NameEn: "My students", Path: "students", Component: "teacher/students", ComponentName: "TeacherStudents", Icon: "ep:user", Sort: 2, Permission: permStudents},
		{Name: "我的课题", NameEn: "My topics", Path: "topic", Component: "teacher/topic", ComponentName: "TeacherTopic", Icon: "ep:notebook", Sort: 3, Permission: permTopics},
		{Name: "待我审批", NameEn: "Waiting for me", Path: "todo", Component: "teacher/todo", ComponentName: "TeacherTodo", Icon: "ep:checked", Sort: 4, Permission: permTodo},
	}},
	{Name: "论文管理", NameEn: "Theses", Path: "/thesis", Icon: "ep:document", Sort: 35, Children: []module.Menu{
		{Name: "论文总览", NameEn: "Overview", Path: "record", Component: "thesis/record/index", ComponentName: "ThesisRecord", Icon: "ep:data-board", Sort: 1,
			Perms: perms("thesis:record", "query", "export", "override", "waive")},
		{Name: "课题库", NameEn: "Topics", Path: "topic", Component: "thesis/topic/index", ComponentName: "ThesisTopic", Icon: "ep:collection", Sort: 2,
			Perms: perms("thesis:topic", "query", "create", "update", "delete", "export")},
		{Name: "选题审核", NameEn: "Topic declarations", Path: "students-subject", Component: "thesis/students-subject/index", ComponentName: "ThesisStudentsSubject", Icon: "ep:edit-pen", Sort: 3,
			Perms: perms("thesis:students-subject", "query", "export")},
		{Name: "环节窗口", NameEn: "Step windows", Path: "step-window", Component: "thesis/step-window/index", ComponentName: "ThesisStepWindow", Icon: "ep:timer", Sort: 4,
			Perms: perms("thesis:step-window", "query", "create", "update", "delete", "export")},
		{Name: "培养规则", NameEn: "Policies", Path: "policy", Component: "thesis/policy/index", ComponentName: "ThesisPolicy", Icon: "ep:set-up", Sort: 5,
			Perms: perms("thesis:policy", "query", "create", "update", "delete", "export")},
		{Name: "反馈处理", NameEn: "Feedback", Path: "feedback", Component: "thesis/feedback/index", ComponentName: "ThesisFeedback", Icon: "ep:chat-line-round", Sort: 6,
			Perms: perms("thesis:feedback", "query", "handle", "export")},
	}},
}

// Roles of the thesis with what they start with; who decides follows from approver.go.
var roles = []module.Role{
	{Code: roleTeacher, Name: "教师", Scope: 5, Perms: join([]string{permDesk, permStudents, permTopics, permTodo},
		perms("thesis:topic", "query", "create", "update", "delete"), perms("thesis:students-subject", "query"))},
	{Code: roleSecretary, Name: "学院研究生秘书", Scope: 4, Perms: join([]string{permTodo}, perms("thesis:record", "query", "export", "override"),
		perms("thesis:topic", "query", "create", "update", "export"), perms("thesis:students-subject", "query", "export"),
		perms("thesis:step-window", "query", "create", "update"), perms("thesis:feedback", "query", "handle"))},
	{Code: "college_dean", Name: "分管院长", Scope: 4, Perms: join(perms("thesis:record", "query"), perms("thesis:students-subject", "query"), perms("thesis:topic", "query"))},
	{Code: "grad_training", Name: "研究生院培养办", Scope: 1, Perms: join(perms("thesis:record", "query", "export", "override", "waive"), perms("thesis:students-subject", "query", "export"),
		perms("thesis:topic", "query"), perms("thesis:step-window", "query", "create", "update", "delete", "export"), perms("thesis:policy", "query", "create", "update"),
		perms("thesis:feedback", "query", "handle"))},
	{Code: roleDegree, Name: "研究生院学位办", Scope: 1, Perms: join([]string{permTodo}, perms("thesis:record", "query", "export", "override", "waive"),
		perms("thesis:students-subject", "query", "export"), perms("thesis:topic", "query", "export"), perms("thesis:step-window", "query"),
		perms("thesis:policy", "query", "create", "update"), perms("thesis:feedback", "query", "handle"))},
	{Code: "inspector", Name: "督导/审计", Scope: 1, Perms: join(perms("thesis:record", "query"), perms("thesis:students-subject", "query"), perms("thesis:topic", "query"), perms("thesis:feedback", "query"))},
	{Code: roleTenantAdmin, Name: "租户管理员", Scope: 1, Perms: join(perms("thesis:step-window", "query", "create", "update", "delete", "export"),
		perms("thesis:policy", "query", "create", "update", "delete", "export"), perms("thesis:record", "query", "export"),
		perms("thesis:students-subject", "query"), perms("thesis:feedback", "query", "handle"))},
}

var dicts = []module.Dict{
	{Type: "thesis_topic_state", Name: "课题状态", Entries: []module.Entry{
		{Value: "0", Label: "未发布", LabelEn: "Draft", Color: "info"}, {Value: "1", Label: "已发布", LabelEn: "Published", Color: "success"}, {Value: "2", Label: "已关闭", LabelEn: "Closed", Color: "default"}}},
	{Type: "thesis_policy_state", Name: "规则状态", Entries: []module.Entry{
		{Value: "0", Label: "草稿", LabelEn: "Draft", Color: "info"}, {Value: "1", Label: "生效", LabelEn: "Active", Color: "success"}, {Value: "2", Label: "停用", LabelEn: "Retired", Color: "default"}}},
	{Type: "thesis_late_mode", Name: "逾期处理", Entries: []module.Entry{
		{Value: "1", Label: "拒绝", LabelEn: "Refuse", Color: "danger"}, {Value: "2", Label: "接收并标记", LabelEn: "Accept with a mark", Color: "warning"}}},
	{Type: "thesis_late_flag", Name: "逾期标记", Entries: []module.Entry{
		{Value: "0", Label: "按时", LabelEn: "On time", Color: "success"}, {Value: "1", Label: "宽限", LabelEn: "Grace", Color: "warning"}, {Value: "2", Label: "逾期", LabelEn: "Late", Color: "danger"}}},
	{Type: "thesis_feedback_kind", Name: "反馈类型", Entries: []module.Entry{
		{Value: "1", Label: "系统使用", LabelEn: "Using the system", Color: "primary"}, {Value: "2", Label: "选题与论文", LabelEn: "Topic and thesis", Color: "success"},
		{Value: "3", Label: "导师与学院", LabelEn: "Advisor and college", Color: "warning"}, {Value: "4", Label: "课程与成绩", LabelEn: "Courses and scores", Color: "info"},
		{Value: "9", Label: "其他", LabelEn: "Other", Color: "default"}}},
}

var templates = []module.Template{
	{Code: msgTaskNew, Name: "新的审批任务", Nickname: "论文系统", Type: 2, Content: "{student}（{studentNo}）的{kind}《{title}》等待您审批"},
	{Code: msgUnassigned, Name: "审批任务无人办理", Nickname: "论文系统", Type: 2, Content: "{student}（{studentNo}）的{kind}《{title}》到达{level}审批，但没有可办理的人，请安排"},
	{Code: msgApproved, Name: "审批进入下一级", Nickname: "论文系统", Type: 2, Content: "您的{kind}《{title}》已由{actor}同意，进入下一级审批。意见：{opinion}"},
	{Code: msgReturned, Name: "申请被退回", Nickname: "论文系统", Type: 2, Content: "{student}的{kind}《{title}》被{actor}退回修改。意见：{opinion}"},
	{Code: msgRejected, Name: "申请未通过", Nickname: "论文系统", Type: 2, Content: "{student}的{kind}《{title}》未通过（{actor}）。意见：{opinion}"},
	{Code: msgPassed, Name: "申请已通过", Nickname: "论文系统", Type: 2, Content: "{student}的{kind}《{title}》已通过，下一环节“开题”已开启"},
	{Code: msgWithdrawn, Name: "申请已撤回", Nickname: "论文系统", Type: 2, Content: "{student}撤回了{kind}《{title}》，无需再审批"},
	{Code: msgCancelled, Name: "审批被取消", Nickname: "论文系统", Type: 2, Content: "{student}的{kind}《{title}》的审批被{actor}取消，请核对后重新提交。理由：{opinion}"},
	{Code: msgTitleNew, Name: "题目变更通过", Nickname: "论文系统", Type: 2, Content: "{student}的论文题目已变更为《{title}》"},
	{Code: msgTitleOld, Name: "题目变更未通过", Nickname: "论文系统", Type: 2, Content: "{student}的题目变更未获同意（{actor}），题目仍为《{title}》。意见：{opinion}"},
	{Code: msgStepOpen, Name: "论文环节开启", Nickname: "论文系统", Type: 2, Content: "{student}，您的“{step}”环节已开启，请在办理时间内提交"},
	{Code: msgExpired, Name: "论文环节逾期", Nickname: "论文系统", Type: 2, Content: "{student}的“{step}”环节已过办理时间，如需延期请联系学院"},
	{Code: msgFeedback, Name: "新的问题反馈", Nickname: "论文系统", Type: 2, Content: "{author}提交了问题反馈：{title}"},
	{Code: msgClosed, Name: "问题反馈已关闭", Nickname: "论文系统", Type: 2, Content: "{actor}关闭了问题反馈“{title}”；如未解决，提交人可以重开"},
	{Code: msgReply, Name: "问题反馈有新回复", Nickname: "论文系统", Type: 2, Content: "问题反馈“{title}”有{actor}的新回复：{content}"},
}
