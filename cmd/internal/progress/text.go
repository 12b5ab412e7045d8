package progress

import (
	"fmt"
	"time"
)

// shortNumber writes a number with two or three digits: 0.53, 12.3, 950, 12.3k, 2.45M.
func shortNumber(x float64) string {
	unit := ""
	for _, u := range []string{"k", "M", "G"} {
		if x < 999.5 {
			break
		}
		x, unit = x/1000, u
	}
	switch {
	case x == 0:
		return "0"
	case x < 9.995:
		return fmt.Sprintf("%.2f%s", x, unit)
	case x < 99.95:
		return fmt.Sprintf("%.1f%s", x, unit)
	}
	return fmt.Sprintf("%.0f%s", x, unit)
}

// shortTime writes a time in whole seconds with one or two units: 20s, 3m20s, 1h20m, 3d4h.
func shortTime(d time.Duration) string {
	units := []struct {
		name string
		size time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}}
	for i, u := range units[:3] {
		if d < u.size {
			continue
		}
		text := fmt.Sprintf("%d%s", d/u.size, u.name)
		if rest := d % u.size / units[i+1].size; rest > 0 {
			text += fmt.Sprintf("%d%s", rest, units[i+1].name)
		}
		return text
	}
	return fmt.Sprintf("%ds", d/time.Second)
}
