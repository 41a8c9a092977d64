package system

import (
	"context"

	"viva/internal/kernel/module"
)

// WelcomeTemplate is the code of the message that greets the accounts of the demo.
const WelcomeTemplate = "system_welcome"

var welcomeTemplate = module.Template{Code: WelcomeTemplate, Name: "欢迎使用", Nickname: "研究生院",
	Content: "欢迎使用{university}论文申请系统。请在个人中心核对您的姓名、邮箱和手机号码。", Type: 2}

// demoNotices are invented texts of the kind a graduate school publishes.
var demoNotices = []struct {
	title, text string
	kind        int
}{
	{"关于开展本学期研究生选题申报工作的通知", "请各位同学在选题窗口关闭前完成申报。导师审核后由学院秘书复核，结果以站内信告知。", 1},
	{"学位论文题目书写要求", "中文题目不超过 25 个字为宜，避免使用缩写与副标题堆叠；博士论文须同时提交英文题目。", 2},
	{"导师课题库开放公告", "本学期导师课题已陆续发布，名额有限，请与导师沟通后选择。", 2},
	{"关于实名认证的提醒", "未完成实名认证的同学无法提交选题，请尽快到个人中心或学院办理。", 1},
	{"学术诚信承诺说明", "提交材料即视为承诺内容真实。发现抄袭、代写等行为将按学校规定处理。", 2},
	{"节假日期间审核安排", "法定节假日期间审核时限顺延，请合理安排提交时间。", 1},
	{"附件格式要求", "选题附件仅接受 PDF、DOC、DOCX，单个文件不超过 50 MB，最多 3 个。", 2},
	{"研究生院值班与咨询方式", "工作日 8:30 至 17:30 受理咨询，其余时间请通过“问题反馈”留言。", 1},
	{"关于题目变更的说明", "选题通过后如需变更题目，请在系统中提交变更申请，经导师与学院重新审核。", 2},
	{"导师指导学生名额调整结果", "本学年导师指导名额已更新，可在“我的导师”页面查看指导关系。", 1},
	{"系统维护公告", "每周日 2:00 至 4:00 为例行维护时间，期间可能出现短暂中断，已保存的草稿不受影响。", 2},
	{"新版使用指南发布", "使用指南说明了从选题到证书的全部环节，欢迎查阅并提出建议。", 1},
}

// DemoNotices writes the notices of a demo university into the tenant of ctx.
func (s *Service) DemoNotices(ctx context.Context, university string) error {
	for _, n := range demoNotices {
		row := Notice{Title: n.title, Type: n.kind, Content: "<p>" + university + "研究生院：</p><p>" + n.text + "</p>"}
		if err := s.notices.Table.Insert(ctx, &row); err != nil {
			return err
		}
	}
	return nil
}
