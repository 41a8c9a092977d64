package identity

import (
	"context"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/store"
)

// Plan is an organisation to be made at once: demonstration data, or the first import of
// a university. Names stand for ids: departments by name, posts and roles by code.
type Plan struct {
	// PasswordHash is shared by all users of the plan: hashing for each would take minutes.
	PasswordHash string
	Depts        []PlanDept
	Posts        []Post
	Users        []PlanUser
}

// PlanDept is a department; Parent must stand before it.
type PlanDept struct {
	Name, Parent string
	Sort         int
	// Leader is the user name of its head.
	Leader string
}

// PlanUser is a user; Type 0 means 2.
type PlanUser struct {
	Username, Nickname, Dept string
	Email, Mobile            string
	Introduction             string
	Type, Sex                int
	Posts, Roles             []string
}

// Organisation tells the ids of what a plan names.
type Organisation struct {
	Depts map[string]int64
	Posts map[string]int64
	Users map[string]int64
}

// DemoOrganisation makes what the plan names in the tenant of ctx, as the system, with
// all checks of the calls. What exists under the same name stays as it is.
func (s *Service) DemoOrganisation(ctx context.Context, plan Plan) (Organisation, error) {
	o := Organisation{Depts: map[string]int64{}, Posts: map[string]int64{}, Users: map[string]int64{}}
	ctx = actor.AsSystem(ctx, actor.From(ctx).TenantID)
	err := store.Write(ctx, func(ctx context.Context) error {
		if err := s.planDepts(ctx, plan, o); err != nil {
			return err
		}
		for _, p := range plan.Posts {
			id, ok, err := store.Get[int64](ctx, sqlPostByCode, store.Args{"code": p.Code})
			if err == nil && !ok {
				err = posts.Insert(ctx, &p)
				id = p.ID
			}
			if err != nil {
				return err
			}
			o.Posts[p.Code] = id
		}
		for _, u := range plan.Users {
			if err := s.planUser(ctx, plan, u, o); err != nil {
				return err
			}
		}
		return s.planLeaders(ctx, plan, o)
	})
	return o, err
}

func (s *Service) planDepts(ctx context.Context, plan Plan, o Organisation) error {
	for _, d := range plan.Depts {
		row := Dept{Name: d.Name, ParentID: o.Depts[d.Parent], Sort: d.Sort}
		id, ok, err := store.Get[int64](ctx, sqlDeptByName, store.Args{"parent": row.ParentID, "name": row.Name})
		if err == nil && !ok {
			if err = s.checkDept(ctx, nil, &row); err == nil {
				err = depts.Insert(ctx, &row)
			}
			id = row.ID
		}
		if err != nil {
			return err
		}
		o.Depts[d.Name] = id
	}
	return s.rightsChanged(ctx)
}

func (s *Service) planUser(ctx context.Context, plan Plan, u PlanUser, o Organisation) error {
	id, ok, err := s.UserIDByName(ctx, u.Username)
	if err == nil && !ok {
		in := NewUser{Username: u.Username, Nickname: u.Nickname, PasswordHash: plan.PasswordHash, Email: u.Email, Mobile: u.Mobile,
			Introduction: u.Introduction, Type: u.Type, Sex: u.Sex, DeptID: o.Depts[u.Dept], Roles: u.Roles}
		for _, code := range u.Posts {
			in.PostIDs = append(in.PostIDs, o.Posts[code])
		}
		id, err = s.CreateUser(ctx, in)
	}
	o.Users[u.Username] = id
	return err
}

func (s *Service) planLeaders(ctx context.Context, plan Plan, o Organisation) error {
	for _, d := range plan.Depts {
		if d.Leader == "" || o.Users[d.Leader] == 0 {
			continue
		}
		_, err := depts.Change(ctx, o.Depts[d.Name], func(row *Dept) error {
			row.LeaderUserID = o.Users[d.Leader]
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
