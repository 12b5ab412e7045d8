package count

import "testing"

func TestParse(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "7": 7, "010": 10, "4000": 4000, "10k": 10_000, "10K": 10_000, "1M": 1e6, "1.5M": 1_500_000, "1.1k": 1100, "2G": 2e9,
		"1e6": 1e6, "2.5E3": 2500, "1e0": 1, "18446744073709551615": 1<<64 - 1,
	} {
		if got, err := Parse(text); got != want || err != nil {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "many", "-5", "+5", "1.5", "0.0001k", "1e-3", "1e99", "1e6k", "1m", "1B", "1 k", "0x10", "1_000", "1/2", "18446744073709551616", "NaN"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q is accepted as %d", text, got)
		}
	}
}
