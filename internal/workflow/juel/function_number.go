package juel

func sum(r *run, args []any) (any, error) {
	list, err := toList(args[0])
	if err != nil {
		return nil, err
	}
	total := any(int64(0))
	for _, v := range list {
		if err := r.step(1); err != nil {
			return nil, err
		}
		if total, err = calculate('+', total, canonical(v)); err != nil {
			return nil, err
		}
	}
	return total, nil
}

// extreme is min (want -1) or max (want 1) of the arguments, or of the one list; null
// elements do not count.
func extreme(r *run, args []any, want int) (any, error) {
	list := args
	if one, ok := args[0].([]any); ok && len(args) == 1 {
		list = one
	}
	var best any
	for _, v := range list {
		if err := r.step(1); err != nil {
			return nil, err
		}
		v = canonical(v)
		if v == nil {
			continue
		}
		if best == nil {
			best = v
			continue
		}
		c, err := r.order(v, best)
		if err != nil {
			return nil, err
		}
		if c*want > 0 {
			best = v
		}
	}
	return best, nil
}

func absolute(_ *run, args []any) (any, error) {
	n, err := toNumber(args[0])
	if err != nil {
		return nil, err
	}
	if toDecimal(n).Sign() < 0 {
		return negate(n)
	}
	return n, nil
}

func round(_ *run, args []any) (any, error) {
	n, err := toNumber(args[0])
	if err != nil {
		return nil, err
	}
	digits := int64(0)
	if len(args) > 1 {
		if digits, err = toInt(args[1]); err != nil {
			return nil, err
		}
	}
	if digits < 0 || digits > maxDigits {
		return nil, refuse("round 的小数位数应为 0 到 %d", "round keeps 0 to %d digits", maxDigits)
	}
	return whole(toDecimal(n).Round(int(digits))), nil
}

func floor(v any, up bool) (any, error) {
	n, err := toNumber(v)
	if err != nil {
		return nil, err
	}
	d := toDecimal(n)
	if up {
		return whole(d.Neg().Floor().Neg()), nil
	}
	return whole(d.Floor()), nil
}

// whole gives a whole decimal as int64 where it fits.
func whole(d Decimal) any {
	if i, ok := d.Int64(); ok {
		return i
	}
	return d
}
