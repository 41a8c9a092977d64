package thesis

// Late modes of a window: what happens after its close and grace.
const (
	lateRefuse = 1
	lateAccept = 2
)

// Flags of a submission that came after the close.
const (
	onTime  = 0
	inGrace = 1
	isLate  = 2
)

type windowState int

const (
	windowUnknown windowState = iota
	windowEarly
	windowOpen
	windowClosed
)

// deadline is the time in which a step may be handed in: its window, widened by an
// override of the college and, for a returned form, by the days to correct it.
type deadline struct {
	known    bool
	openAt   int64
	closeAt  int64
	grace    int64 // milliseconds
	lateMode int
}

const minute = 60_000

// deadlineOf joins window, override and return date. Without a window an override alone
// opens the step.
func deadlineOf(w *StepWindow, overrideUntil, fixUntil int64) deadline {
	d := deadline{}
	if w != nil {
		d = deadline{known: true, openAt: w.OpenAt, closeAt: w.CloseAt, grace: int64(w.GraceMinutes) * minute, lateMode: w.LateMode}
	}
	for _, until := range []int64{overrideUntil, fixUntil} {
		if until == 0 {
			continue
		}
		if !d.known {
			d.known, d.lateMode = true, lateRefuse
		}
		d.closeAt = max(d.closeAt, until)
	}
	if overrideUntil > 0 {
		d.openAt = 0
	}
	return d
}

// state tells whether handing in is possible at the instant. The grace minutes and late
// mode 2 count as open; flag marks them.
func (d deadline) state(now int64) windowState {
	switch {
	case !d.known:
		return windowUnknown
	case now < d.openAt:
		return windowEarly
	case d.lateMode != lateAccept && now > d.closeAt+d.grace:
		return windowClosed
	}
	return windowOpen
}

// flag marks a submission at the instant.
func (d deadline) flag(now int64) int {
	switch {
	case now <= d.closeAt:
		return onTime
	case now <= d.closeAt+d.grace:
		return inGrace
	}
	return isLate
}
