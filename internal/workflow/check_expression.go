package workflow

import (
	"context"
	"errors"

	"viva/internal/kernel/i18n"
	"viva/internal/kernel/web"
	"viva/internal/workflow/juel"
)

// ExpressionCheck says whether a text can stand where a process wants an expression.
// Literal texts are right as well, but nothing in them is evaluated. Column counts
// characters from 1 and is 0 when the text is right.
type ExpressionCheck struct {
	Valid   bool   `json:"valid"`
	Literal bool   `json:"literal"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

type checkExpressionIn struct {
	Expression string `query:"expression" maxLength:"4096" doc:"表达式|Expression"`
}

func mountCheckExpression(m *web.Module) {
	web.Get(m, "/model/check-expression", web.Perm("bpm:model:update"), checkExpression, web.Title("检查表达式的写法"))
}

// checkExpression parses and evaluates nothing, so it tells no more than the text itself.
func checkExpression(ctx context.Context, in checkExpressionIn) (ExpressionCheck, error) {
	expr, err := juel.Parse(in.Expression)
	if err == nil {
		return ExpressionCheck{Valid: true, Literal: expr.IsLiteral()}, nil
	}
	out := ExpressionCheck{Message: err.Error()}
	var syntax *juel.SyntaxError
	if errors.As(err, &syntax) {
		out.Column, out.Message = syntax.Column, syntax.Text(i18n.Lang(ctx))
	}
	return out, nil
}
