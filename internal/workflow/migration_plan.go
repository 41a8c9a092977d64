package workflow

import (
	"context"
	"slices"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
	"viva/internal/workflow/bpmn"
	"viva/internal/workflow/engine"
	"viva/internal/workflow/runtime"
)

// maxChecked bounds the instances that one trial looks at; a migration looks at all.
const maxChecked = 1000

var (
	errMigrateWhere = errs.Define(1009023004, errs.Invalid, "请选择同一流程的两个不同版本", "Choose two different versions of one process")
	errMigrateTwice = errs.Define(1009023005, errs.Conflict, "该版本已有进行中的迁移，请等待它完成", "Instances of this version are being migrated already; wait for that to end")
	errMigrateNone  = errs.Define(1009023006, errs.Conflict, "该版本没有进行中的流程实例，不需要迁移", "No instance of this version is running; there is nothing to migrate")
)

// migrationPlan says which instances go where.
type migrationPlan struct {
	SourceID string `json:"sourceDefinitionId" required:"true" minLength:"1" maxLength:"200" doc:"原版本|From version"`
	TargetID string `json:"targetDefinitionId" required:"true" minLength:"1" maxLength:"200" doc:"目标版本|To version"`
	// ElementMap names the new element of each one whose id has changed.
	ElementMap map[string]string `json:"elementMap" doc:"节点对应关系|Elements that changed their id"`
	Recompute  bool              `json:"recompute" doc:"定时器按新版本重新计算|Start timers anew by the new version"`
}

// versions are the two ends of a plan.
type versions struct {
	source, target runtime.Definition
	from, to       *bpmn.Process
}

// versionsOf reads the two versions and refuses a plan that cannot mean anything.
func (s *Service) versionsOf(ctx context.Context, p migrationPlan) (v versions, err error) {
	for id, at := range map[string]*runtime.Definition{p.SourceID: &v.source, p.TargetID: &v.target} {
		if *at, err = s.engine.FindDefinition(ctx, id); errs.Is(err, runtime.ErrNoDefinition) {
			err = errDefinitionMissing.With()
		}
		if err != nil {
			return v, err
		}
	}
	if v.source.ID == v.target.ID || v.source.Key != v.target.Key {
		return v, errMigrateWhere.With()
	}
	if v.from, err = s.engine.Process(ctx, p.SourceID); err != nil {
		return v, err
	}
	if v.to, err = s.engine.Process(ctx, p.TargetID); err != nil {
		return v, err
	}
	for from, to := range p.ElementMap {
		if nodeOf(v.from, from) == nil || nodeOf(v.to, to) == nil {
			return v, errs.Field("elementMap", "节点对应关系中有不存在的节点："+clip(from)+" → "+clip(to), "the map names an element that does not exist: "+clip(from)+" → "+clip(to))
		}
	}
	return v, nil
}

// MigrationReport is a trial: what would become of each instance. Nothing is changed.
type MigrationReport struct {
	// Total counts the running instances; Checked of them stand in the list.
	Total    int64              `json:"total"`
	Checked  int                `json:"checked"`
	Fit      int                `json:"fit"`
	List     []MigrationTrial   `json:"list"`
	Elements []MigrationElement `json:"elements"`
	Targets  []PlaceTarget      `json:"targets"`
}

// MigrationTrial is one instance in a trial; without problems it goes.
type MigrationTrial struct {
	ProcessInstanceID string             `json:"processInstanceId"`
	Name              string             `json:"name"`
	StartTime         int64              `json:"startTime"`
	Problems          []MigrationProblem `json:"problems"`
}

// MigrationProblem is why an instance does not go, in plain words.
type MigrationProblem struct {
	ElementID   string `json:"elementId"`
	ElementName string `json:"elementName"`
	Text        string `json:"text"`
}

// MigrationElement is an element of the old version: where it leads by the plan, and how
// many of the instances looked at are there.
type MigrationElement struct {
	PlaceTarget
	// TargetID is empty where the new version has no element for it.
	TargetID  string `json:"targetId"`
	Instances int    `json:"instances"`
}

const (
	sqlRunningOf      = `SELECT id FROM wf_instance WHERE tenant_id = :tenant AND definition_id = :definition AND status <> 2 AND id > :after ORDER BY id LIMIT :max`
	sqlCountRunningOf = `SELECT COUNT(*) FROM wf_instance WHERE tenant_id = :tenant AND definition_id = :definition AND status <> 2`
)

// checkMigration tries a plan on the running instances without changing anything.
func (s *Service) checkMigration(ctx context.Context, in migrationPlan) (MigrationReport, error) {
	out := MigrationReport{List: []MigrationTrial{}, Elements: []MigrationElement{}, Targets: []PlaceTarget{}}
	v, err := s.versionsOf(ctx, in)
	if err != nil {
		return out, err
	}
	if out.Total, err = store.One[int64](ctx, sqlCountRunningOf, store.Args{"definition": in.SourceID}); err != nil {
		return out, err
	}
	ids, err := store.Select[string](ctx, sqlRunningOf, store.Args{"definition": in.SourceID, "after": "", "max": maxChecked})
	if err != nil {
		return out, err
	}
	at := map[string]int{}
	for _, id := range ids {
		view, err := s.engine.Load(ctx, id)
		if err != nil {
			return out, err
		}
		if view.Definition.ID != in.SourceID || view.State.Instance.Status == engine.Ended {
			continue // it went on meanwhile
		}
		seen := []string{}
		for _, t := range view.State.Tokens {
			if movable(t) && !slices.Contains(seen, t.Element) {
				seen = append(seen, t.Element)
				at[t.Element]++
			}
		}
		trial := MigrationTrial{ProcessInstanceID: id, Name: view.State.Instance.Name, StartTime: view.State.Instance.StartedAt,
			Problems: s.problems(ctx, v.from, engine.MigrationProblems(v.from, v.to, view.State, in.ElementMap))}
		if len(trial.Problems) == 0 {
			out.Fit++
		}
		out.List = append(out.List, trial)
	}
	out.Checked = len(out.List)
	for i := range v.from.Nodes {
		n := &v.from.Nodes[i]
		out.Elements = append(out.Elements, MigrationElement{PlaceTarget: placeTarget(n), TargetID: in.targetOf(v.to, n), Instances: at[n.ID]})
	}
	for i := range v.to.Nodes {
		out.Targets = append(out.Targets, placeTarget(&v.to.Nodes[i]))
	}
	// First those that do not go: they are what the reader has to decide about.
	slices.SortStableFunc(out.List, func(a, b MigrationTrial) int { return min(len(b.Problems), 1) - min(len(a.Problems), 1) })
	return out, nil
}

func placeTarget(n *bpmn.Node) PlaceTarget {
	return PlaceTarget{ElementID: n.ID, ElementName: n.Name, ElementType: n.Kind.String()}
}

// targetOf is the element of the new version that stands for one of the old.
func (p migrationPlan) targetOf(to *bpmn.Process, n *bpmn.Node) string {
	id := n.ID
	if mapped, ok := p.ElementMap[id]; ok {
		id = mapped
	}
	if found := nodeOf(to, id); found == nil || found.Kind != n.Kind {
		return ""
	}
	return id
}

// problems gives the reader's half of what the engine says.
func (s *Service) problems(ctx context.Context, from *bpmn.Process, list []engine.MigrationProblem) []MigrationProblem {
	out := make([]MigrationProblem, len(list))
	for i, p := range list {
		out[i] = MigrationProblem{ElementID: p.Element, Text: oneLanguage(ctx, p.Reason)}
		if n := nodeOf(from, p.Element); n != nil {
			out[i].ElementName = n.Name
		}
	}
	return out
}
