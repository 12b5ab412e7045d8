package record

import (
	"fmt"
	"testing"
)

func TestFormattedNumbers(t *testing.T) {
	got := fmt.Sprint(formatCount(7), " ", formatCount(1234), " ", formatCount(1234567), " ", FormatSize(999), " ", FormatSize(1500), " ", FormatSize(2_500_000_000),
		" ", sizeCategory(999), " ", sizeCategory(1000), " ", sizeCategory(5_000_000_000))
	if want := "7 1,234 1,234,567 999 B 1.5 kB 2.5 GB n<1K 1K<n<10K 1B<n<10B"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
