package export

import (
	"regexp"
	"strings"
	"testing"
)

// TestJSONOfStatisticsHasTwelveDigits: processors compute other last digits.
func TestJSONOfStatisticsHasTwelveDigits(t *testing.T) {
	dir := searchedDataset(t, "contrast", "greedy", 60, nil)
	float := regexp.MustCompile(`[:,\[]-?([0-9]*\.[0-9]+)`)
	for _, command := range []string{"stats", "report", "wdl"} {
		o := export(command, "--json", dir)
		numbers := float.FindAllStringSubmatch(o.stdout, -1)
		if o.code != 0 || len(numbers) == 0 {
			t.Fatalf("%s: %+v", command, o)
		}
		for _, n := range numbers {
			if digits := strings.TrimLeft(strings.Replace(n[1], ".", "", 1), "0"); len(digits) > 12 {
				t.Errorf("%s prints %s", command, n[1])
			}
		}
	}
}
