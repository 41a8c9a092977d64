package juel

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Precision and range of a Decimal: those of IEEE 754 decimal128.
const (
	maxDigits   = 34
	maxExponent = 6144
)

var (
	errNotNumber = errors.New("not a number")
	errRange     = errors.New("out of range")

	ten    = big.NewInt(10)
	ceilAt = new(big.Int).Exp(ten, big.NewInt(maxDigits), nil) // the first number of 35 digits
)

// Decimal is an exact decimal number of up to 34 digits; longer results are rounded
// half to even. It has no trailing zeros, so equal numbers print alike. The zero
// value is 0. (math/big has binary fractions only, in which 0.1 is not exact.)
type Decimal struct {
	coefficient *big.Int // nil is 0; never changed
	exponent    int      // of ten
}

// ParseDecimal reads digits with an optional sign, fraction and exponent.
func ParseDecimal(s string) (Decimal, error) {
	mantissa, exponent := s, 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.Atoi(s[i+1:])
		if err != nil {
			return Decimal{}, errNotNumber
		}
		mantissa, exponent = s[:i], max(-2*maxExponent, min(e, 2*maxExponent))
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimPrefix(strings.TrimPrefix(whole, "+"), "-") + part
	if len(whole)-len(strings.TrimLeft(whole, "+-")) > 1 || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return Decimal{}, errNotNumber
	}
	if len(digits) > maxExponent {
		return Decimal{}, errRange
	}
	n, _ := new(big.Int).SetString(digits, 10)
	if strings.HasPrefix(whole, "-") {
		n.Neg(n)
	}
	return newDecimal(n, exponent-len(part))
}

func decimalOf(n int64) Decimal {
	d, _ := newDecimal(big.NewInt(n), 0) // 19 digits always fit
	return d
}

// newDecimal rounds n × 10^exponent to 34 digits and drops trailing zeros; it keeps n.
func newDecimal(n *big.Int, exponent int) (Decimal, error) {
	if n.Sign() == 0 {
		return Decimal{}, nil
	}
	if extra := digitCount(n) - maxDigits; extra > 0 {
		n, exponent = shorten(n, extra), exponent+extra
		if n.CmpAbs(ceilAt) == 0 { // 99…9.5 became one digit longer
			n, exponent = new(big.Int).Quo(n, ten), exponent+1
		}
	}
	if adjusted := exponent + digitCount(n) - 1; adjusted > maxExponent {
		return Decimal{}, errRange
	} else if adjusted < 1-maxExponent {
		return Decimal{}, nil
	}
	n, exponent = strip(n, exponent)
	return Decimal{n, exponent}, nil
}

// digitCount is the number of decimal digits of n.
func digitCount(n *big.Int) int {
	digits := int(float64(max(n.BitLen(), 1)-1)*math.Log10(2)) + 1 // of the least number with as many bits
	if n.CmpAbs(power(digits)) >= 0 {
		digits++
	}
	return digits
}

func strip(n *big.Int, exponent int) (*big.Int, int) {
	if n.IsInt64() {
		small := n.Int64()
		for small%10 == 0 {
			small, exponent = small/10, exponent+1
		}
		return big.NewInt(small), exponent
	}
	rest := new(big.Int)
	for {
		q := new(big.Int)
		if q.QuoRem(n, ten, rest); rest.Sign() != 0 {
			return n, exponent
		}
		n, exponent = q, exponent+1
	}
}

// shorten drops the last digits of n, rounding half to even.
func shorten(n *big.Int, digits int) *big.Int {
	unit := power(digits)
	q, rest := new(big.Int).QuoRem(n, unit, new(big.Int))
	half := new(big.Int).Abs(rest)
	half.Lsh(half, 1)
	if c := half.CmpAbs(unit); c > 0 || c == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(int64(n.Sign())))
	}
	return q
}

// smallPowers of ten cover what two numbers of 34 digits need.
var smallPowers = func() (list [80]*big.Int) {
	for i := range list {
		list[i] = new(big.Int).Exp(ten, big.NewInt(int64(i)), nil)
	}
	return list
}()

// power gives 10^n, which is not to be changed.
func power(n int) *big.Int {
	if n < len(smallPowers) {
		return smallPowers[n]
	}
	return new(big.Int).Exp(ten, big.NewInt(int64(n)), nil)
}

func (d Decimal) integer() *big.Int {
	if d.coefficient == nil {
		return new(big.Int)
	}
	return d.coefficient
}

// aligned gives both coefficients at the smaller exponent.
func aligned(a, b Decimal) (*big.Int, *big.Int, int) {
	x, y := a.integer(), b.integer()
	switch {
	case x.Sign() == 0:
		return x, y, b.exponent
	case y.Sign() == 0:
		return x, y, a.exponent
	case a.exponent > b.exponent:
		return new(big.Int).Mul(x, power(a.exponent-b.exponent)), y, b.exponent
	case b.exponent > a.exponent:
		return x, new(big.Int).Mul(y, power(b.exponent-a.exponent)), a.exponent
	}
	return x, y, a.exponent
}

// Sign is -1, 0 or 1.
func (d Decimal) Sign() int { return d.integer().Sign() }

// Cmp is -1, 0 or 1 as d is less than, equal to or greater than o.
func (d Decimal) Cmp(o Decimal) int {
	x, y, _ := aligned(d, o)
	return x.Cmp(y)
}

// Neg gives -d.
func (d Decimal) Neg() Decimal { return Decimal{new(big.Int).Neg(d.integer()), d.exponent} }

// Add gives d + o.
func (d Decimal) Add(o Decimal) (Decimal, error) {
	x, y, exponent := aligned(d, o)
	return newDecimal(new(big.Int).Add(x, y), exponent)
}

// Mul gives d × o.
func (d Decimal) Mul(o Decimal) (Decimal, error) {
	return newDecimal(new(big.Int).Mul(d.integer(), o.integer()), d.exponent+o.exponent)
}

// Quo gives d ÷ o; o must not be 0.
func (d Decimal) Quo(o Decimal) (Decimal, error) {
	x, y := d.integer(), o.integer()
	if x.Sign() == 0 {
		return Decimal{}, nil
	}
	shift := max(0, maxDigits+1+digitCount(y)-digitCount(x))
	q, rest := new(big.Int).QuoRem(new(big.Int).Mul(x, power(shift)), y, new(big.Int))
	exponent := d.exponent - o.exponent - shift
	if rest.Sign() != 0 { // a sticky digit: what is cut off is not exactly half
		q.Mul(q, ten).Add(q, big.NewInt(int64(x.Sign()*y.Sign())))
		exponent--
	}
	return newDecimal(q, exponent)
}

// Rem gives the remainder of d ÷ o with the sign of d; o must not be 0.
func (d Decimal) Rem(o Decimal) (Decimal, error) {
	x, y, exponent := aligned(d, o)
	return newDecimal(new(big.Int).Rem(x, y), exponent)
}

// Round keeps the given number of digits after the point; a half goes away from zero.
func (d Decimal) Round(digits int) Decimal {
	extra := -d.exponent - digits
	switch {
	case extra <= 0:
		return d
	case extra > digitCount(d.integer()):
		return Decimal{}
	}
	unit := power(extra)
	half := new(big.Int).Rsh(unit, 1)
	if d.Sign() < 0 {
		half.Neg(half)
	}
	n := half.Add(half, d.integer())
	r, _ := newDecimal(n.Quo(n, unit), -digits) // not longer than d: in range
	return r
}

// Floor gives the greatest whole number that is not above d.
func (d Decimal) Floor() Decimal {
	if d.exponent >= 0 {
		return d
	}
	if -d.exponent > maxDigits {
		if d.Sign() < 0 {
			return decimalOf(-1)
		}
		return Decimal{}
	}
	unit := power(-d.exponent)
	r, _ := newDecimal(new(big.Int).Div(d.integer(), unit), 0) // Euclidean: rounds down for a positive unit
	return r
}

// Int64 gives the value of a whole number that fits.
func (d Decimal) Int64() (int64, bool) {
	if d.exponent < 0 || d.exponent > 18 {
		return 0, false
	}
	n := new(big.Int).Mul(d.integer(), power(d.exponent))
	return n.Int64(), n.IsInt64()
}

// String writes plain digits, or d.ddE±n where that would be long.
func (d Decimal) String() string {
	digits, sign := d.integer().Text(10), ""
	if digits[0] == '-' {
		digits, sign = digits[1:], "-"
	}
	point := len(digits) + d.exponent // digits before the point
	switch {
	case point > maxDigits || point < -5:
		text := sign + digits[:1]
		if len(digits) > 1 {
			text += "." + digits[1:]
		}
		return text + "E" + strconv.Itoa(point-1)
	case d.exponent >= 0:
		return sign + digits + strings.Repeat("0", d.exponent)
	case point > 0:
		return sign + digits[:point] + "." + digits[point:]
	}
	return sign + "0." + strings.Repeat("0", -point) + digits
}

// MarshalJSON writes a JSON number.
func (d Decimal) MarshalJSON() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalJSON reads a JSON number.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	v, err := ParseDecimal(string(text))
	*d = v
	return err
}
