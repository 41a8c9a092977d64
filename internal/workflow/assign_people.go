package workflow

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"viva/internal/kernel/store"
)

// Looking people up for assignments. Everything here sees the whole tenant, whatever the
// data scope of the caller: who decides must not depend on who asks. Lists keep the order
// in which they were named, since sequential approval follows it.

const (
	sqlUsersOfRoles = `SELECT DISTINCT u.id FROM system_user_role ur JOIN system_role r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id AND r.deleted = false AND r.status = 0
 JOIN system_users u ON u.tenant_id = ur.tenant_id AND u.id = ur.user_id WHERE ur.tenant_id = :tenant AND ur.role_id IN (:ids) AND u.deleted = false AND u.status = 0 ORDER BY u.id`
	sqlUsersOfRoleCodes = `SELECT DISTINCT u.id FROM system_role r JOIN system_user_role ur ON ur.tenant_id = r.tenant_id AND ur.role_id = r.id
 JOIN system_users u ON u.tenant_id = r.tenant_id AND u.id = ur.user_id WHERE r.tenant_id = :tenant AND r.code IN (:codes) AND r.deleted = false AND r.status = 0
 AND u.deleted = false AND u.status = 0 ORDER BY u.id`
	sqlUsersOfDepts = `SELECT id FROM system_users WHERE tenant_id = :tenant AND dept_id IN (:ids) AND deleted = false AND status = 0 ORDER BY id`
	sqlUsersOfPost  = `SELECT id FROM system_users WHERE tenant_id = :tenant AND deleted = false AND status = 0
 AND replace(replace(post_ids, '[', ','), ']', ',') LIKE :post ORDER BY id`
	sqlUsersNamed  = `SELECT id FROM system_users WHERE tenant_id = :tenant AND deleted = false AND status = 0 AND username IN (:names) ORDER BY id`
	sqlMembersOf   = `SELECT member_user_ids FROM bpm_user_group WHERE tenant_id = :tenant AND deleted = false AND status = 0 AND id IN (:ids) ORDER BY id`
	sqlDeptLeaders = `SELECT id, parent_id, leader_user_id FROM system_dept WHERE tenant_id = :tenant AND deleted = false`
	sqlDeptOfUser  = `SELECT dept_id FROM system_users WHERE tenant_id = :tenant AND id = :id`
)

// maxAsked is how many people a task may ask, as many as the engine allows items.
const maxAsked = 1000

// enabledUsers keeps those users of the tenant who can act, in the order given.
func enabledUsers(ctx context.Context, ids []int64) ([]int64, error) {
	ids = distinct(ids)
	if len(ids) == 0 {
		return nil, nil
	}
	if len(ids) > maxAsked {
		return nil, errTooManyAsked.With(maxAsked)
	}
	live, err := store.Select[int64](ctx, sqlUsersUsable, store.Args{"ids": ids})
	return slices.DeleteFunc(ids, func(id int64) bool { return !slices.Contains(live, id) }), err
}

func distinct(ids []int64) []int64 {
	var out []int64
	seen := map[int64]bool{}
	for _, id := range ids {
		if id > 0 && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

func usersOfPosts(ctx context.Context, posts []int64) ([]int64, error) {
	var all []int64
	for _, post := range posts {
		ids, err := store.Select[int64](ctx, sqlUsersOfPost, store.Args{"post": fmt.Sprintf("%%,%d,%%", post)})
		if err != nil {
			return nil, err
		}
		all = append(all, ids...)
	}
	return all, nil
}

func usersOfGroups(ctx context.Context, groups []int64) ([]int64, error) {
	type row struct {
		MemberUserIDs store.JSON[[]int64] `db:"member_user_ids"`
	}
	rows, err := store.Select[row](ctx, sqlMembersOf, store.Args{"ids": groups})
	var all []int64
	for _, r := range rows {
		all = append(all, r.MemberUserIDs.V...)
	}
	return all, err
}

// leaderTree is the departments of a tenant with their heads.
type leaderTree map[int64]leaderNode

type leaderNode struct {
	ID           int64
	ParentID     int64
	LeaderUserID int64
}

func readLeaders(ctx context.Context) (leaderTree, error) {
	rows, err := store.Select[leaderNode](ctx, sqlDeptLeaders, nil)
	tree := make(leaderTree, len(rows))
	for _, d := range rows {
		tree[d.ID] = d
	}
	return tree, err
}

// upward lists the department and those above it, at most levels of them.
func (t leaderTree) upward(dept int64, levels int) []leaderNode {
	var list []leaderNode
	for d, ok := t[dept]; ok && len(list) < levels; d, ok = t[d.ParentID] {
		if slices.ContainsFunc(list, func(x leaderNode) bool { return x.ID == d.ID }) {
			break
		}
		list = append(list, d)
	}
	return list
}

// leadersAbove gives the heads of a department and the levels above it, from below.
func leadersAbove(ctx context.Context, depts []int64, levels int) ([]int64, error) {
	tree, err := readLeaders(ctx)
	var ids []int64
	for _, dept := range depts {
		for _, d := range tree.upward(dept, levels) {
			ids = append(ids, d.LeaderUserID)
		}
	}
	return distinct(ids), err
}

// leaderAt gives the head at a level above the user's department, 1 being its own; above
// the top it is the head of the topmost. 0 when that department has none.
func leaderAt(ctx context.Context, user int64, level int) (int64, error) {
	dept, _, err := store.Get[int64](ctx, sqlDeptOfUser, store.Args{"id": user})
	if err != nil {
		return 0, err
	}
	tree, err := readLeaders(ctx)
	chain := tree.upward(dept, level)
	if err != nil || len(chain) == 0 {
		return 0, err
	}
	return chain[len(chain)-1].LeaderUserID, nil
}

// idsIn reads user or department ids out of a value of a form: a number, a text of
// numbers, or a list of either.
func idsIn(v any) []int64 {
	switch x := v.(type) {
	case nil, bool:
		return nil
	case int64:
		return []int64{x}
	case int:
		return []int64{int64(x)}
	case json.Number:
		return idsIn(x.String())
	case string:
		ids, _ := parseIDs(x)
		return ids
	case []any:
		var ids []int64
		for _, one := range x {
			ids = append(ids, idsIn(one)...)
		}
		return ids
	case []int64:
		return x
	case map[string]any:
		return idsIn(x["id"])
	}
	n, err := strconv.ParseInt(fmt.Sprint(v), 10, 64)
	if err != nil {
		return nil
	}
	return []int64{n}
}
