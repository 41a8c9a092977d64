package workflow

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"viva/internal/kernel/clock"
	"viva/internal/kernel/store"
	"viva/internal/workflow/runtime"
)

const (
	// The counter stays locked to the end of the transaction that starts the instance: a
	// start that fails gives its number back, and those beside it wait for each other.
	sqlNextNumber = `INSERT INTO bpm_process_number_counter (tenant_id, rule, last) VALUES (:tenant, :rule, 1)
 ON CONFLICT (tenant_id, rule) DO UPDATE SET last = bpm_process_number_counter.last + 1 RETURNING last`
	sqlKeepNumber = `INSERT INTO bpm_process_number (tenant_id, instance_id, number) VALUES (:tenant, :instance, :number) ON CONFLICT DO NOTHING`
	sqlNumbersOf  = `SELECT instance_id, number FROM bpm_process_number WHERE tenant_id = :tenant AND instance_id IN (:ids)`

	// What is called :name, or numbered so.
	clauseNamed = ` AND (i.name LIKE :name ESCAPE '\' OR EXISTS (SELECT 1 FROM bpm_process_number n WHERE n.tenant_id = :tenant AND n.instance_id = i.id AND n.number LIKE :name ESCAPE '\'))`
)

// infixNames are what another generation of clients calls date patterns.
var infixNames = map[string]string{"DAY": "yyyyMMdd", "HOUR": "yyyyMMddHH", "MINUTE": "yyyyMMddHHmm", "SECOND": "yyyyMMddHHmmss"}

var infixForm = regexp.MustCompile(`^(?:yyyy|yy|MM|dd|HH|mm|ss|[-_/.])*$`)

const (
	maxNumberDigits = 12
	maxInfix        = 30
)

// usable reports whether numbers can be made by the rule.
func (r ProcessIDRule) usable() bool {
	_, named := infixNames[r.Infix]
	return r.Length >= 1 && r.Length <= maxNumberDigits && len(r.Prefix+r.Infix+r.Postfix) <= 60 && len(r.Infix) <= maxInfix && (named || infixForm.MatchString(r.Infix)) &&
		!strings.ContainsFunc(r.Prefix+r.Postfix, func(c rune) bool { return unicode.IsControl(c) || unicode.IsSpace(c) })
}

// stem is what stands before the counter in a number of the day.
func (r ProcessIDRule) stem(at time.Time) string {
	infix := r.Infix
	if pattern, named := infixNames[infix]; named {
		infix = pattern
	}
	at = at.In(clock.Shanghai)
	return r.Prefix + strings.NewReplacer("yyyy", at.Format("2006"), "yy", at.Format("06"), "MM", at.Format("01"), "dd", at.Format("02"),
		"HH", at.Format("15"), "mm", at.Format("04"), "ss", at.Format("05")).Replace(infix)
}

// giveNumber is the hook of the engine for new instances: it numbers those whose model
// wants it.
func (s *Service) giveNumber(ctx context.Context, ev *runtime.InstanceStarted) error {
	if ev.Instance.ParentInstance != "" {
		return nil
	}
	p, err := s.planOf(ctx, ev.Instance.DefinitionID)
	if err != nil {
		return err
	}
	rule := p.settings().ProcessIDRule
	if rule == nil || !rule.Enable || !rule.usable() {
		return nil
	}
	stem := rule.stem(time.UnixMilli(ev.Instance.StartedAt))
	// Another rule may spell the same number: "A1"+"1" and "A"+"11". The next one is free.
	for range 100 {
		n, err := store.One[int64](ctx, sqlNextNumber, store.Args{"rule": fmt.Sprintf("%s\x1f%d\x1f%s", stem, rule.Length, rule.Postfix)})
		if err != nil {
			return err
		}
		number := fmt.Sprintf("%s%0*d%s", stem, rule.Length, n, rule.Postfix)
		kept, err := store.Exec(ctx, sqlKeepNumber, store.Args{"instance": ev.Instance.ID, "number": number})
		if err != nil || kept > 0 {
			return err
		}
	}
	return fmt.Errorf("workflow: no free number under the rule %q", stem)
}

// numbersOf reads the numbers of instances; those without one are left out.
func numbersOf(ctx context.Context, ids []string) (map[string]string, error) {
	type row struct{ InstanceID, Number string }
	out := map[string]string{}
	if len(ids) == 0 {
		return out, nil
	}
	err := store.Each(ctx, sqlNumbersOf, store.Args{"ids": ids}, func(r row) error { out[r.InstanceID] = r.Number; return nil })
	return out, err
}
