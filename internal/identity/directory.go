package identity

import (
	"context"
	"slices"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/store"
)

// UserBrief is what other modules show of a user.
type UserBrief struct {
	ID       int64  `json:"id"`
	Username string `json:"username"`
	Nickname string `json:"nickname"`
	Avatar   string `json:"avatar"`
	DeptID   int64  `json:"deptId"`
	DeptName string `json:"deptName"`
	UserType int    `json:"userType"`
}

const (
	sqlBriefs = `SELECT u.id, u.username, u.nickname, u.avatar, u.dept_id, u.user_type, COALESCE(d.name, '') AS dept_name FROM system_users u
 LEFT JOIN system_dept d ON d.tenant_id = u.tenant_id AND d.id = u.dept_id WHERE u.tenant_id = :tenant AND u.id IN (:ids)`
	sqlHolders = `SELECT DISTINCT u.id FROM system_users u JOIN system_user_role ur ON ur.tenant_id = u.tenant_id AND ur.user_id = u.id
 JOIN system_role r ON r.tenant_id = u.tenant_id AND r.id = ur.role_id WHERE u.tenant_id = :tenant AND u.deleted = false AND u.status = 0
 AND r.deleted = false AND r.status = 0 AND r.code = :role`
	sqlStudents = `SELECT u.id FROM system_users u WHERE u.tenant_id = :tenant AND u.deleted = false AND u.status = 0 AND u.user_type = 1`
)

// UsersByID gives the users of the tenant of ctx that exist or existed; unknown ids are
// left out.
func (s *Service) UsersByID(ctx context.Context, ids []int64) (map[int64]UserBrief, error) {
	found := make(map[int64]UserBrief, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	for part := range slices.Chunk(ids, 500) {
		err := store.Each(ctx, sqlBriefs, store.Args{"ids": part}, func(u UserBrief) error {
			found[u.ID] = u
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// UserIDByName gives the id of an account name in the tenant of ctx.
func (s *Service) UserIDByName(ctx context.Context, username string) (id int64, ok bool, err error) {
	return store.Get[int64](ctx, sqlUserByName, store.Args{"username": lower(username)})
}

// UsersWithRole gives the enabled users of a role code; with departments given, those
// whose own department is one of them or an ancestor: the secretary of a college stands
// for the institutes below it.
func (s *Service) UsersWithRole(ctx context.Context, code string, deptIDs []int64) ([]int64, error) {
	q := store.Build(sqlHolders, store.Args{"role": code})
	if code == roleStudent {
		q = store.Build(sqlStudents, nil)
	}
	if deptIDs != nil {
		tree, err := readDeptTree(ctx)
		if err != nil {
			return nil, err
		}
		var admitted []int64
		for _, id := range deptIDs {
			admitted = append(admitted, tree.ancestors(id)...)
		}
		q.If(true, " AND u.dept_id IN (:depts)", "depts", admitted)
	}
	q.Add(" ORDER BY u.id")
	return store.Select[int64](ctx, q.SQL(), q.Args())
}

// DeptSubtree is a department of the tenant of ctx and all below it; empty for an
// unknown one.
func (s *Service) DeptSubtree(ctx context.Context, id int64) ([]int64, error) {
	tree, err := readDeptTree(ctx)
	return tree.subtree(id), err
}

// DeptAncestors is a department and all above it, upwards.
func (s *Service) DeptAncestors(ctx context.Context, id int64) ([]int64, error) {
	tree, err := readDeptTree(ctx)
	return tree.ancestors(id), err
}

// DeptNames gives the names of all departments of the tenant of ctx by id.
func (s *Service) DeptNames(ctx context.Context) (map[int64]string, error) {
	tree, err := readDeptTree(ctx)
	names := make(map[int64]string, len(tree.list))
	for _, d := range tree.list {
		names[d.ID] = d.Name
	}
	return names, err
}

// ScopeDepts is the data scope of the actor: all is true when nothing limits him,
// otherwise rows of depts, and his own when self is set.
func (s *Service) ScopeDepts(ctx context.Context) (all bool, depts []int64, self bool) {
	who := actor.From(ctx)
	return wide(who), who.Scope.Depts, who.Scope.Self
}

// UserChanged makes a change in force that another module made to what a user is or
// sees, inside a Write.
func (s *Service) UserChanged(ctx context.Context, user int64) error {
	return s.userChanged(ctx, actor.From(ctx).TenantID, user)
}
