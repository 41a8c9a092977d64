package identity

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/clock"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Tenant is one customer: a university. The system tenant has package 0, holds the
// platform's administrators and can neither be changed nor deleted by calls.
type Tenant struct {
	ID            int64                `json:"id"`
	Name          string               `json:"name" label:"租户名|Tenant" in:"required,max=30" q:"like"`
	ContactName   string               `json:"contactName" label:"联系人|Contact" in:"required,max=30" q:"like"`
	ContactMobile string               `json:"contactMobile" label:"联系手机|Mobile" in:"kind=mobile" q:"like"`
	ContactUserID int64                `json:"contactUserId"`
	Status        int                  `json:"status" label:"状态|Status" in:"dict=common_status,min=0,max=1" q:"eq"`
	Websites      store.JSON[[]string] `json:"websites" label:"绑定域名|Web sites" in:"kind=names"`
	PackageID     int64                `json:"packageId" label:"租户套餐|Package" in:"required,ref=system_tenant_package:/system/tenant-package/simple-list"`
	ExpireTime    int64                `json:"expireTime" label:"过期时间|Expires" in:"required,kind=time"`
	AccountCount  int                  `json:"accountCount" label:"账号额度|Accounts" in:"required,min=1,max=1000000"`
	table.Stamp
}

var tenants = table.New[Tenant]("system_tenant", "租户")

// tenantState is what every call needs to know of its tenant. menus are those of its
// package without the operator's, nil when the tenant may have all of them.
type tenantState struct {
	row   Tenant
	menus map[int64]bool
}

const (
	sqlTenant        = `SELECT * FROM system_tenant WHERE deleted = false AND id = :id`
	sqlTenantByName  = `SELECT id FROM system_tenant WHERE deleted = false AND name = :name`
	sqlTenantSites   = `SELECT id, name, websites FROM system_tenant WHERE deleted = false AND status = 0 AND websites LIKE :website ESCAPE '\'`
	sqlTenantNames   = `SELECT id, name FROM system_tenant WHERE deleted = false AND status = 0 AND expire_time > :now ORDER BY id LIMIT 1000`
	sqlTenantsOf     = `SELECT id FROM system_tenant WHERE deleted = false AND package_id = :package ORDER BY id`
	sqlTenantIDs     = `SELECT id FROM system_tenant WHERE deleted = false ORDER BY id`
	sqlPackageMenus  = `SELECT menu_ids FROM system_tenant_package WHERE deleted = false AND id = :id`
	sqlTenantSession = `DELETE FROM system_session WHERE tenant_id = :tenant RETURNING access_hash`
)

// Tenant refuses a tenant that is unknown, disabled or expired; part of web.Authenticator.
func (s *Service) Tenant(ctx context.Context, id int64) error {
	t, err := s.tenant(ctx, id)
	switch {
	case err != nil:
		return err
	case t.row.ID == 0:
		return errTenantUnknown.With()
	case t.row.Status != 0:
		return errTenantDisabled.With(t.row.Name)
	case t.row.ExpireTime < clock.Millis():
		return errTenantExpired.With(t.row.Name)
	}
	return nil
}

// tenant gives the state of a tenant, zero when there is none.
func (s *Service) tenant(ctx context.Context, id int64) (tenantState, error) {
	return s.state.tenants.get(ctx, id, func(ctx context.Context) (tenantState, error) {
		row, ok, err := store.Get[Tenant](ctx, sqlTenant, store.Args{"id": id})
		if err != nil || !ok || row.PackageID == 0 {
			return tenantState{row: row}, err
		}
		ids, _, err := store.Get[store.JSON[[]int64]](ctx, sqlPackageMenus, store.Args{"id": row.PackageID})
		if err != nil {
			return tenantState{}, err
		}
		tree, err := s.menuTree(ctx)
		if err != nil {
			return tenantState{}, err
		}
		return tenantState{row: row, menus: setOf(tree.admissible(ids.V))}, nil
	})
}

func setOf(ids []int64) map[int64]bool {
	set := make(map[int64]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// platform reports whether the caller acts in the system tenant.
func (s *Service) platform(ctx context.Context) (bool, error) {
	t, err := s.tenant(ctx, actor.From(ctx).TenantID)
	return t.row.ID != 0 && t.row.PackageID == 0, err
}

// platformOnly hides the rows of shared tables from callers of other tenants.
func (s *Service) platformOnly(ctx context.Context, q *store.Query) {
	if ok, err := s.platform(ctx); !ok || err != nil {
		q.Add(" AND 1 = 0")
	}
}

func (s *Service) mountTenants() {
	r := crud.Mount[Tenant](s.m, "tenant", "租户|Tenant", crud.Without("create"))
	r.Scope = s.platformOnly
	r.BeforeSave = s.checkTenant
	r.AfterSave = func(ctx context.Context, old, row *Tenant) error { return s.tenantChanged(ctx, old, row) }
	r.BeforeDelete = s.deleteTenant
	s.tenantFields = r.Fields()
	web.Raw(s.m, web.RawCall{Method: http.MethodPost, Path: "/tenant/create", Access: web.Perm("system:tenant:create"), Summary: "新增租户",
		In: inputSchema(r.Fields(), "username", "password"), Out: &huma.Schema{Type: "integer"}, Options: []web.Option{web.NoTx}, Fn: s.createTenant})
	web.Get(s.m, "/tenant/get-id-by-name", web.PublicNoTenant, s.tenantIDByName, web.Title("按名称查租户编号"))
	web.Get(s.m, "/tenant/get-by-website", web.PublicNoTenant, s.tenantByWebsite, web.Title("按域名查租户"))
	web.Get(s.m, "/tenant/simple-list", web.PublicNoTenant, s.tenantNames, web.Title("可登录的租户"))
	describeCalls(s.app, "system/tenant", "create")
}

// describeCalls tells the page generator about derived calls that are written by hand.
func describeCalls(app *web.App, entity string, calls ...string) {
	d := app.Entities[entity].(crud.Description)
	d.Calls = append(d.Calls, calls...)
	slices.Sort(d.Calls)
	app.Entities[entity] = d
}

type byName struct {
	Name string `query:"name" maxLength:"100" doc:"租户名|Tenant"`
}

// tenantIDByName answers null for an unknown name: clients wait for ever on an error.
func (s *Service) tenantIDByName(ctx context.Context, in byName) (*int64, error) {
	id, ok, err := store.Get[int64](ctx, sqlTenantByName, store.Args{"name": strings.TrimSpace(in.Name)})
	if err != nil || !ok {
		return nil, err
	}
	return &id, nil
}

// TenantName is a tenant as people who are not signed in see it.
type TenantName struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type byWebsite struct {
	Website string `query:"website" required:"true" maxLength:"260" doc:"域名|Web site"`
}

var websiteForm = regexp.MustCompile(`^[a-zA-Z0-9.-]{1,253}(:\d{1,5})?$`)

func (s *Service) tenantByWebsite(ctx context.Context, in byWebsite) (*TenantName, error) {
	if !websiteForm.MatchString(in.Website) {
		return nil, say(ctx, "website", "域名格式不正确，例如 thesis.example.edu 或 127.0.0.1:8080", "not a host such as thesis.example.edu or 127.0.0.1:8080")
	}
	row, err := findBySite(ctx, in.Website)
	if err != nil || row == nil {
		return nil, err
	}
	return &TenantName{ID: row.ID, Name: row.Name}, nil
}

func findBySite(ctx context.Context, site string) (*Tenant, error) {
	rows, err := store.Select[Tenant](ctx, sqlTenantSites, store.Args{"website": store.Contains(`"` + site + `"`)})
	for i, row := range rows {
		if slices.ContainsFunc(row.Websites.V, func(w string) bool { return strings.EqualFold(w, site) }) {
			return &rows[i], nil
		}
	}
	return nil, err
}

func (s *Service) tenantNames(ctx context.Context, _ web.None) ([]TenantName, error) {
	return store.Select[TenantName](ctx, sqlTenantNames, store.Args{"now": clock.Millis()})
}

func (s *Service) checkTenant(ctx context.Context, old, row *Tenant) error {
	if old != nil && old.PackageID == 0 {
		return errTenantSystem.With()
	}
	if ok, err := s.platform(ctx); err != nil || !ok && actor.From(ctx).Kind != actor.System {
		return orElse(err, errs.ErrForbidden.With())
	}
	id, ok, err := store.Get[int64](ctx, sqlTenantByName, store.Args{"name": row.Name})
	if err != nil || ok && id != row.ID {
		return orElse(err, fielded(ctx, errTenantName.With(row.Name), "name"))
	}
	if row.Websites.V == nil {
		row.Websites.V = []string{}
	}
	for _, site := range row.Websites.V {
		if !websiteForm.MatchString(site) {
			return say(ctx, "websites", "域名“"+site+"”格式不正确，例如 thesis.example.edu", site+" is not a host such as thesis.example.edu")
		}
		other, err := findBySite(ctx, site)
		if err != nil || other != nil && other.ID != row.ID {
			return orElse(err, fielded(ctx, errTenantWebsite.With(site), "websites"))
		}
	}
	if old != nil && old.PackageID == row.PackageID || row.PackageID == 0 {
		return nil
	}
	p, err := packages.Get(ctx, row.PackageID)
	switch {
	case errs.Is(err, errs.ErrNoRecord):
		return fielded(ctx, errPackageUnknown.With(), "packageId")
	case err != nil:
		return err
	case p.Status != 0:
		return fielded(ctx, errPackageDisabled.With(p.Name), "packageId")
	}
	return nil
}

// orElse gives the error that happened, else the refusal.
func orElse(err error, refusal *errs.Error) error {
	if err != nil {
		return err
	}
	return refusal
}

// fielded puts a refusal on an input field.
func fielded(ctx context.Context, e *errs.Error, name string) *errs.Error {
	e.Fields = []errs.FieldError{{Name: name, Msg: e.Text(i18n.Lang(ctx))}}
	return e
}

func (s *Service) tenantChanged(ctx context.Context, old, row *Tenant) error {
	if old != nil && old.PackageID != row.PackageID {
		if err := s.applyPackage(ctx, row.ID, row.PackageID); err != nil {
			return err
		}
	}
	return s.rightsChanged(ctx)
}

func (s *Service) deleteTenant(ctx context.Context, row Tenant) error {
	if row.PackageID == 0 {
		return errTenantSystem.With()
	}
	inside := actor.AsSystem(ctx, row.ID)
	hashes, err := store.Select[string](inside, sqlTenantSession, nil)
	if err != nil {
		return err
	}
	for _, hash := range hashes {
		if err := s.changed(ctx, "session "+hash); err != nil {
			return err
		}
	}
	return s.rightsChanged(ctx)
}

// NewTenant is a tenant with its first administrator. Password may be empty when
// PasswordHash is given.
type NewTenant struct {
	Tenant
	Username, Password, PasswordHash string
}

// createTenant hashes outside the transaction, hence by hand.
func (s *Service) createTenant(ctx context.Context, r web.RawRequest) (any, error) {
	if ok, err := s.platform(ctx); err != nil || !ok {
		return nil, orElse(err, errs.ErrForbidden.With())
	}
	var in NewTenant
	body, err := decode(ctx, s.tenantFields, r.Body, &in.Tenant)
	if err != nil {
		return nil, err
	}
	in.Username, in.Password = textOf(body["username"]), textOf(body["password"])
	return s.CreateTenant(ctx, in)
}

// CreateTenant makes a tenant with its roles, what every module seeds, and its first
// administrator. The caller is the system or acts in the system tenant.
func (s *Service) CreateTenant(ctx context.Context, in NewTenant) (id int64, err error) {
	if in.PackageID <= 0 {
		return 0, fielded(ctx, errPackageUnknown.With(), "packageId")
	}
	admin := NewUser{Username: in.Username, Nickname: in.ContactName, Mobile: in.ContactMobile, Roles: []string{roleTenantAdmin}}
	if admin.PasswordHash, err = hashOf(ctx, in.Username, in.Password, in.PasswordHash); err != nil {
		return 0, err
	}
	row := in.Tenant
	err = store.Write(ctx, func(ctx context.Context) error {
		if err := s.checkTenant(ctx, nil, &row); err != nil {
			return err
		}
		if err := tenants.Insert(ctx, &row); err != nil {
			return err
		}
		if err := s.rightsChanged(ctx); err != nil {
			return err
		}
		inside := actor.AsSystem(ctx, row.ID)
		if err := s.seedInto(inside, row.PackageID); err != nil {
			return err
		}
		contact, err := s.CreateUser(inside, admin)
		if err != nil {
			return err
		}
		_, err = tenants.Change(ctx, row.ID, func(t *Tenant) error {
			t.ContactUserID = contact
			return nil
		})
		return err
	})
	return row.ID, err
}
