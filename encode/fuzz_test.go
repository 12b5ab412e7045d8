package encode

import (
	"slices"
	"testing"
)

// FuzzFilter: parsing never panics, and a parsed filter survives writing and parsing.
func FuzzFilter(f *testing.F) {
	for _, text := range []string{"", "check", "capture,check", "ply<8,ply>9", "score>300", "ply<", "ply<-1", "ply<99999999999", "random,random", "keep=0.5"} {
		f.Add(text, "0.5")
	}
	f.Add("limit,unsearched", "1")
	f.Fuzz(func(t *testing.T, skip, keep string) {
		var filter Filter
		var err error
		if filter.Skip, err = ParseSkip(skip); err != nil {
			return
		}
		if filter.Keep, err = ParseKeep(keep); err != nil {
			filter.Keep = 0
		}
		texts := filter.Texts()
		again, err := ParseFilter(texts)
		if err != nil || !slices.Equal(again.Texts(), texts) {
			t.Errorf("%q is written as %q and parsed as %q, %v", skip, texts, again.Texts(), err)
		}
	})
}
