package identity

import (
	"context"
	"slices"

	"viva/internal/kernel/actor"
	"viva/internal/kernel/crud"
	"viva/internal/kernel/store"
	"viva/internal/kernel/table"
	"viva/internal/kernel/web"
)

// Dept is a unit of the university's tree: the university, its colleges and offices.
type Dept struct {
	ID           int64  `json:"id"`
	Name         string `json:"name" label:"部门名称|Department" in:"required,max=30" q:"like"`
	ParentID     int64  `json:"parentId" label:"上级部门|Parent" in:"min=0,kind=ref,ref=system_dept:/system/dept/simple-list"`
	Sort         int    `json:"sort" label:"显示顺序|Order" in:"min=0,max=99999"`
	LeaderUserID int64  `json:"leaderUserId" label:"负责人|Head" in:"ref=system_users:/system/user/simple-list"`
	Phone        string `json:"phone" label:"联系电话|Phone" in:"max=20"`
	Email        string `json:"email" label:"邮箱|E-mail" in:"kind=email,max=50"`
	Status       int    `json:"status" label:"状态|Status" in:"dict=common_status,min=0,max=1" q:"eq"`
	table.Meta
}

var depts = table.New[Dept]("system_dept", "部门")

const (
	sqlDeptTree   = `SELECT id, parent_id, name, status FROM system_dept WHERE tenant_id = :tenant AND deleted = false ORDER BY sort, id`
	sqlDeptList   = `SELECT * FROM system_dept t WHERE t.tenant_id = :tenant AND t.deleted = false`
	sqlDeptUsers  = `SELECT COUNT(*) FROM system_users WHERE tenant_id = :tenant AND deleted = false AND dept_id = :dept`
	sqlDeptByName = `SELECT id FROM system_dept WHERE tenant_id = :tenant AND deleted = false AND parent_id = :parent AND name = :name`
)

// DeptNode is a department in selectors.
type DeptNode struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	ParentID int64  `json:"parentId"`
	Status   int    `json:"-"`
}

// deptTree is the tree of one tenant.
type deptTree struct {
	list     []DeptNode
	parent   map[int64]int64
	children map[int64][]int64
}

func readDeptTree(ctx context.Context) (deptTree, error) {
	list, err := store.Select[DeptNode](ctx, sqlDeptTree, nil)
	t := deptTree{list: list, parent: make(map[int64]int64, len(list)), children: map[int64][]int64{}}
	for _, d := range list {
		t.parent[d.ID] = d.ParentID
		t.children[d.ParentID] = append(t.children[d.ParentID], d.ID)
	}
	return t, err
}

// subtree is the department and all below it; empty for an unknown one.
func (t deptTree) subtree(id int64) []int64 {
	if _, ok := t.parent[id]; !ok {
		return nil
	}
	all := []int64{id}
	for i := 0; i < len(all); i++ {
		all = append(all, t.children[all[i]]...)
	}
	return all
}

// ancestors is the department and all above it, upwards.
func (t deptTree) ancestors(id int64) []int64 {
	var all []int64
	for {
		parent, ok := t.parent[id]
		if !ok || slices.Contains(all, id) {
			return all
		}
		all = append(all, id)
		id = parent
	}
}

func (s *Service) mountDepts() {
	r := crud.Mount[Dept](s.m, "dept", "部门|Department", crud.Without("page", "export-excel"), crud.Order("t.sort, t.id"))
	r.Scope = func(ctx context.Context, q *store.Query) {
		who := actor.From(ctx)
		q.If(!wide(who), " AND t.id IN (:scope_depts)", "scope_depts", who.Scope.Depts)
	}
	r.BeforeSave = s.checkDept
	r.AfterSave = func(ctx context.Context, _, _ *Dept) error { return s.rightsChanged(ctx) }
	r.BeforeDelete = s.deleteDept
	web.Get(s.m, "/dept/list", web.Perm("system:dept:query"), s.deptList, web.Title("部门列表"))
	for _, name := range []string{"list-all-simple", "simple-list"} {
		web.Get(s.m, "/dept/"+name, web.SignedIn, s.deptNames, web.Title("部门精简列表"))
	}
}

// wide reports that the data scope does not limit the actor.
func wide(who actor.Actor) bool { return who.Kind == actor.System || who.Scope.All }

// withinScope reports whether the actor may act on rows of the department.
func withinScope(who actor.Actor, dept int64) bool {
	return wide(who) || slices.Contains(who.Scope.Depts, dept)
}

func (s *Service) checkDept(ctx context.Context, old, row *Dept) error {
	tree, err := readDeptTree(ctx)
	if err != nil {
		return err
	}
	if row.ParentID != 0 {
		if _, ok := tree.parent[row.ParentID]; !ok {
			return fielded(ctx, errDeptParent.With(), "parentId")
		}
	}
	if old != nil {
		if row.ParentID == row.ID {
			return fielded(ctx, errDeptSelf.With(), "parentId")
		}
		if slices.Contains(tree.subtree(row.ID), row.ParentID) {
			return fielded(ctx, errDeptCycle.With(), "parentId")
		}
	}
	if moved := old == nil || old.ParentID != row.ParentID; moved && !withinScope(actor.From(ctx), row.ParentID) {
		return fielded(ctx, errDeptParent.With(), "parentId")
	}
	id, ok, err := store.Get[int64](ctx, sqlDeptByName, store.Args{"parent": row.ParentID, "name": row.Name})
	if err != nil || ok && id != row.ID {
		return orElse(err, fielded(ctx, errDeptDuplicate.With(), "name"))
	}
	return nil
}

func (s *Service) deleteDept(ctx context.Context, row Dept) error {
	tree, err := readDeptTree(ctx)
	if err != nil || len(tree.children[row.ID]) > 0 {
		return orElse(err, errDeptChildren.With())
	}
	n, _, err := store.Get[int64](ctx, sqlDeptUsers, store.Args{"dept": row.ID})
	if err != nil || n > 0 {
		return orElse(err, errDeptUsers.With(n))
	}
	return s.rightsChanged(ctx)
}

type deptFilter struct {
	Name   string `query:"name" maxLength:"100" doc:"部门名称|Department"`
	Status string `query:"status" enum:"0,1" doc:"状态|Status"`
}

func (s *Service) deptList(ctx context.Context, in deptFilter) ([]Dept, error) {
	who := actor.From(ctx)
	q := store.Build(sqlDeptList, nil).
		If(in.Name != "", ` AND t.name LIKE :name ESCAPE '\'`, "name", store.Contains(in.Name)).
		If(in.Status == "0", " AND t.status = 0", "", nil).
		If(in.Status == "1", " AND t.status = 1", "", nil).
		If(!wide(who), " AND t.id IN (:scope_depts)", "scope_depts", who.Scope.Depts).
		Add(" ORDER BY t.sort, t.id")
	return store.Select[Dept](ctx, q.SQL(), q.Args())
}

// deptNames lists the enabled departments: their names are no secret inside a university.
func (s *Service) deptNames(ctx context.Context, _ web.None) ([]DeptNode, error) {
	tree, err := readDeptTree(ctx)
	return slices.DeleteFunc(tree.list, func(d DeptNode) bool { return d.Status != 0 }), err
}
