package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/audit"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/store"
)

// guard resolves session and tenant, checks access and limits, and puts database,
// actor and call into the context. It runs before the input is read.
func (app *App) guard(c *Call) func(huma.Context, func(huma.Context)) {
	return func(h huma.Context, next func(huma.Context)) {
		ctx, cancel := context.WithTimeout(store.Use(h.Context(), app.DB), app.options.Timeout)
		defer cancel()
		r := actor.RequestOf(ctx)
		r.Call = c.Name()
		ctx = actor.WithRequest(ctx, r)
		if s := stateOf(ctx); s != nil {
			s.call = c
		}
		if key := h.Header("Idempotency-Key"); key != "" {
			ctx = context.WithValue(ctx, idempotencyKey{}, key)
		}
		ctx, err := app.admit(ctx, c, h)
		if err != nil {
			answer(huma.WithContext(h, ctx), failure(ctx, err))
			return
		}
		next(huma.WithContext(h, ctx))
	}
}

func (app *App) admit(ctx context.Context, c *Call, h huma.Context) (context.Context, error) {
	token, asked := bearer(h), number(h.Header("tenant-id"))
	if h.Header("X-Api-Encrypt") == "true" {
		return ctx, errs.ErrInvalid.With("X-Api-Encrypt")
	}
	if c.Access.anonymous() {
		return app.admitAnonymous(ctx, c, asked, token)
	}
	if token == "" {
		return ctx, errs.ErrUnauthenticated.With()
	}
	who, err := app.auth.Actor(ctx, token)
	if err != nil {
		return ctx, err
	}
	ctx = actor.With(ctx, who)
	noteActor(ctx, who)
	if !app.limits.allow(who.UserID) {
		h.SetHeader("Retry-After", "1")
		return ctx, errs.ErrLimit.With()
	}
	// Nobody visits another tenant. A client that asks to is told so: ignoring the header
	// would show it this tenant's data as the other's.
	for _, asked := range []int64{asked, number(h.Header("visit-tenant-id"))} {
		if asked != 0 && asked != who.TenantID {
			app.reportForeignTenant(ctx, asked)
			return ctx, errs.ErrForbidden.With()
		}
	}
	if err := app.auth.Tenant(ctx, who.TenantID); err != nil {
		return ctx, err
	}
	return ctx, c.Access.check(who)
}

// defaultTenant answers clients that have no tenant chooser (contract §7).
const defaultTenant = 1

// admitAnonymous finds the tenant of a public call: the header's, else that of the
// caller's session when there is one, else the default.
func (app *App) admitAnonymous(ctx context.Context, c *Call, asked int64, token string) (context.Context, error) {
	if c.Access.kind == publicNoTenant {
		return ctx, nil
	}
	var who actor.Actor
	if token != "" { // sign-out and the like want to know the caller
		if known, err := app.auth.Actor(ctx, token); err == nil && (asked == 0 || known.TenantID == asked) {
			who, asked = known, known.TenantID
		}
	}
	if asked == 0 {
		asked = defaultTenant
	}
	if err := app.auth.Tenant(ctx, asked); err != nil {
		return ctx, err
	}
	who.TenantID = asked
	noteActor(ctx, who)
	return actor.With(ctx, who), nil
}

// reportForeignTenant audits an attempt to act in another tenant.
func (app *App) reportForeignTenant(ctx context.Context, asked int64) {
	app.metrics.foreign.Inc()
	_ = store.Write(ctx, func(ctx context.Context) error {
		return audit.Record(ctx, audit.Entry{Table: "tenant", Title: "租户", RowID: asked, Op: audit.Event, Action: "以其他租户的编号发起请求，已拒绝"})
	})
}

// number reads a header that is absent when it is no number.
func number(header string) int64 {
	n, _ := strconv.ParseInt(header, 10, 64)
	return n
}

// bearer is the access token, with or without the word Bearer. A reading call may carry
// it in its address, for links that a browser follows by itself; the header wins.
func bearer(h huma.Context) string {
	value := h.Header("Authorization")
	if value == "" && h.Method() == http.MethodGet {
		value = h.Query("token")
	}
	if len(value) > 7 && strings.EqualFold(value[:7], "Bearer ") {
		return strings.TrimSpace(value[7:])
	}
	return value
}

// answer writes an envelope outside huma's own path.
func answer(h huma.Context, f *Failure) {
	h.SetHeader("Content-Type", "application/json")
	h.SetStatus(f.status)
	_ = jsonFormat.Marshal(h.BodyWriter(), f)
}

func (app *App) noRoute(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, Prefix)
	err := errs.ErrNoRoute.With(r.URL.Path)
	for _, c := range app.calls {
		if c.Path == path {
			err = errs.ErrMethod.With()
		}
	}
	f := failure(r.Context(), err)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.status)
	_ = jsonFormat.Marshal(w, f)
}
