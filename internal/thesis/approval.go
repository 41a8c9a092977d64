package thesis

import (
	"context"
	"errors"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// VerdictIn is an approver's answer; Version is the one he saw.
type VerdictIn struct {
	ID          int64  `json:"id" required:"true" minimum:"1" doc:"编号|Id"`
	Version     int    `json:"version" required:"true" minimum:"1" doc:"版本|Version"`
	Opinion     string `json:"opinion" maxLength:"2000" doc:"审批意见|Opinion"`
	NeedNewFile bool   `json:"needNewFile" doc:"要求重新上传附件|A new file is needed"`
}

func (s *Service) approve(ctx context.Context, in VerdictIn) (Saved, error) {
	return s.answer(ctx, in, Approve)
}

func (s *Service) giveBack(ctx context.Context, in VerdictIn) (Saved, error) {
	return s.answer(ctx, in, Return)
}

func (s *Service) reject(ctx context.Context, in VerdictIn) (Saved, error) {
	return s.answer(ctx, in, Reject)
}

func (s *Service) answer(ctx context.Context, in VerdictIn, verdict Verdict) (Saved, error) {
	row, err := s.decide(ctx, Decision{SubjectID: in.ID, Version: in.Version, Verdict: verdict, Opinion: in.Opinion, NeedNewFile: in.NeedNewFile && verdict == Return})
	if err != nil {
		return Saved{}, err
	}
	return Saved{ID: row.ID, AuditState: row.AuditState, Version: row.Version}, nil
}

// BatchIn approves several declarations; DryRun only tells what would happen.
type BatchIn struct {
	Items   []BatchItem `json:"items" required:"true" minItems:"1" maxItems:"100" doc:"申报|Declarations"`
	Opinion string      `json:"opinion" maxLength:"2000" doc:"审批意见|Opinion"`
	DryRun  bool        `json:"dryRun" doc:"仅检查|Check only"`
}

// BatchItem is one of them.
type BatchItem struct {
	ID      int64 `json:"id" required:"true" minimum:"1" doc:"编号|Id"`
	Version int   `json:"version" required:"true" minimum:"1" doc:"版本|Version"`
}

// BatchResult tells what became of one.
type BatchResult struct {
	ID         int64  `json:"id"`
	OK         bool   `json:"ok"`
	Code       int    `json:"code"`
	Msg        string `json:"msg"`
	AuditState Audit  `json:"auditState"`
}

// errTried rolls a dry run back.
var errTried = errors.New("dry run")

// batchApprove decides each item in a transaction of its own: one that is refused does
// not hold up the others.
func (s *Service) batchApprove(ctx context.Context, in BatchIn) ([]BatchResult, error) {
	results := make([]BatchResult, 0, len(in.Items))
	for _, item := range in.Items {
		var row Subject
		err := store.Write(ctx, func(ctx context.Context) (err error) {
			row, err = s.decide(ctx, Decision{SubjectID: item.ID, Version: item.Version, Verdict: Approve, Opinion: in.Opinion})
			if err == nil && in.DryRun {
				return errTried
			}
			return err
		})
		r := BatchResult{ID: item.ID, OK: true, AuditState: row.AuditState}
		var e *errs.Error
		switch {
		case err == nil || errors.Is(err, errTried):
		case errors.As(err, &e) && e.Code.Kind != errs.Unavailable:
			r = BatchResult{ID: item.ID, Code: e.Code.Num, Msg: e.Text(web.Lang(ctx)), AuditState: row.AuditState}
			if errs.Is(err, errs.ErrNoRecord) {
				r.AuditState = 0
			}
		default:
			return results, err
		}
		results = append(results, r)
	}
	return results, nil
}
