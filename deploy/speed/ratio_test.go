package main

import (
	"strings"
	"testing"
)

// TestOutsideIsThatOfOrderStatistics: the ranks of a table of the sign test, at 95 %.
func TestOutsideIsThatOfOrderStatistics(t *testing.T) {
	for n, want := range map[int]int{1: 0, 5: 0, 6: 0, 8: 0, 9: 1, 11: 1, 12: 2, 15: 3, 25: 7, 50: 17} {
		if got := outside(n); got != want {
			t.Errorf("%d values: %d outside, want %d", n, got, want)
		}
	}
}

func TestResultOfPairs(t *testing.T) {
	got := newResult([]float64{3, 1, 2}, []float64{1.5, 1.1, 1.3})
	if want := (result{2, 1.3, 1.1, 1.5}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if m := median([]float64{1, 2, 4, 9}); m != 3 {
		t.Errorf("median %v, want 3", m)
	}
}

func TestRatesHaveThreeDigits(t *testing.T) {
	for rate, want := range map[float64]string{
		0: "0", 987.4: "987", 4_996: "5,000", 8_123: "8,120", 46_049: "46,000", 99_960: "100,000", 129_499: "129,000",
		999_999: "1.00 M", 1_234_567: "1.23 M", 248_400_000: "248 M",
	} {
		if got := rounded(rate); got != want {
			t.Errorf("%v: %q, want %q", rate, got, want)
		}
	}
}

func TestOnlyTheTablesOfAPageChange(t *testing.T) {
	got, err := replaceTables("a\n"+begin+"old\n"+end+"b\n", "new\n")
	if want := "a\n" + begin + "new\n" + end + "b\n"; got != want || err != nil {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	for _, page := range []string{"", begin, end + begin} {
		if _, err := replaceTables(page, "new\n"); err == nil || !strings.Contains(err.Error(), "no line") {
			t.Errorf("%q: error %v", page, err)
		}
	}
}
