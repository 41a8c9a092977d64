package field

import (
	"context"

	"viva/internal/kernel/errs"
	"viva/internal/kernel/i18n"
)

// Span is a closed range of times in epoch milliseconds, as list calls filter by; an
// end that was not given is nil.
type Span struct{ From, To *int64 }

// ParseSpan reads the one or two values of a range parameter for calls written by hand;
// the last second is meant as a whole, as in the derived calls.
func ParseSpan(ctx context.Context, name string, values []string) (Span, error) {
	var s Span
	for i, text := range values[:min(len(values), 2)] {
		ms, ok := ParseTime(text)
		if !ok {
			return s, errs.Field(name, i18n.Pick(ctx, "时间格式不正确，例如 2026-11-21 14:02:00", "Not a time such as 2026-11-21 14:02:00"))
		}
		if i == 0 {
			s.From = &ms
			continue
		}
		if ms%1000 == 0 {
			ms += 999
		}
		s.To = &ms
	}
	return s, nil
}
