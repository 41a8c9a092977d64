package thesis

import (
	"context"

	"viva/internal/academic"
)

// demoQuestions are titles and contents of feedback with the answer of the staff.
var demoQuestions = []struct {
	kind                   int
	title, content, answer string
}{
	{1, "附件上传到一半中断", "昨天晚上上传选题附件时网络断了，重新打开页面后是否需要从头上传？", "无需从头上传，重新选择同一文件即可从断点继续。"},
	{2, "选题退回后如何修改", "导师退回了我的选题，修改之后是否需要重新走一遍全部审批？", "修改后重新提交即可，仍按导师、学院的顺序审批。"},
	{2, "题目变更需要多久", "选题已经通过，想把题目改得更准确一些，请问变更审批一般需要几天？", "一般三个工作日内完成，可在办理记录中查看进度。"},
	{3, "希望更换研究方向", "与导师沟通后希望调整研究方向，学院这边需要提交哪些材料？", "请先在系统中撤回当前申报，与导师确认后重新填写。"},
	{1, "手机上看不到回执", "提交之后在手机上没有找到回执的入口，请问在哪里可以查看？", "在“选题申报”页面右上角点击“回执”即可查看。"},
	{4, "培养计划显示已通过", "我没有提交过培养计划，但是进度中显示已通过，是否正常？", "正常，当前规则下培养计划自动通过。"},
	{9, "办理时间能否延长", "因外出实习无法按时准备材料，想申请延长选题的办理时间，该怎么操作？", "请联系学院秘书，学院可为您延长最多七天。"},
}

// demoFeedback is the number of feedbacks of each demo university.
var demoFeedback = [2]int{35, 4}

// feedback writes questions in every state with their answers.
func (d *demo) feedback(ctx context.Context) error {
	states := []int{feedbackNew, feedbackReplied, feedbackClosed, feedbackHandling, feedbackReplied, feedbackReopened, feedbackClosed}
	for n := range demoFeedback[d.plan.Index] {
		p := d.plan.Students[(n*8+1)%len(d.plan.Students)]
		st, err := academic.StudentByID(ctx, p.ID)
		if err != nil {
			return err
		}
		q, state := demoQuestions[n%len(demoQuestions)], states[n%len(states)]
		at := d.book.now - int64(n+1)*9*hour
		row := Feedback{UserID: p.UserID, UserName: p.Name, DeptID: st.DeptID, Kind: q.kind, Title: q.title, Content: q.content, Images: images(nil), State: state}
		answered := state >= feedbackReplied
		if state != feedbackNew {
			secretary := d.secretary(p.College)
			row.HandlerID, row.HandlerName = secretary.id, secretary.name
		}
		if answered {
			row.LastReplyAt = at + 3*hour
		}
		if state == feedbackClosed {
			row.ClosedAt, row.Rating = at+6*hour, 3+n%3
		}
		if state == feedbackReopened {
			row.ReopenCount = 1
		}
		if err := feedbacks.Insert(ctx, &row); err != nil {
			return err
		}
		if !answered {
			continue
		}
		reply := FeedbackReply{FeedbackID: row.ID, UserID: row.HandlerID, UserName: row.HandlerName, FromStaff: true, Content: q.answer, Images: images(nil)}
		if err := replies.Insert(ctx, &reply); err != nil {
			return err
		}
	}
	return nil
}
