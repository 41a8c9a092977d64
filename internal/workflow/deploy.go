package workflow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/runtime"
)

func (s *Service) deployModel(ctx context.Context, in modelIDIn) (bool, error) {
	_, err := s.Deploy(ctx, modelID(in.ID))
	return err == nil, err
}

// Deploy makes the next version of a model's process and suspends the one before. A
// refusal carries all problems of the model, not only the first. The file is read before
// the transaction begins, since a large one takes a while.
func (s *Service) Deploy(ctx context.Context, model ModelID) (ProcessDefinition, error) {
	read, err := readModel(ctx, model)
	if err != nil {
		return ProcessDefinition{}, err
	}
	file, err := s.readFile(ctx, read.BpmnXML)
	if err != nil {
		return ProcessDefinition{}, err
	}
	var d ProcessDefinition
	err = store.Write(ctx, func(ctx context.Context) error {
		row, err := lockModel(ctx, model)
		if err != nil {
			return err
		}
		if row.BpmnXML != read.BpmnXML { // replaced meanwhile
			return errs.ErrStale.With()
		}
		found, err := s.inspect(ctx, row, file)
		if err != nil {
			return err
		}
		if err := found.refusal(); err != nil {
			return err
		}
		d = found.definition
		return s.register(ctx, &d, row.BpmnXML, found.rules)
	})
	return d, err
}

// register hands a version over to the engine and stores what belongs to it. Always: the
// form or the rules may have changed though the file did not.
func (s *Service) register(ctx context.Context, d *ProcessDefinition, xml string, rules []AssignRule) error {
	deployed, _, err := s.engine.Deploy(deploying(ctx), runtime.DeployIn{Key: d.Key, Name: d.Name, XML: xml, Always: true})
	if err != nil {
		return err
	}
	d.DefinitionID, d.Number = deployed.ID, deployed.Version
	if err := definitions.Insert(ctx, d); err != nil {
		return err
	}
	for _, rule := range rules {
		rule.ProcessDefinitionID = d.DefinitionID
		if err := assignRules.Insert(ctx, &rule); err != nil {
			return err
		}
	}
	return nil
}

// snapshot is the definition that a deployment of the model would make.
func snapshot(m Model, form Form, p *bpmn.Process, rules []AssignRule) (ProcessDefinition, error) {
	d := ProcessDefinition{ModelID: m.ID, Key: m.Key, Name: m.Name, Description: m.Description, Category: m.Category, Icon: m.Icon,
		FormType: m.FormType, FormID: m.FormID, FormName: form.Name, FormConf: form.Conf, FormFields: form.Fields,
		FormCustomCreatePath: m.FormCustomCreatePath, FormCustomViewPath: m.FormCustomViewPath, Settings: m.Settings,
		Startable: p != nil && p.Startable}
	if d.FormFields.V == nil {
		d.FormFields.V = []string{}
	}
	type ruleContent struct {
		Task       string
		Candidates []Candidate
	}
	content := struct {
		Definition ProcessDefinition
		File       string
		Rules      []ruleContent
	}{Definition: d, File: m.BpmnXML}
	content.Definition.ModelID = 0 // the same process from another model is the same
	for _, rule := range rules {
		content.Rules = append(content.Rules, ruleContent{rule.TaskDefinitionKey, rule.Candidates.V})
	}
	text, err := json.Marshal(content)
	sum := sha256.Sum256(text)
	d.Digest = hex.EncodeToString(sum[:])
	return d, err
}

// effectiveRules are the rules that a deployment puts in force, in the order of the
// diagram: what the diagram says wins over rows.
func effectiveRules(ctx context.Context, m Model, p *bpmn.Process) ([]AssignRule, error) {
	rows, err := rulesOfModel(ctx, m.ID)
	if err != nil {
		return nil, err
	}
	var list []AssignRule
	for _, n := range userTasks(p) {
		rule := AssignRule{ModelID: m.ID, TaskDefinitionKey: n.ID}
		at := slices.IndexFunc(rows, func(r AssignRule) bool { return r.TaskDefinitionKey == n.ID })
		switch {
		case n.User.CandidateStrategy != "":
			rule.Candidates.V = []Candidate{{n.User.CandidateStrategy, n.User.CandidateParam}}
			rule.Type, _ = strconv.Atoi(n.User.CandidateStrategy)
			rule.Options.V, _ = parseIDs(n.User.CandidateParam)
		case at >= 0:
			rule.Type, rule.Options = rows[at].Type, rows[at].Options
			if rule.Candidates.V, err = candidatesOf(ctx, rule.Type, rule.Options.V); err != nil {
				return nil, err
			}
		default:
			continue
		}
		if rule.Options.V == nil {
			rule.Options.V = []int64{}
		}
		list = append(list, rule)
	}
	return list, nil
}
