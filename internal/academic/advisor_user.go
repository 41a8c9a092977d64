package academic

import (
	"context"

	"viva/internal/kernel/store"
)

const sqlAdvisorUsers = `SELECT av.user_id FROM thesis_student t
 JOIN thesis_supervision sv ON sv.student_id = t.id AND sv.tenant_id = t.tenant_id AND sv.role = 1 AND sv.end_date = '' AND sv.deleted = false
 JOIN thesis_advisor av ON av.id = sv.advisor_id AND av.tenant_id = t.tenant_id AND av.deleted = false
 WHERE t.tenant_id = :tenant AND t.deleted = false AND t.user_id = :user AND av.user_id > 0`

// AdvisorUsersOf gives the account of the main advisor of the student with the account;
// nobody when the user is no student or has no advisor with an account.
func AdvisorUsersOf(ctx context.Context, student int64) ([]int64, error) {
	return store.Select[int64](ctx, sqlAdvisorUsers, store.Args{"user": student})
}
