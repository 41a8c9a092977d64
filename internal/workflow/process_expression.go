package workflow

import (
	"context"
	"errors"
	"strings"

	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
	"viva/internal/workflow/juel"
)

// ProcessExpression is a named expression that the designer offers, for example to
// choose who decides a task.
type ProcessExpression struct {
	ID         int64  `json:"id"`
	Name       string `json:"name" label:"表达式名称|Expression name" in:"required,max=64" q:"like"`
	Status     int    `json:"status" label:"状态|Status" in:"required,dict=common_status,min=0,max=1" q:"eq"`
	Expression string `json:"expression" label:"表达式|Expression" in:"required,kind=longtext,max=1024"`
	crud.Meta
}

var processExpressions = table.New[ProcessExpression]("bpm_process_expression", "流程表达式")

func mountProcessExpressions(m *web.Module) {
	r := crud.Mount[ProcessExpression](m, "process-expression", "流程表达式|Process expression", crud.Without("export-excel"))
	r.BeforeSave = func(ctx context.Context, _, row *ProcessExpression) error {
		if reason := expressionProblem(ctx, row.Expression); reason != "" {
			return errs.Field("expression", i18n.Pick(ctx, "表达式 ", "Expression: ")+reason)
		}
		return nil
	}
}

// expressionProblem says in the reader's language why a text is not an expression of a
// process, "" when it is.
func expressionProblem(ctx context.Context, source string) string {
	if !strings.HasPrefix(source, "${") || !strings.HasSuffix(source, "}") {
		return i18n.Pick(ctx, "应以 ${ 开头、以 } 结尾", "it must start with ${ and end with }")
	}
	_, err := juel.Parse(source)
	var syntax *juel.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Text(i18n.Lang(ctx))
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
