package workflow

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"

	"viva/internal/kernel/errs"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// maxVariable bounds the text of a variable that an administrator writes.
const maxVariable = 64 << 10

// VariableView is a variable of an instance. Value is its JSON text, but the bare text of
// a string.
type VariableView struct {
	// Scope is the place the variable belongs to, empty for the whole process.
	Scope       string `json:"scope"`
	ElementID   string `json:"elementId"`
	ElementName string `json:"elementName"`
	Name        string `json:"name"`
	Type        string `json:"type" enum:"string,integer,decimal,boolean,list,object,null"`
	Value       string `json:"value"`
	// Locked variables belong to the engine or the approval layer.
	Locked bool `json:"locked"`
}

// variablesOf lists the variables of the process, then those of single places, by name.
func variablesOf(v *runtime.View) ([]VariableView, error) {
	out := []VariableView{}
	add := func(doc engine.Document, base VariableView) error {
		fields, err := doc.Fields()
		for name, value := range fields {
			one := base
			one.Name, one.Locked = name, reserved(name)
			if one.Type, one.Value, err = variableText(value); err != nil {
				return err
			}
			out = append(out, one)
		}
		return err
	}
	if err := add(v.State.Instance.Vars, VariableView{}); err != nil {
		return nil, err
	}
	for _, t := range v.State.Tokens {
		base := VariableView{Scope: runtime.ExecutionID(v.State.Instance.ID, t.ID), ElementID: t.Element}
		if n := nodeOf(v.Process, t.Element); n != nil {
			base.ElementName = n.Name
		}
		if err := add(t.Vars, base); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b VariableView) int {
		return cmp.Or(cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.Name, b.Name))
	})
	return out, nil
}

func variableText(value any) (kind, text string, err error) {
	switch x := value.(type) {
	case nil:
		return "null", "null", nil
	case bool:
		return "boolean", strconv.FormatBool(x), nil
	case int64:
		return "integer", strconv.FormatInt(x, 10), nil
	case string:
		return "string", x, nil
	}
	doc, err := engine.Object(map[string]any{"v": value})
	if err != nil {
		return "", "", err
	}
	kind = "decimal"
	switch value.(type) {
	case []any:
		kind = "list"
	case map[string]any:
		kind = "object"
	}
	return kind, string(doc[len(`{"v":`) : len(doc)-1]), nil
}

type setVariableIn struct {
	ID    string `json:"id" required:"true" minLength:"1" maxLength:"64" doc:"流程实例|Instance"`
	Scope string `json:"scope" maxLength:"100" doc:"所在位置|Scope"`
	Name  string `json:"name" required:"true" minLength:"1" maxLength:"64" doc:"变量名|Name"`
	Type  string `json:"type" required:"true" enum:"string,integer,decimal,boolean,list,object,null" doc:"类型|Type"`
	Value string `json:"value" maxLength:"65536" doc:"值|Value"`
	// Before is the value that the administrator saw, absent for a new variable.
	Before *string `json:"before" nullable:"true" doc:"原值|Old value"`
	Reason string  `json:"reason" required:"true" minLength:"1" maxLength:"500" doc:"理由|Reason"`
}

var variableName = regexp.MustCompile(`^[\p{L}_$][\p{L}\p{Nd}_$]*$`)

// setVariable writes one variable, unless it is not what the administrator saw any more.
func (s *Service) setVariable(ctx context.Context, in setVariableIn) (bool, error) {
	if !variableName.MatchString(in.Name) {
		return false, errs.Field("name", "变量名以字母或下划线开头，后接字母、数字或下划线", "a name begins with a letter or underscore, followed by letters, digits or underscores")
	}
	if reserved(in.Name) {
		return false, errs.Field("name", "该变量由流程引擎使用，不能修改", "this variable belongs to the process engine and cannot be changed")
	}
	value, err := in.parse()
	if err != nil {
		return false, err
	}
	err = s.operate(ctx, operation{instance: in.ID, reason: in.Reason, action: "修改流程变量"}, func(ctx context.Context, v *runtime.View) (audited, error) {
		if v.State.Instance.Status == engine.Ended {
			return audited{}, engine.ErrEnded.With(in.ID)
		}
		token := int64(0)
		if in.Scope != "" {
			_, n, ok := runtime.SplitExecutionID(in.Scope)
			if !ok || v.State.Token(n) == nil || runtime.ExecutionID(in.ID, n) != in.Scope {
				return audited{}, errNothingHere.With()
			}
			token = n
		}
		known, err := variablesOf(v)
		if err != nil {
			return audited{}, err
		}
		before := map[string]any{"name": in.Name}
		at := slices.IndexFunc(known, func(x VariableView) bool { return x.Scope == in.Scope && x.Name == in.Name })
		if (at >= 0) != (in.Before != nil) || at >= 0 && known[at].Value != *in.Before {
			return audited{}, errs.ErrStale.With()
		}
		if at >= 0 {
			before["type"], before["value"] = known[at].Type, known[at].Value
		}
		doc, err := engine.Object(map[string]any{in.Name: value})
		if err != nil {
			return audited{}, engine.ErrBadVariable.With(err)
		}
		_, err = s.engine.Do(ctx, runtime.Command{Instance: in.ID, Action: &engine.SetVariables{Token: token, Vars: doc}})
		return audited{before: before, after: map[string]any{"name": in.Name, "scope": in.Scope, "type": in.Type, "value": in.Value}}, err
	})
	return err == nil, err
}

// parse reads the value as its type says.
func (in setVariableIn) parse() (any, error) {
	if len(in.Value) > maxVariable {
		return nil, errs.Field("value", "值不能超过 64 KB", "a value takes at most 64 KB")
	}
	switch in.Type {
	case "string":
		_, err := plainText("value", in.Value) // the spaces of a text are part of it
		return in.Value, err
	case "null":
		return nil, nil
	case "boolean":
		if in.Value == "true" || in.Value == "false" {
			return in.Value == "true", nil
		}
		return nil, errs.Field("value", "请选择是或否", "choose true or false")
	case "integer":
		n, err := strconv.ParseInt(in.Value, 10, 64)
		if err != nil {
			return nil, errs.Field("value", "请填写整数", "write a whole number")
		}
		return n, nil
	}
	value, err := engine.Document(in.Value).Value()
	_, isList := value.([]any)
	_, isObject := value.(map[string]any)
	switch {
	case in.Type == "list" && (err != nil || !isList):
		return nil, errs.Field("value", "请填写 JSON 数组，例如 [1, 2]", "write a JSON list such as [1, 2]")
	case in.Type == "object" && (err != nil || !isObject):
		return nil, errs.Field("value", `请填写 JSON 对象，例如 {"a": 1}`, `write a JSON object such as {"a": 1}`)
	case in.Type == "decimal" && (err != nil || !number.MatchString(in.Value)):
		return nil, errs.Field("value", "请填写数字，例如 12.5", "write a number such as 12.5")
	}
	return value, nil
}

// number leaves out what JSON has besides, exponents; JSON itself refuses leading zeros.
var number = regexp.MustCompile(`^-?[0-9]{1,18}(\.[0-9]{1,18})?$`)
