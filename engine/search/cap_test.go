package search_test

import (
	"reflect"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// TestCapsSeparateFullFromCheapSearches: a full search is that of a player without caps, a cheap one
// that of a player with fewer simulations and no noise, and src draws which.
func TestCapsSeparateFullFromCheapSearches(t *testing.T) {
	const full = 300
	for _, g := range games() {
		for _, o := range []search.MCTSOptions{{Sims: 40, Noise: 250}, {Sims: 40, Root: search.RootGumbel, Gumbel: 1000}} {
			plain, few := search.NewMCTS(o), o
			few.Sims, few.Noise, few.Gumbel = 12, 0, 0
			cheap := search.NewMCTS(few)
			o.Cheap, o.Full = 12, full
			p, caps, fulls := start(g), search.NewMCTS(o), 0
			for seed := range uint64(200) {
				src := source(seed)
				drawn := engine.Below(src, 1000) < full
				reference := cheap
				if drawn {
					reference, fulls = plain, fulls+1
				}
				want := clone(reference.Search(p, src))
				want.Cheap = !drawn
				if got := clone(caps.Search(p, source(seed))); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s, %+v, seed %d: %+v, want %+v", g.Name, o, seed, got, want)
				}
			}
			if fulls < 35 || fulls > 85 {
				t.Errorf("%s: %d of 200 searches are full, want about 60", g.Name, fulls)
			}
		}
	}
}
