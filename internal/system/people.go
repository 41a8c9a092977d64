package system

import (
	"context"

	"viva/internal/kernel/store"
)

// person is what this module needs of a user. The table belongs to module identity and
// is only read here, as a join would, because Notify runs without any service at hand.
type person struct {
	ID       int64
	Nickname string
	UserType int
}

const (
	sqlPeople    = `SELECT u.id, u.nickname, u.user_type FROM system_users u WHERE u.tenant_id = :tenant AND u.deleted = false AND u.id IN (:ids)`
	sqlEverybody = `SELECT u.id FROM system_users u WHERE u.tenant_id = :tenant AND u.deleted = false AND u.status = 0 AND u.id > :after ORDER BY u.id LIMIT 500`
)

// peopleByID reads users of the tenant of ctx; unknown and removed ones are left out.
func peopleByID(ctx context.Context, ids []int64) (map[int64]person, error) {
	found := make(map[int64]person, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	err := store.Each(ctx, sqlPeople, store.Args{"ids": ids}, func(p person) error {
		found[p.ID] = p
		return nil
	})
	return found, err
}
