package encode

import (
	"math"
	"strings"
	"testing"

	"selfplay/internal/must"
)

func TestRoundedJSONKeepsTwelveDigits(t *testing.T) {
	for _, c := range []struct {
		name string
		v    any
		want string
	}{
		{"last digits differ between processors", []float64{0.30000000000000004, 0.3}, `[0.3,0.3]`},
		{"negative", -1.2345678901234567, `-1.23456789012`},
		{"exponents", []float64{1.2345678901234567e-9, 1.2345678901234567e+22}, `[1.23456789012e-9,1.23456789012e+22]`},
		{"a fraction that rounds to a whole number", 2.9999999999999996, `3`},
		{"large integers", []any{uint64(math.MaxUint64), 1 << 30, -7}, `[18446744073709551615,1073741824,-7]`},
		{"whole floats", []float64{0, 1, 123456789012345}, `[0,1,123456789012345]`},
		{"the largest float", math.MaxFloat64, `1.79769313486e+308`},
		{"words", []any{true, false, nil}, `[true,false,null]`},
		{"strings", map[string]any{`0.12345678901234567\"`: `<1.12345678901234567" \`}, `{"0.12345678901234567\\\"":"<1.12345678901234567\" \\"}`},
		{"nested", Object{{Name: "a", Value: struct{ X float64 }{1 / 3.}}}, `{"a":{"X":0.333333333333}}`},
	} {
		var b strings.Builder
		if err := NewRoundedJSON(&b).Encode(c.v); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if b.String() != c.want+"\n" {
			t.Errorf("%s: %q, want %q", c.name, b.String(), c.want)
		}
	}
}

func TestRoundedJSONReportsValuesThatJSONCannotHold(t *testing.T) {
	var b strings.Builder
	if err := NewRoundedJSON(&b).Encode(math.NaN()); err == nil || b.Len() > 0 {
		t.Errorf("wrote %q, error %v", b.String(), err)
	}
}

func TestObjectKeepsOrderAndText(t *testing.T) {
	inner := Object{{Name: "<", Value: []int{1, 2}}}
	var o Object
	o.Add("z", "Tc3>xd3")
	o.Add("a", nil)
	o.Add("in", inner)
	o = append(o, Member{Name: "ok", Value: true})
	var b strings.Builder
	must.Do(t, NewJSON(&b).Encode(o))
	if want := `{"z":"Tc3>xd3","a":null,"in":{"<":[1,2]},"ok":true}` + "\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	if err := NewJSON(&b).Encode(Object{{Name: "f", Value: func() {}}}); err == nil {
		t.Error("a function is encoded without an error")
	}
}
