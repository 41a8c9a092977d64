package bpmn

import (
	"errors"
	"fmt"
	"strings"

	"viva/internal/workflow/juel"
)

// expression parses a text; what names it in the message of a syntax error.
func (c *compiler) expression(what, text string) Expression {
	text = strings.TrimSpace(text)
	if text == "" {
		return Expression{}
	}
	return c.parsed(what, text, text)
}

// variable parses a text in which a bare name means the variable of that name.
func (c *compiler) variable(what, text string) Expression {
	text = strings.TrimSpace(text)
	if text == "" {
		return Expression{}
	}
	if !strings.Contains(text, "{") {
		return c.parsed(what, text, "${"+text+"}")
	}
	return c.parsed(what, text, text)
}

func (c *compiler) parsed(what, source, text string) Expression {
	expr, err := juel.Parse(text)
	if err == nil {
		for _, call := range expr.Calls() {
			c.use(UseCall, call)
		}
		return Expression{Source: source, Parsed: expr}
	}
	var syntax *juel.SyntaxError
	if errors.As(err, &syntax) {
		c.fail("expression", fmt.Sprintf("%s 的表达式 %s 有误：%s", what, clip(source), syntax.Text("zh")),
			fmt.Sprintf("%s has a faulty expression %s: %s", what, clip(source), syntax.Text("en")))
	} else {
		c.fail("expression", fmt.Sprintf("%s 的表达式 %s 有误：%s", what, clip(source), err), fmt.Sprintf("%s has a faulty expression %s: %s", what, clip(source), err))
	}
	return Expression{Source: source}
}

// expressions parses a comma list.
func (c *compiler) expressions(what, text string) []Expression {
	var parsed []Expression
	for _, part := range list(text) {
		parsed = append(parsed, c.expression(what, part))
	}
	return parsed
}

// condition parses a text that must be a condition: a plain word would only be
// found out when a token stands before it.
func (c *compiler) condition(what, text string) Expression {
	e := c.expression(what, text)
	if e.Parsed != nil && e.Parsed.IsLiteral() && e.Source != "true" && e.Source != "false" {
		c.fail("condition", fmt.Sprintf("%s %s 不是表达式，请写成 ${…}", what, clip(e.Source)),
			fmt.Sprintf("%s %s is no expression; write ${…}", what, clip(e.Source)))
	}
	return e
}

// literal gives the text of an expression that is none, else "".
func literal(e Expression) string {
	if e.Parsed != nil && e.Parsed.IsLiteral() {
		return e.Source
	}
	return ""
}
