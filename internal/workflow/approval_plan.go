package workflow

import (
	"context"
	"fmt"

	"github.com/maypok86/otter/v2"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/store"
)

// plan is what the approval layer needs of a deployed version. None of it ever changes,
// so plans are kept in memory.
type plan struct {
	known      bool // false: the version was deployed without a model
	definition ProcessDefinition
	rules      map[string]AssignRule
	fields     []formField
}

const (
	maxPlans = 500

	sqlPlan = `SELECT * FROM bpm_process_definition_info t WHERE t.tenant_id = :tenant AND t.deleted = false AND t.definition_id = :id`
)

func newPlans() *otter.Cache[string, *plan] {
	return otter.Must(&otter.Options[string, *plan]{MaximumSize: maxPlans})
}

func (s *Service) planOf(ctx context.Context, definition string) (*plan, error) {
	key := fmt.Sprint(actor.From(ctx).TenantID, ":", definition)
	if p, ok := s.plans.GetIfPresent(key); ok {
		return p, nil
	}
	p := &plan{}
	var err error
	if p.definition, p.known, err = store.Get[ProcessDefinition](ctx, sqlPlan, store.Args{"id": definition}); err != nil || !p.known {
		return p, err
	}
	if p.rules, err = rulesOf(ctx, definition); err != nil {
		return nil, err
	}
	p.fields = formFields(p.definition.FormFields.V)
	s.plans.Set(key, p)
	return p, nil
}

func (p *plan) settings() ModelSettings { return p.definition.Settings.V }
