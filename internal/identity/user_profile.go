package identity

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/errs"
	"viva/internal/kernel/password"
	"viva/internal/kernel/store"
	"viva/internal/kernel/web"
)

// IDName is a row of another entity in an answer.
type IDName struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// Profile is what a user sees of himself in the personal centre.
type Profile struct {
	ID           int64     `json:"id"`
	Username     string    `json:"username"`
	Nickname     string    `json:"nickname"`
	Type         int       `json:"type"`
	Email        string    `json:"email"`
	Mobile       string    `json:"mobile"`
	Sex          int       `json:"sex"`
	Avatar       string    `json:"avatar"`
	Introduction string    `json:"introduction"`
	Status       int       `json:"status"`
	DeptID       int64     `json:"deptId"`
	PostIDs      []int64   `json:"postIds"`
	LoginIP      string    `json:"loginIp"`
	LoginDate    *int64    `json:"loginDate" nullable:"true"`
	CreateTime   int64     `json:"createTime"`
	Version      int       `json:"version"`
	Roles        []IDName  `json:"roles"`
	Dept         *DeptNode `json:"dept"`
	Posts        []IDName  `json:"posts"`
	SocialUsers  []any     `json:"socialUsers"`
}

const sqlLastLogin = `SELECT login_ip, login_date FROM system_user_login WHERE tenant_id = :tenant AND user_id = :user`

// profileInputs are what users may change of themselves.
var profileInputs = []string{"nickname", "email", "mobile", "sex", "avatar", "introduction"}

func (s *Service) mountProfile() {
	web.Get(s.m, "/user/profile/get", web.SignedIn, s.profile, web.Title("个人信息"))
	in := inputSchema(s.users.Fields())
	in.Required = nil
	for name := range in.Properties {
		if !slices.Contains(profileInputs, name) {
			delete(in.Properties, name)
		}
	}
	web.Raw(s.m, web.RawCall{Method: http.MethodPut, Path: "/user/profile/update", Access: web.SignedIn, Summary: "修改个人信息",
		In: in, Out: &huma.Schema{Type: "boolean"}, Fn: s.updateProfile})
	web.Put(s.m, "/user/profile/update-password", web.SignedIn, s.changePassword, web.NoTx, web.Title("修改自己的密码"))
	for _, method := range []string{http.MethodPost, http.MethodPut} {
		web.Raw(s.m, web.RawCall{Method: method, Path: "/user/profile/update-avatar", Access: web.SignedIn, Summary: "上传头像",
			StreamBody: true, MaxBytes: 5 << 20, Fn: s.uploadAvatar})
	}
}

func (s *Service) profile(ctx context.Context, _ web.None) (Profile, error) {
	who := actor.From(ctx)
	u, err := users.Get(ctx, who.UserID)
	if err != nil {
		return Profile{}, err
	}
	g, err := s.grantOf(ctx, who.TenantID, who.UserID)
	if err != nil {
		return Profile{}, err
	}
	p := Profile{ID: u.ID, Username: u.Username, Nickname: u.Nickname, Type: u.Type, Email: u.Email, Mobile: u.Mobile, Sex: u.Sex, Avatar: u.Avatar,
		Introduction: u.Introduction, Status: u.Status, DeptID: u.DeptID, PostIDs: append([]int64{}, u.PostIDs.V...), CreateTime: u.CreateTime,
		Version: u.Version, Roles: []IDName{}, Posts: []IDName{}, SocialUsers: []any{}}
	for _, r := range g.roles {
		p.Roles = append(p.Roles, IDName{ID: r.ID, Name: r.Name})
	}
	last, ok, err := store.Get[struct {
		LoginIP   string
		LoginDate int64
	}](ctx, sqlLastLogin, store.Args{"user": u.ID})
	if err != nil {
		return p, err
	}
	if ok {
		p.LoginIP, p.LoginDate = last.LoginIP, &last.LoginDate
	}
	return p, s.completeProfile(ctx, &p)
}

func (s *Service) completeProfile(ctx context.Context, p *Profile) error {
	if p.DeptID != 0 {
		d, err := depts.Get(ctx, p.DeptID)
		if err != nil && !errs.Is(err, errs.ErrNoRecord) {
			return err
		}
		if err == nil {
			p.Dept = &DeptNode{ID: d.ID, Name: d.Name, ParentID: d.ParentID}
		}
	}
	list, err := store.Select[Post](ctx, sqlPostsByID, store.Args{"ids": p.PostIDs})
	for _, post := range list {
		p.Posts = append(p.Posts, IDName{ID: post.ID, Name: post.Name})
	}
	return err
}

// updateProfile binds only profileInputs, so that nobody moves himself to another
// department or renames his account.
func (s *Service) updateProfile(ctx context.Context, r web.RawRequest) (any, error) {
	who := actor.From(ctx)
	_, err := users.Change(ctx, who.UserID, func(u *User) error {
		if _, err := decode(ctx, s.users.Fields(), r.Body, u, profileInputs...); err != nil {
			return err
		}
		if strings.TrimSpace(u.Nickname) == "" {
			u.Nickname = u.Username
		}
		if err := checkAvatar(ctx, u.Avatar); err != nil {
			return err
		}
		return checkUnique(ctx, u)
	})
	return true, either(err, s.userChanged(ctx, who.TenantID, who.UserID))
}

type ownPasswordInput struct {
	OldPassword string `json:"oldPassword" required:"true" minLength:"1" maxLength:"256" doc:"原密码|Old password"`
	NewPassword string `json:"newPassword" required:"true" minLength:"1" maxLength:"256" doc:"新密码|New password"`
}

// changePassword counts wrong old passwords as failed sign-ins, so that a session left
// open is no way to guess the password. The other sessions of the user end.
func (s *Service) changePassword(ctx context.Context, in ownPasswordInput) (bool, error) {
	who := actor.From(ctx)
	u, err := users.Get(ctx, who.UserID)
	if err != nil {
		return false, err
	}
	f, err := failuresOf(ctx, lower(u.Username))
	if err != nil {
		return false, err
	}
	if refusal := f.locked(); refusal != nil {
		return false, refusal
	}
	ok, _, err := password.Verify(ctx, u.Password, in.OldPassword)
	if err != nil {
		return false, hashing(err)
	}
	if !ok {
		err = store.Write(ctx, func(ctx context.Context) error {
			_, err := countFailure(ctx, lower(u.Username))
			return err
		})
		return false, orElse(err, fielded(ctx, errOldPassword.With(), "oldPassword"))
	}
	hash, err := newHash(ctx, "newPassword", u.Username, in.NewPassword)
	if err != nil {
		return false, err
	}
	err = store.Write(ctx, func(ctx context.Context) error { return s.setPassword(ctx, u.ID, hash) })
	return err == nil, err
}

func (s *Service) uploadAvatar(ctx context.Context, r web.RawRequest) (any, error) {
	if s.StoreAvatar == nil {
		return nil, errNoAvatarStore.With()
	}
	file, name, err := r.File("avatarFile")
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	address, err := s.StoreAvatar(ctx, name, file)
	if err != nil {
		return nil, err
	}
	if err := checkAvatar(ctx, address); err != nil {
		return nil, err
	}
	who := actor.From(ctx)
	return address, store.Write(ctx, func(ctx context.Context) error {
		_, err := users.Change(ctx, who.UserID, func(u *User) error {
			u.Avatar = address
			return nil
		})
		return either(err, s.userChanged(ctx, who.TenantID, who.UserID))
	})
}
