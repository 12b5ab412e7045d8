package export

import (
	"regexp"
	"strings"
	"testing"
)

// TestJSONOfStatisticsHasFewDigits: processors compute other last digits.
func TestJSONOfStatisticsHasFewDigits(t *testing.T) {
	dir := searchedDataset(t, "contrast", "greedy", 60, nil)
	float := regexp.MustCompile(`[:,\[]-?([0-9]*\.[0-9]+)`)
	for command, most := range map[string]int{"stats": 12, "report": 12, "wdl": 6} {
		o := export(command, "--json", dir)
		numbers := float.FindAllStringSubmatch(o.stdout, -1)
		if o.code != 0 || len(numbers) == 0 {
			t.Fatalf("%s: %+v", command, o)
		}
		for _, n := range numbers {
			if digits := strings.TrimLeft(strings.Replace(n[1], ".", "", 1), "0"); len(digits) > most {
				t.Errorf("%s prints %s", command, n[1])
			}
		}
	}
}
