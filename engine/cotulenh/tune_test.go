package cotulenh

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/engine"
)

var (
	tune = flag.Int("tune", 0, "`games` of each match between weightings; 0 plays none")
	only = flag.String("only", "", "play only the weightings whose name holds this `text`")
)

// player chooses a move of a position whose Outcome is Ongoing.
type player func(p *Position, src *rand.PCG) engine.Move

// random draws uniformly.
func random(p *Position, src *rand.PCG) engine.Move {
	m, _ := p.DoRandom(src)
	p.Undo()
	return m
}

// searcher looks ahead: depth steps in full, then captures if quiet is set.
type searcher struct {
	w     *weights
	depth int
	quiet bool
	nodes int
	lists [64][]engine.Move
}

const (
	lost  = -30_000
	noise = 12 // breadth of the noise that makes games differ
)

func (s *searcher) choose(p *Position, src *rand.PCG) engine.Move {
	best, score := engine.Move(0), math.MinInt
	for _, m := range s.ordered(p, 0, p.Moves(s.lists[0][:0])) {
		bias := int(engine.Below(src, noise))
		v := s.after(p, m, s.depth, 1, max(score, lost*2)-bias, -2*lost) + bias
		if v > score {
			best, score = m, v
		}
	}
	return best
}

// after is the score of a move for the side that makes it.
func (s *searcher) after(p *Position, m engine.Move, depth, ply, low, high int) int {
	side := p.turn
	p.Do(m)
	defer p.Undo()
	s.nodes++
	if p.turn == side {
		return s.look(p, depth, ply, low, high)
	}
	return -s.look(p, depth-1, ply, -high, -low)
}

func (s *searcher) look(p *Position, depth, ply, low, high int) int {
	if p.Over() {
		return s.end(p)
	}
	if ply > 40 {
		return p.score(s.w)
	}
	list, quiet := s.lists[ply][:0], depth <= 0 && !p.session.open()
	best := math.MinInt
	if quiet {
		best = p.score(s.w)
		if !s.quiet || best >= high {
			return best
		}
		low = max(low, best)
		list = p.Captures(list)
	} else if list = p.Moves(list); len(list) == 0 {
		return s.end(p)
	}
	for _, m := range s.ordered(p, ply, list) {
		if quiet && p.Gain(m) < 0 {
			continue
		}
		best = max(best, s.after(p, m, depth, ply+1, low, high))
		if low = max(low, best); low >= high {
			break
		}
	}
	return best
}

// ordered puts the best captures first and keeps the list for its ply.
func (s *searcher) ordered(p *Position, ply int, list []engine.Move) []engine.Move {
	s.lists[ply] = list
	n := 0
	for i, m := range list {
		if p.Gain(m) > 0 {
			list[n], list[i] = m, list[n]
			for j := n; j > 0 && p.Gain(list[j]) > p.Gain(list[j-1]); j-- {
				list[j], list[j-1] = list[j-1], list[j]
			}
			n++
		}
	}
	return list
}

func (s *searcher) end(p *Position) int {
	switch o := p.Outcome(); o.Result {
	case engine.Draw:
		return 0
	case engine.Win(engine.Side(p.turn)):
		return -lost
	}
	return lost
}

// match plays games in pairs with sides changed, from openings of random moves.
// It returns the first player's wins, draws and losses.
func match(a, b player, games int, seed uint64) (score [3]int) {
	p, src := New(), rand.NewPCG(0, 0)
	for game := range games {
		src.Seed(seed, uint64(game/2))
		p.Reset()
		for p.Outcome() == engine.Ongoing && (len(p.past) < 10 || p.session.open()) {
			p.DoRandom(src)
		}
		src.Seed(seed, uint64(game)<<32)
		players := [2]player{a, b}
		if game%2 == 1 {
			players = [2]player{b, a}
		}
		for len(p.past) < 300 && p.Outcome() == engine.Ongoing {
			p.Do(players[p.turn](p, src))
		}
		score[1+verdict(p)*(2*(game%2)-1)]++
	}
	return score
}

// verdict is 1 if red won, -1 if blue did. A game that was drawn or cut off goes
// to a side that is clearly ahead: these players do not see far enough to win.
func verdict(p *Position) int {
	switch p.Outcome().Result {
	case engine.FirstWins:
		return 1
	case engine.SecondWins:
		return -1
	}
	const clear = 300
	lead := p.muster(0, &standard).split().force - p.muster(1, &standard).split().force
	return min(max(lead/clear, -1), 1)
}

// elo is what a match score says, with the breadth of its likely error.
func elo(score [3]int) string {
	n := float64(score[0] + score[1] + score[2])
	mean := (float64(score[0]) + float64(score[1])/2) / n
	at := func(x float64) float64 {
		x = min(max(x, 0.5/n), 1-0.5/n)
		return -400 * math.Log10(1/x-1)
	}
	square := (float64(score[0]) + float64(score[1])/4) / n
	width := 2 * math.Sqrt((square-mean*mean)/n)
	return fmt.Sprintf("+%d =%d -%d: %+.0f Elo [%.0f, %.0f]", score[0], score[1], score[2], at(mean), at(mean-width), at(mean+width))
}

func greedy(w *weights) player { return (&searcher{w: w, depth: 1}).choose }
func plain(w *weights) player  { return (&searcher{w: w, depth: 2}).choose }
func calm(w *weights) player   { return (&searcher{w: w, depth: 2, quiet: true}).choose }
func fast(w *weights) player   { return (&searcher{w: w, depth: 1, quiet: true}).choose }

// weightings are the weights with one thing changed.
var weightings = []struct {
	name   string
	change func(*weights, *[numTypes]trait)
}{
	{"published values", publish},
	{"no near", func(w *weights, _ *[numTypes]trait) { w.near = 0 }},
	{"no aim", func(w *weights, _ *[numTypes]trait) { w.aim = 0 }},
	{"no bare", func(w *weights, _ *[numTypes]trait) { w.bare = 0 }},
	{"no check", func(w *weights, _ *[numTypes]trait) { w.check = 0 }},
	{"no tempo", func(w *weights, _ *[numTypes]trait) { w.tempo = 0 }},
	{"no hero", func(_ *weights, t *[numTypes]trait) { each(t, func(t *trait) { t.hero = 0 }) }},
	{"no advance", func(_ *weights, t *[numTypes]trait) { each(t, func(t *trait) { t.advance, t.late = 0, 0 }) }},
	{"navy up", func(_ *weights, t *[numTypes]trait) { t[Navy].value += 100 }},
	{"air force up", func(_ *weights, t *[numTypes]trait) { t[AirForce].value += 100 }},
	{"artillery up", func(_ *weights, t *[numTypes]trait) { t[Artillery].value += 60 }},
	{"near twice", func(w *weights, _ *[numTypes]trait) { w.near *= 2 }},
	{"aim twice", func(w *weights, _ *[numTypes]trait) { w.aim *= 2 }},
	{"hero half", func(_ *weights, t *[numTypes]trait) { each(t, func(t *trait) { t.hero /= 2 }) }},
	{"advance half", func(_ *weights, t *[numTypes]trait) {
		each(t, func(t *trait) { t.advance /= 2; t.late /= 2 })
	}},
	{"no mobility", func(_ *weights, t *[numTypes]trait) { each(t, func(t *trait) { t.mobility = 0 }) }},
}

// publish sets the values to the points of the published rules.
func publish(_ *weights, traits *[numTypes]trait) {
	for i, points := range []int{Infantry: 1, Tank: 2, Militia: 1, Engineer: 1, Artillery: 3,
		AntiAir: 1, Missile: 2, AirForce: 4, Navy: 8, Headquarter: 1} {
		if t := &traits[i]; Type(i) != Commander {
			// A trait's value is what is left of the price without the mobility.
			t.value = 100*points - (priceOf(uint8(i)<<1) - t.value)
		}
	}
}

func each(traits *[numTypes]trait, f func(*trait)) {
	for i := range traits {
		f(&traits[i])
	}
}

// TestPlayers: greedy play beats random play, and looking two steps ahead beats
// greedy play, by far more than chance.
func TestPlayers(t *testing.T) {
	if score := match(greedy(&standard), random, 20, 1); score[0] < 17 {
		t.Errorf("greedy against random: %s", elo(score))
	}
	if score := match(plain(&standard), greedy(&standard), 10, 1); score[0] < 8 {
		t.Errorf("two steps against one: %s", elo(score))
	}
}

// TestTune plays the matches behind the weights. It is not meant for every run.
func TestTune(t *testing.T) {
	if *tune == 0 {
		t.Skip("without -tune")
	}
	if *only == "" {
		t.Log("greedy-random", elo(match(greedy(&standard), random, *tune, 1)))
		t.Log("plain-greedy", elo(match(plain(&standard), greedy(&standard), *tune, 1)))
		t.Log("calm-plain", elo(match(calm(&standard), plain(&standard), *tune, 1)))
	}
	for _, v := range weightings {
		if !strings.Contains(v.name, *only) {
			continue
		}
		changed := traits
		v.change(new(weights), &changed)
		w := newWeights(&changed)
		v.change(&w, &changed)
		t.Logf("standard-%s: %s", v.name, elo(match(fast(&standard), fast(&w), *tune, 1)))
	}
}
