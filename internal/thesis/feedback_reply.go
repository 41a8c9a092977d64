package thesis

import (
	"context"
	"slices"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
)

// FeedbackDetail is a feedback with its messages and what the caller may do.
type FeedbackDetail struct {
	Feedback
	ImageFiles []FileView     `json:"imageFiles"`
	Replies    []FeedbackLine `json:"replies"`
	Actions    []string       `json:"actions"`
}

// FeedbackLine is one message with its pictures.
type FeedbackLine struct {
	FeedbackReply
	ImageFiles []FileView `json:"imageFiles"`
}

func (s *Service) getFeedback(ctx context.Context, in idQuery) (FeedbackDetail, error) {
	row, err := s.feedback.Read(ctx, in.ID)
	if err != nil {
		return FeedbackDetail{}, err
	}
	out := FeedbackDetail{Feedback: row, Replies: []FeedbackLine{}, Actions: []string{}}
	if out.ImageFiles, err = s.viewFiles(ctx, row.Images.V); err != nil {
		return out, err
	}
	list, err := store.Select[FeedbackReply](ctx, sqlRepliesOf, store.Args{"feedback": in.ID})
	if err != nil {
		return out, err
	}
	for _, r := range list {
		line := FeedbackLine{FeedbackReply: r}
		if line.ImageFiles, err = s.viewFiles(ctx, r.Images.V); err != nil {
			return out, err
		}
		out.Replies = append(out.Replies, line)
	}
	who := actor.From(ctx)
	author, staff := row.UserID == who.UserID, who.Can(permHandle)
	for _, a := range []struct {
		name, move string
		may        bool
	}{{"reply", "add", author || staff}, {"handle", "handle", staff && !author}, {"close", "close", author || staff}, {"reopen", "reopen", author}, {"rate", "rate", author && row.Rating == 0}} {
		if a.may && slices.Contains(feedbackMoves[a.move].from, row.State) {
			out.Actions = append(out.Actions, a.name)
		}
	}
	return out, nil
}

// changeFeedback applies a move to a feedback the caller may see.
func (s *Service) changeFeedback(ctx context.Context, id int64, move string, fn func(*Feedback) error) (Feedback, error) {
	if _, err := s.feedback.Read(ctx, id); err != nil {
		return Feedback{}, err
	}
	m := feedbackMoves[move]
	return feedbacks.Change(ctx, id, func(f *Feedback) error {
		if !slices.Contains(m.from, f.State) {
			return errState.With(feedbackStateText(ctx, f.State)).WithData(map[string]any{"state": f.State})
		}
		if m.to >= 0 {
			f.State = m.to
		}
		return fn(f)
	})
}

var feedbackStates = map[int][2]string{feedbackNew: {"待处理", "waiting"}, feedbackHandling: {"处理中", "in progress"}, feedbackReplied: {"已回复", "answered"},
	feedbackClosed: {"已关闭", "closed"}, feedbackReopened: {"已重开", "reopened"}}

func feedbackStateText(ctx context.Context, state int) string {
	return i18n.Pick(ctx, feedbackStates[state][0], feedbackStates[state][1])
}

// author refuses everybody but the one who wrote the feedback.
func author(ctx context.Context, f *Feedback) error {
	if f.UserID != actor.From(ctx).UserID {
		return errs.ErrForbidden.With()
	}
	return nil
}

// ReplyIn is a message in a feedback.
type ReplyIn struct {
	ID      int64   `json:"id" required:"true" minimum:"1" doc:"反馈|Feedback"`
	Content string  `json:"content" required:"true" minLength:"1" maxLength:"2000" doc:"内容|Content"`
	Images  []int64 `json:"images" maxItems:"5" doc:"图片|Images"`
}

// replyFeedback adds a message: the author's keeps the feedback with the staff, the
// staff's marks it answered. The other side is told.
func (s *Service) replyFeedback(ctx context.Context, in ReplyIn) (int64, error) {
	content := strings.TrimSpace(in.Content)
	if content == "" || !storable(content, true) {
		return 0, errs.Field("content", i18n.Pick(ctx, "请填写回复内容", "write an answer"))
	}
	old, err := s.feedback.Read(ctx, in.ID)
	if err != nil {
		return 0, err
	}
	who := actor.From(ctx)
	mine := old.UserID == who.UserID
	move := "staff-reply"
	if mine {
		move = "add"
	} else if !who.Can(permHandle) {
		return 0, errs.ErrForbidden.With()
	}
	row, err := s.changeFeedback(ctx, in.ID, move, func(f *Feedback) error {
		f.LastReplyAt = now()
		if mine && f.State == feedbackReplied {
			f.State = feedbackHandling
		}
		if !mine {
			f.HandlerID, f.HandlerName = who.UserID, nameOf(who)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	reply := FeedbackReply{FeedbackID: row.ID, UserID: who.UserID, UserName: nameOf(who), FromStaff: !mine, Content: content, Images: images(in.Images)}
	if mine {
		reply.UserName = row.UserName
	}
	if err := replies.Insert(ctx, &reply); err != nil {
		return 0, err
	}
	if err := s.attachImages(ctx, in.Images, row.ID); err != nil {
		return 0, err
	}
	return reply.ID, s.tellFeedback(ctx, row, msgReply, content)
}

func clip(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n]) + "…"
	}
	return text
}

// RateIn rates the answers.
type RateIn struct {
	ID      int64  `json:"id" required:"true" minimum:"1" doc:"反馈|Feedback"`
	Rating  int    `json:"rating" required:"true" minimum:"1" maximum:"5" doc:"评分|Rating"`
	Comment string `json:"comment" maxLength:"200" doc:"评价|Comment"`
}

func (s *Service) rateFeedback(ctx context.Context, in RateIn) (bool, error) {
	_, err := s.changeFeedback(ctx, in.ID, "rate", func(f *Feedback) error {
		if err := author(ctx, f); err != nil {
			return err
		}
		if f.Rating > 0 {
			return errState.With(i18n.Pick(ctx, "已评价", "rated already"))
		}
		f.Rating, f.RatingComment = in.Rating, strings.TrimSpace(in.Comment)
		return nil
	})
	return err == nil, err
}

// ReopenIn opens a closed feedback again.
type ReopenIn struct {
	ID     int64  `json:"id" required:"true" minimum:"1" doc:"反馈|Feedback"`
	Reason string `json:"reason" required:"true" minLength:"5" maxLength:"500" doc:"原因|Reason"`
}

func (s *Service) reopenFeedback(ctx context.Context, in ReopenIn) (bool, error) {
	row, err := s.changeFeedback(ctx, in.ID, "reopen", func(f *Feedback) error {
		f.ReopenCount++
		f.ClosedAt, f.Rating, f.RatingComment, f.LastReplyAt = 0, 0, "", now()
		return author(ctx, f)
	})
	if err != nil {
		return false, err
	}
	reply := FeedbackReply{FeedbackID: row.ID, UserID: row.UserID, UserName: row.UserName, Content: strings.TrimSpace(in.Reason), Images: images(nil)}
	if err := replies.Insert(ctx, &reply); err != nil {
		return false, err
	}
	return true, s.tellFeedback(ctx, row, msgReply, reply.Content)
}

type idBody struct {
	ID int64 `json:"id" required:"true" minimum:"1" doc:"编号|Id"`
}

func (s *Service) handleFeedback(ctx context.Context, in idBody) (bool, error) {
	who := actor.From(ctx)
	_, err := s.changeFeedback(ctx, in.ID, "handle", func(f *Feedback) error {
		f.HandlerID, f.HandlerName = who.UserID, nameOf(who)
		return nil
	})
	return err == nil, err
}

func (s *Service) closeFeedback(ctx context.Context, in idBody) (bool, error) {
	row, err := s.changeFeedback(ctx, in.ID, "close", func(f *Feedback) error {
		f.ClosedAt = now()
		if !actor.From(ctx).Can(permHandle) {
			return author(ctx, f)
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	return true, s.tellFeedback(ctx, row, msgClosed, "")
}
