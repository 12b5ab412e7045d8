package search_test

import (
	"reflect"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// gaining is a Policy whose logits are the gains of moves.
type gaining struct{ evaluating }

func (g *gaining) AppendLogits(dst []int32, moves []engine.Move) []int32 {
	for _, m := range moves {
		dst = append(dst, int32(g.p.Gain(m)))
	}
	return dst
}

// TestLogitsAreScoresOfPriors: with a policy whose logits are gains, the search finds what it
// finds with gains.
func TestLogitsAreScoresOfPriors(t *testing.T) {
	for _, g := range games() {
		for _, o := range []search.MCTSOptions{{Sims: 200}, {Sims: 100, Noise: 300, Target: search.TargetCompletedQ}} {
			o.Scorer = new(gaining)
			plain := search.NewMCTS(o)
			o.Priors = search.PriorNet
			net, p := search.NewMCTS(o), start(g)
			for seed := range uint64(4) {
				if !playRandom(p, 40, seed) {
					continue
				}
				want := clone(plain.Search(p, source(seed)))
				if got := clone(net.Search(p, source(seed))); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: %s: %+v, want %+v", g.Name, p, got, want)
				}
			}
		}
	}
}

// TestPriorNetNeedsAPolicy: NewMCTS panics before a search does.
func TestPriorNetNeedsAPolicy(t *testing.T) {
	for _, s := range []search.Scorer{nil, new(evaluating)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("NewMCTS accepts %T", s)
				}
			}()
			search.NewMCTS(search.MCTSOptions{Sims: 1, Priors: search.PriorNet, Scorer: s})
		}()
	}
}
