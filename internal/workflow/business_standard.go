package workflow

import (
	"context"
	"fmt"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/store"
)

// StandardModel is what a tenant's model of a process begins as. An unknown category is
// left out.
type StandardModel struct {
	Name, Description, Category string
	CreatePath, ViewPath        string
	XML                         string
}

// sqlTenantLock makes one of two first submissions in a tenant wait for the other.
const (
	sqlTenantLock     = `SELECT id FROM system_tenant WHERE id = :of FOR UPDATE`
	sqlTenantsWithout = `SELECT t.id FROM system_tenant t WHERE t.deleted = false
 AND NOT EXISTS (SELECT 1 FROM bpm_model m WHERE m.tenant_id = t.id AND m.key = :key AND m.deleted = false) ORDER BY t.id`
)

// InstallStandards gives every tenant a model of each owned process, deployed, unless it
// has one. Tenants that are made later get theirs with the first submission.
func (s *Service) InstallStandards(ctx context.Context) error {
	for _, b := range s.business {
		across := store.AcrossTenants(ctx, "workflow: which tenants lack a standard process")
		tenants, err := store.Select[int64](across, sqlTenantsWithout, store.Args{"key": b.Process})
		if err != nil {
			return err
		}
		for _, tenant := range tenants {
			if err := s.installStandard(actor.AsSystem(ctx, tenant), b); err != nil {
				return fmt.Errorf("tenant %d: %w", tenant, err)
			}
		}
	}
	return nil
}

// installStandard makes and deploys the standard model in the tenant of ctx. A model of
// the key that was never deployed is somebody's draft and is left alone.
func (s *Service) installStandard(ctx context.Context, b Business) error {
	tenant := actor.From(ctx).TenantID
	return store.Write(actor.AsSystem(ctx, tenant), func(ctx context.Context) error {
		if _, _, err := store.Get[int64](ctx, sqlTenantLock, store.Args{"of": tenant}); err != nil {
			return err
		}
		_, taken, err := store.Get[int64](ctx, sqlModelByKey, store.Args{"key": b.Process})
		if err != nil || taken || b.Standard.XML == "" {
			return err
		}
		set := defaultSettings()
		set.AllowCancelRunningProcess = false
		in := ModelInput{Key: b.Process, Name: b.Standard.Name, Description: b.Standard.Description, BpmnXML: b.Standard.XML,
			FormType: FormBusiness, FormCustomCreatePath: b.Standard.CreatePath, FormCustomViewPath: b.Standard.ViewPath, ModelSettings: set}
		if name, err := s.categoryName(ctx, b.Standard.Category); err != nil {
			return err
		} else if name != "" {
			in.Category = b.Standard.Category
		}
		model, err := s.addModel(ctx, in)
		if err == nil {
			_, err = s.Deploy(ctx, model)
		}
		return err
	})
}
