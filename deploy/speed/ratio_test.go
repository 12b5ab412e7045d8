package main

import "testing"

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
