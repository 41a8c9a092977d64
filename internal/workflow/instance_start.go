package workflow

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

type createInstanceIn struct {
	ProcessDefinitionID string         `json:"processDefinitionId" required:"true" minLength:"1" maxLength:"200" doc:"流程定义|Definition"`
	Variables           map[string]any `json:"variables" maxProperties:"500" doc:"表单内容|Form values"`
	// StartUserSelectAssignees are the people that the starter picks, by task.
	StartUserSelectAssignees map[string][]int64 `json:"startUserSelectAssignees" maxProperties:"100" doc:"自选审批人|Chosen people"`
	// Assignee is an older name of StartUserSelectAssignees.
	Assignee map[string][]int64 `json:"assignee" maxProperties:"100" doc:"自选审批人|Chosen people"`
}

// createInstance starts a process by hand. Business forms start theirs through Start.
func (s *Service) createInstance(ctx context.Context, in createInstanceIn) (string, error) {
	d, err := definitionByID(ctx, in.ProcessDefinitionID)
	if err != nil {
		return "", err
	}
	who := actor.From(ctx)
	switch {
	case d.state() == Suspended:
		return "", errDefinitionPaused.With(d.Name)
	case !d.startableBy(who) || d.FormType == FormBusiness && len(s.results[d.Key]) > 0 || s.business[d.Key].Process != "":
		return "", errStartNotAllowed.With(d.Name)
	}
	chosen := in.StartUserSelectAssignees
	if len(chosen) == 0 {
		chosen = in.Assignee
	}
	return s.begin(ctx, d, beginning{vars: answered(ctx, in.Variables), picks: chosen})
}

// newestStartable reads the newest version of a process, unless it is suspended.
func (s *Service) newestStartable(ctx context.Context, key string) (definitionRow, error) {
	d, err := foundDefinition(store.Get[definitionRow](ctx, sqlNewestOfKey, store.Args{"key": key}))
	if err == nil && d.state() == Suspended {
		err = errDefinitionPaused.With(d.Name)
	}
	return d, err
}

// beginning is what a new instance starts with.
type beginning struct {
	business string
	title    string
	starter  int64
	vars     map[string]any
	picks    map[string][]int64
}

// begin checks the picked people and starts the instance.
func (s *Service) begin(ctx context.Context, d definitionRow, b beginning) (string, error) {
	if b.starter == 0 {
		b.starter = actor.From(ctx).UserID
	}
	vars := formVariables(b.vars)
	chosen, err := s.checkPicks(ctx, d, b, vars)
	if err != nil {
		return "", err
	}
	if b.title == "" {
		if b.title, err = titleOf(ctx, d, b.starter, vars); err != nil {
			return "", err
		}
	}
	vars[varStarter] = b.starter
	if len(chosen) > 0 {
		vars[varStarterPicks] = chosen
	}
	start := runtime.StartIn{Definition: d.DefinitionID, Name: b.title, Starter: b.starter, Vars: vars, BusinessID: b.business}
	if b.business != "" {
		start.BusinessType = d.Key
	}
	res, err := s.engine.Start(ctx, start)
	return res.Instance, err
}

// checkPicks wants people for the tasks on the predicted path that the starter picks, and
// no picks for others.
func (s *Service) checkPicks(ctx context.Context, d definitionRow, b beginning, vars map[string]any) (map[string]any, error) {
	p, err := s.planOf(ctx, d.DefinitionID)
	if err != nil {
		return nil, err
	}
	process, err := s.engine.Process(ctx, d.DefinitionID)
	if err != nil {
		return nil, err
	}
	kept := map[string]any{}
	path := s.pathFrom(process, process.Starts, vars, engine.Instance{StarterID: b.starter, DefinitionID: d.DefinitionID, BusinessID: b.business})
	for i := range process.Nodes {
		n := &process.Nodes[i]
		rule, ok := p.rules[n.ID]
		if !ok || !slices.ContainsFunc(rule.Candidates.V, func(c Candidate) bool { return c.Strategy == StrategyStarterPicks }) {
			continue
		}
		ids := b.picks[n.ID]
		if len(ids) == 0 {
			if len(rule.Candidates.V) == 1 && slices.Contains(path, n.Index) {
				return nil, errPickMissing.With(n.Name)
			}
			continue
		}
		if err := checkPicked(ctx, n.Name, ids); err != nil {
			return nil, err
		}
		kept[n.ID] = listed(ids)
	}
	return kept, nil
}

// listed turns ids into a value of a variable.
func listed(ids []int64) []any {
	out := make([]any, len(ids))
	for i, id := range ids {
		out[i] = id
	}
	return out
}

// checkPicked refuses people who cannot decide.
func checkPicked(ctx context.Context, task string, ids []int64) error {
	live, err := enabledUsers(ctx, ids)
	if err != nil {
		return err
	}
	gone := slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return slices.Contains(live, id) })
	if len(gone) > 0 {
		return errPickUnknown.With(task, strings.Trim(fmt.Sprint(gone), "[]"))
	}
	return nil
}

var titlePlace = regexp.MustCompile(`\{([^{}\s]{1,64})\}`)

// maxTitle is the most characters of an instance's name.
const maxTitle = 200

// titleOf names an instance: by the template of the model, else by the process.
func titleOf(ctx context.Context, d definitionRow, starter int64, vars map[string]any) (string, error) {
	set := d.Settings.V.TitleSetting
	if set == nil || !set.Enable {
		return d.Name, nil
	}
	name, err := nickname(ctx, starter)
	if err != nil {
		return "", err
	}
	title := titlePlace.ReplaceAllStringFunc(set.Title, func(place string) string {
		switch key := place[1 : len(place)-1]; key {
		case varStarter:
			return name
		case "PROCESS_START_TIME":
			return clock.Now().In(clock.Shanghai).Format("2006-01-02 15:04")
		case "PROCESS_DEFINITION_NAME":
			return d.Name
		default:
			return shortText(valueOf(vars, key))
		}
	})
	if strings.TrimSpace(title) == "" {
		return d.Name, nil
	}
	return cut(title, maxTitle), nil
}

// shortText shows a value of a form inside a line of text.
func shortText(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return cut(strings.Join(strings.Fields(strings.ReplaceAll(x, "\x00", "")), " "), maxTitle)
	case []any:
		parts := make([]string, 0, len(x))
		for _, one := range x {
			if text := shortText(one); text != "" {
				parts = append(parts, text)
			}
		}
		return cut(strings.Join(parts, "、"), maxTitle)
	case map[string]any:
		return shortObject(x)
	case bool:
		if x {
			return "是"
		}
		return "否"
	}
	return fmt.Sprint(v)
}

// shortObject shows a file by its name, and a row by its fields.
func shortObject(fields map[string]any) string {
	if name, ok := fields["name"].(string); ok {
		return shortText(name)
	}
	parts := []string{}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if text := shortText(fields[key]); text != "" {
			parts = append(parts, text)
		}
	}
	return cut(strings.Join(parts, " "), maxTitle)
}

func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
