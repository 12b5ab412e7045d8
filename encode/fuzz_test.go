package encode

import (
	"errors"
	"slices"
	"testing"
	"unicode/utf8"
)

// FuzzFilter: parsing never panics, and a parsed filter survives writing and parsing.
func FuzzFilter(f *testing.F) {
	for _, text := range []string{"check", "capture,!check", "ply<8,ply>9", "!score>300", "ply<", "ply<-1", "random,random", "!player=\"a,b\"|c"} {
		f.Add(text, "0.5")
	}
	f.Add("!limit,!unsearched", "1")
	f.Fuzz(func(t *testing.T, where, keep string) {
		var filter Filter
		var err error
		g := CoTuLenh()
		if filter.Where, err = g.ParseWhere(where, nil); err != nil {
			return
		}
		if filter.Keep, err = ParseKeep(keep); err != nil {
			filter.Keep = 0
		}
		texts := filter.Texts()
		again, err := g.ParseFilter(texts)
		if err != nil || !slices.Equal(again.Texts(), texts) {
			t.Errorf("%q is written as %q and parsed as %q, %v", where, texts, again.Texts(), err)
		}
	})
}

// FuzzWhere: parsing never panics, what is written is parsed as the same, and an error points into
// the text.
func FuzzWhere(f *testing.F) {
	for _, text := range []string{
		"reason=fifty,ply>=8", "!check, score>-300", `player="ab:depth=3,hash=1"|random`, "plies=10-20|40-", "phase!=end", "!reason!=fifty|stalemate", "!lead<-300",
		"material=CvC", "drop>=2000", "reson=x", "ply>", "ply=1-|", "side=red,,", `player="`, "ply>=9223372036854775808", "ply=5-1", "é=1",
	} {
		f.Add(text)
	}
	g, drops := CoTuLenh(), &Deblunder{A: 50, B: 150}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := g.ParseWhere(text, drops)
		var where *WhereError
		if errors.As(err, &where) {
			if where.Column < 1 || where.Column > utf8.RuneCountInString(text)+1 {
				t.Errorf("%q: column %d", text, where.Column)
			}
			return
		}
		if again, err := g.ParseWhere(w.String(), drops); err != nil || again.String() != w.String() {
			t.Errorf("%q is written as %q and parsed as %v, %v", text, w, again, err)
		}
	})
}
