package main

import (
	"strings"
	"testing"
)

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
