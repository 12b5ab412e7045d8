package derived

import (
	"fmt"
	"strconv"
)

// formatCount returns a number with a comma after each three digits.
func formatCount(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// FormatSize returns a number of bytes with a decimal unit.
func FormatSize(n int64) string {
	const unit = 1000
	v, names := float64(n), []string{"B", "kB", "MB", "GB", "TB"}
	i := 0
	for ; v >= unit && i < len(names)-1; i++ {
		v /= unit
	}
	return fmt.Sprintf("%.*f %s", min(i, 1), v, names[i])
}

// formatShare returns part/whole in percent.
func formatShare(part, whole uint64) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// sizeCategory returns the size category of the Hugging Face hub for a number of rows.
func sizeCategory(rows uint64) string {
	names := []string{"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M",
		"100M<n<1B", "1B<n<10B", "10B<n<100B", "100B<n<1T"}
	for limit, i := uint64(1000), 0; i < len(names); limit, i = limit*10, i+1 {
		if rows < limit {
			return names[i]
		}
	}
	return "n>1T"
}
