package nnue_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nnuetest"
)

// plies returns the number of plies that a test visits.
func plies(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// TestScorerEqualsReference: scores along games, with moves tried and taken back, are those
// computed from the board. A null move is tried where the game has them.
func TestScorerEqualsReference(t *testing.T) {
	for _, g := range games() {
		for _, variant := range append([]string{""}, g.Variants...) {
			for _, hidden := range []int{16, 48, 64} {
				t.Run(fmt.Sprintf("%s/%s/H=%d", g.Name, variant, hidden), func(t *testing.T) {
					t.Parallel()
					followGames(t, g, variant, hidden, plies(12_000))
				})
			}
		}
	}
}

func followGames(t *testing.T, g engine.Game, variant string, hidden, plies int) {
	p, src := g.New(variant).(engine.Featured), rand.NewPCG(uint64(hidden), 1)
	d := nnuetest.Network{Game: g.Name, Features: p.FeatureSet(), Hidden: hidden, Buckets: 5, Seed: 3, Scale: 400}
	s, want := nnue.NewScorer(network(t, g, hidden, 5, 3), 0), newReference(d)
	check := func() {
		t.Helper()
		if n := len(p.AppendFeatures(nil)); n > p.FeatureSet().Most {
			t.Fatalf("%s has %d active features: want at most %d", p, n, p.FeatureSet().Most)
		}
		if got, want := s.Score(), want.score(p); got != want {
			t.Fatalf("%s after %d plies: score %d, want %d", p, p.Plies(), got, want)
		}
	}
	for range plies {
		if p.Outcome() != engine.Ongoing || p.Plies() > 300 {
			p.Reset()
		}
		s.Begin(p)
		if src.Uint64()%2 == 0 { // else the first score is not that of the root
			check()
		}
		deep := int(src.Uint64() % 20)
		played := 0
		for ; played < deep; played++ {
			if _, ok := p.DoRandom(src); !ok {
				break
			}
			if src.Uint64()%3 > 0 {
				check()
			}
			if passer, ok := p.(engine.Passer); ok && passer.Pass() {
				check()
				passer.TakePass()
			}
			if src.Uint64()%4 == 0 {
				p.Undo()
				played--
			}
		}
		for range played {
			p.Undo()
			if src.Uint64()%4 == 0 {
				check()
			}
		}
		p.DoRandom(src)
	}
}

// TestMixedScores: a network replaces the hand-written score or corrects it, and a blend
// takes back a part of either.
func TestMixedScores(t *testing.T) {
	for _, g := range games() {
		p := middleGame(g)
		d := nnuetest.Network{Game: g.Name, Features: p.FeatureSet(), Hidden: 32, Buckets: 4, Seed: 1, Scale: 400}
		net, hand := newReference(d).score(p), p.Evaluate()
		if net == 0 || hand == 0 {
			t.Fatalf("%s: network %d, hand-written score %d: want numbers that differ from 0", g.Name, net, hand)
		}
		for _, c := range []struct {
			base        string
			blend, want int
		}{
			{"", 0, net},
			{"", 40, (40*hand + 60*net) / 100},
			{"", 100, hand},
			{"static", 0, hand + net},
			{"static", 40, (40*hand + 60*(hand+net)) / 100},
			{"static", 100, hand},
		} {
			d.Base = c.base
			s := nnue.NewScorer(networkOf(t, g, d), c.blend)
			if s.Begin(p); s.Score() != c.want {
				t.Errorf("%s: base %q, blend %d: score %d, want %d", g.Name, c.base, c.blend, s.Score(), c.want)
			}
		}
	}
}

// reference computes scores as the package comment states them, from the tensors of a file
// and the features of a position, without increments, lanes and vectors.
type reference struct {
	set             *engine.FeatureSet
	hidden, buckets int
	scale           int
	bias, weights   []int
	output          []int
	outputBias      []int
}

func newReference(n nnuetest.Network) *reference {
	t := n.Tensors()
	return &reference{n.Features, n.Hidden, n.Buckets, n.Scale, t[0].Values(), t[1].Values(), t[3].Values(), t[2].Values()}
}

func (r *reference) score(p engine.Featured) int {
	active, out := p.AppendFeatures(nil), 0
	bucket := min(max((len(active)-1)*r.buckets/r.set.Most, 0), r.buckets-1)
	for view, side := range [2]engine.Side{p.Turn(), p.Turn().Other()} {
		for i := range r.hidden {
			sum := r.bias[i]
			for _, f := range active {
				sum += r.weights[f.In(side)*r.hidden+i]
			}
			x := min(max(sum, 0), nnue.QA)
			out += x * x * r.output[(2*bucket+view)*r.hidden+i]
		}
	}
	s := (out/nnue.QA + r.outputBias[bucket]) * r.scale / (nnue.QA * nnue.QB)
	return min(max(s, -engine.MaxStatic), engine.MaxStatic)
}

// TestScoresAreFrozen pins the scores of networks of random weights along random games. If a
// score changes, Version must, because datasets of players with networks change.
func TestScoresAreFrozen(t *testing.T) {
	want := map[string]string{
		"chess":    "1bd87e426f74ce327a78033bee4b4541",
		"contrast": "e3882c843ad8494a3363fb9b34a6ce23",
		"cotulenh": "69d11594fb8739db1a48c623d7cd0a4f",
	}
	for _, g := range games() {
		sum := sha256.New()
		for seed, hidden := range []int{16, 48, 64} {
			p, src := g.New("").(engine.Featured), rand.NewPCG(uint64(seed), 1)
			s := nnue.NewScorer(network(t, g, hidden, 3, uint64(seed)), 20*seed)
			s.Begin(p)
			for range 300 {
				if _, ok := p.DoRandom(src); !ok {
					p.Reset()
				}
				fmt.Fprintln(sum, s.Score())
			}
		}
		if got := fmt.Sprintf("%x", sum.Sum(nil))[:32]; got != want[g.Name] || nnue.Version != 1 {
			t.Errorf("%s: scores of version %d have digest %s, want %s", g.Name, nnue.Version, got, want[g.Name])
		}
	}
}
