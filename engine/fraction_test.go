package engine

import (
	"strings"
	"testing"
)

func TestParseFraction(t *testing.T) {
	for text, want := range map[string]Fraction{
		"0": 0, "0.05": 50, ".5": 500, "1": 1000, "0.001": 1, "0.999": 999, "5e-2": 50, "0.050": 50,
	} {
		if got, err := ParseFraction(text); err != nil || got != want {
			t.Errorf("%s: %d, %v, want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "from 0 to 1", "-0.05": "from 0 to 1", "1.001": "from 0 to 1", "NaN": "from 0 to 1", "5%": "from 0 to 1",
		"0.0005": "whole thousandths",
	} {
		if _, err := ParseFraction(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestFractionStringRoundTrips(t *testing.T) {
	for f := range One + 1 {
		if got, err := ParseFraction(f.String()); err != nil || got != f {
			t.Errorf("%d formats as %s and parses as %d, %v", f, f, got, err)
		}
	}
}
