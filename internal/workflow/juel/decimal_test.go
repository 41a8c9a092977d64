package juel

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func exact(d Decimal) *big.Rat {
	r, ok := new(big.Rat).SetString(d.String())
	if !ok {
		panic("no number: " + d.String())
	}
	return r
}

func drawDecimal(t *rapid.T, label string) Decimal {
	text := rapid.StringMatching(`-?[0-9]{1,20}(\.[0-9]{1,12})?(e-?[0-9]{1,2})?`).Draw(t, label)
	d, err := ParseDecimal(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	want, _ := new(big.Rat).SetString(text)
	if exact(d).Cmp(want) != 0 {
		t.Fatalf("%s reads as %s", text, d)
	}
	return d
}

// near tells that got is want to within half a unit of the 34th digit.
func near(got Decimal, want *big.Rat) bool {
	difference := new(big.Rat).Sub(exact(got), want)
	if difference.Sign() == 0 {
		return true
	}
	bound := new(big.Rat).Abs(want)
	bound.Mul(bound, new(big.Rat).SetFrac64(5, 1))
	bound.Quo(bound, new(big.Rat).SetInt(power(maxDigits)))
	return difference.Abs(difference).Cmp(bound) <= 0 && digitCount(got.integer()) <= maxDigits
}

// The four operations, order and text agree with rationals.
func TestDecimal_agreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawDecimal(t, "a"), drawDecimal(t, "b")
		x, y := exact(a), exact(b)
		check := func(op string, got Decimal, err error, want *big.Rat) {
			if err != nil || !near(got, want) {
				t.Fatalf("%s %s %s = %s (%v), not %s", a, op, b, got, err, want.FloatString(40))
			}
		}
		sum, err := a.Add(b)
		check("+", sum, err, new(big.Rat).Add(x, y))
		product, err := a.Mul(b)
		check("*", product, err, new(big.Rat).Mul(x, y))
		if y.Sign() != 0 {
			quotient, err := a.Quo(b)
			check("/", quotient, err, new(big.Rat).Quo(x, y))
			whole := new(big.Rat).Quo(x, y)
			cut := new(big.Rat).SetInt(new(big.Int).Quo(whole.Num(), whole.Denom()))
			rest, err := a.Rem(b)
			check("%", rest, err, new(big.Rat).Sub(x, cut.Mul(cut, y)))
		}
		if a.Cmp(b) != x.Cmp(y) || a.Sign() != x.Sign() {
			t.Fatalf("%s against %s: %d", a, b, a.Cmp(b))
		}
		floor := new(big.Rat).Sub(x, exact(a.Floor()))
		if floor.Sign() < 0 || floor.Cmp(big.NewRat(1, 1)) >= 0 || !exact(a.Floor()).IsInt() {
			t.Fatalf("floor of %s is %s", a, a.Floor())
		}
		text, err := json.Marshal(a)
		var back Decimal
		if err != nil || json.Unmarshal(text, &back) != nil || back.Cmp(a) != 0 || back.String() != a.String() {
			t.Fatalf("%s comes back as %s", a, back)
		}
	})
}

func TestDecimal_text(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0.00": "0", "0e9": "0", "1.500": "1.5", "100": "100", "1e3": "1000", "1E+3": "1000",
		"+1": "1", "-.5": "-0.5", "12e-3": "0.012", "1e-7": "1E-7", "1.5e-7": "1.5E-7", "1e40": "1E40",
		"123456789012345678901234567890.123456789":     "123456789012345678901234567890.1235",
		"99999999999999999999999999999999995":          "1E35",
		"99999999999999999999999999999999999":          "1E35",
		"12345678901234567890123456789012345":          "12345678901234567890123456789012340", // half to even
		"12345678901234567890123456789012355":          "12345678901234567890123456789012360",
		"-12345678901234567890123456789012355.0000001": "-12345678901234567890123456789012360",
		"1e-6144": "0", "1e6144": "1E6144",
	} {
		d, err := ParseDecimal(text)
		wanted, _ := ParseDecimal(want)
		if err != nil || d.Cmp(wanted) != 0 || d.String() != wanted.String() {
			t.Errorf("%s reads as %s (%v), not %s", text, d, err, want)
		}
		if len(want) < 30 && d.String() != want {
			t.Errorf("%s prints as %s", text, d)
		}
	}
	for _, text := range []string{"", ".", "-", "+", "--1", "+-1", "1e", "1e+", "e1", "1.2.3", "0x1", "1_0", "NaN", "Infinity", "１", " 1", "1e1e1", "1-", "1e6145", "1e999999999", "1e9223372036854775808", strings.Repeat("9", 7000)} {
		if d, err := ParseDecimal(text); err == nil {
			t.Errorf("%.20q reads as %s", text, d)
		}
	}
}

func TestDecimal_round(t *testing.T) {
	for _, c := range []struct {
		in, want string
		digits   int
	}{
		{"2.5", "3", 0}, {"-2.5", "-3", 0}, {"2.4999", "2", 0}, {"0.5", "1", 0}, {"0.49", "0", 0}, {"-0.5", "-1", 0},
		{"1.005", "1.01", 2}, {"0.0005", "0", 2}, {"9.995", "10", 2}, {"12", "12", 2}, {"1e20", "100000000000000000000", 2}, {"1e-6000", "0", 2},
	} {
		d, _ := ParseDecimal(c.in)
		if got := d.Round(c.digits).String(); got != c.want {
			t.Errorf("%s to %d digits is %s, not %s", c.in, c.digits, got, c.want)
		}
	}
	tiny, _ := ParseDecimal("-1e-6000")
	if tiny.Floor().String() != "-1" || tiny.Neg().Floor().String() != "0" {
		t.Errorf("floor of a tiny number: %s, %s", tiny.Floor(), tiny.Neg().Floor())
	}
}
