package web

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
)

// Operator is the tenant that runs the installation. It is the first there is, and its
// administrators alone change what all tenants share.
const Operator = 1

// OperatorOnly refuses the actors of other tenants with ErrForbidden.
func OperatorOnly(ctx context.Context) error {
	if actor.From(ctx).TenantID != Operator {
		return errs.ErrForbidden.With()
	}
	return nil
}
