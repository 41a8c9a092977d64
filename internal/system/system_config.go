package system

import (
	"context"
	"regexp"
	"strings"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Site is how the product presents itself in a tenant: its title, its logo, and the text
// under forms that need a signature. On the wire its id is always 1 (specification §7).
type Site struct {
	ID              int64  `json:"id"`
	Name            string `json:"name"`
	SignDescription string `json:"signDescription"`
	URL             string `json:"url"`
	table.Meta
}

var sites = table.New[Site]("system_site", "系统设置")

// siteID is the only id that the calls know.
const siteID = 1

// defaultName stands until somebody chooses a title; web/src/layout/systemTitle.ts and
// web/index.html say the same when no answer comes.
const defaultName = "论文申请系统"

func mountSystemConfig(m *web.Module) {
	web.Get(m, "/system-config/get", web.Public, getSite, web.Title("系统设置"))
	web.Put(m, "/system-config/update", web.Perm("thesis:system-config:update"), updateSite, web.Title("修改系统设置"))
}

// SiteView is the answer of the public call.
type SiteView struct {
	ID              int64  `json:"id"`
	Name            string `json:"name"`
	SignDescription string `json:"signDescription"`
	URL             string `json:"url"`
	Version         int    `json:"version"`
}

const sqlSite = `SELECT * FROM system_site WHERE tenant_id = :tenant AND deleted = false`

type siteIn struct {
	ID int64 `query:"id" default:"1" doc:"编号|Id"`
}

func getSite(ctx context.Context, in siteIn) (SiteView, error) {
	if in.ID != siteID {
		return SiteView{}, errs.ErrNoRecord.With()
	}
	row, ok, err := store.Get[Site](ctx, sqlSite, nil)
	if err == nil && !ok {
		row.Name = defaultName
	}
	return SiteView{ID: siteID, Name: row.Name, SignDescription: row.SignDescription, URL: row.URL, Version: row.Version}, err
}

type updateSiteIn struct {
	ID              int64  `json:"id" doc:"编号|Id"`
	Name            string `json:"name" required:"true" minLength:"1" maxLength:"100" doc:"系统名称|Name"`
	SignDescription string `json:"signDescription" maxLength:"2000" doc:"签名说明|Sign text"`
	URL             string `json:"url" maxLength:"500" doc:"Logo|Logo"`
	Version         int    `json:"version" doc:"版本|Version"`
}

// logoForm is a public picture of our own file store; no page may load pictures from
// elsewhere.
var logoForm = regexp.MustCompile(`^(/[A-Za-z0-9_\-/]*)?/admin-api/infra/file/[0-9]+/get/[A-Za-z0-9_\-./]+$`)

func updateSite(ctx context.Context, in updateSiteIn) (bool, error) {
	if in.ID != 0 && in.ID != siteID {
		return false, errs.ErrNoRecord.With()
	}
	name := strings.TrimSpace(strings.ReplaceAll(in.Name, "\x00", ""))
	if name == "" {
		return false, errs.Field("name", i18n.Pick(ctx, "系统名称 不能为空", "Name is required"))
	}
	if in.URL != "" && (!logoForm.MatchString(in.URL) || strings.Contains(in.URL, "..")) {
		return false, errs.Field("url", i18n.Pick(ctx, "Logo 请使用上传的图片", "Logo must be an uploaded picture"))
	}
	old, ok, err := store.Get[Site](ctx, sqlSite, nil)
	if err != nil {
		return false, err
	}
	text := strings.ReplaceAll(in.SignDescription, "\x00", "")
	if !ok {
		return true, sites.Insert(ctx, &Site{Name: name, SignDescription: text, URL: in.URL})
	}
	_, err = sites.Change(ctx, old.ID, func(row *Site) error {
		if in.Version != 0 && in.Version != row.Version {
			return errs.ErrStale.With()
		}
		row.Name, row.SignDescription, row.URL = name, text, in.URL
		return nil
	})
	return err == nil, err
}

// seedSystemConfig gives a new tenant its row.
func seedSystemConfig(ctx context.Context) error {
	_, ok, err := store.Get[Site](ctx, sqlSite, nil)
	if err != nil || ok || actor.From(ctx).TenantID == 0 {
		return err
	}
	return sites.Insert(ctx, &Site{Name: defaultName, SignDescription: "我已认真阅读并承诺所填内容真实、准确，电子签名与手写签名具有同等效力。"})
}
