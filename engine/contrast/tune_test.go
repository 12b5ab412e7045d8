package contrast

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"selfplay/engine"
)

var tune = flag.Int("tune", 0, "number of `games` per match between weights; 0 skips TestTuneWeights")

// player chooses a move of a position whose Outcome is Ongoing.
type player func(p *Position, src *rand.PCG) engine.Move

// random draws with RandomTile at its default.
func random(p *Position, src *rand.PCG) engine.Move {
	m, _ := p.RandomTile(src, 250)
	p.Undo()
	return m
}

// searcher looks depth plies ahead, and one more for moves that reach the goal.
type searcher struct {
	w     *weights
	depth int
	lists [8][]engine.Move
}

const (
	lost    = -30_000
	breadth = 10 // range of the noise that makes games differ
)

func (s *searcher) choose(p *Position, src *rand.PCG) engine.Move {
	best, score := engine.Move(0), math.MinInt
	s.lists[0] = p.Moves(s.lists[0][:0])
	for _, m := range s.lists[0] {
		bias := int(engine.Below(src, breadth))
		p.Do(m)
		v := bias - s.search(p, s.depth-1, 1, 2*lost, bias-max(score, 2*lost))
		p.Undo()
		if v > score {
			best, score = m, v
		}
	}
	return best
}

func (s *searcher) search(p *Position, depth, ply, low, high int) int {
	if p.Over() {
		return s.end(p)
	}
	if depth == 0 {
		return p.score(s.w)
	}
	s.lists[ply] = p.Captures(s.lists[ply][:0])
	if len(s.lists[ply]) > 0 {
		return -lost - ply
	}
	best := math.MinInt
	s.lists[ply] = p.Moves(s.lists[ply][:0])
	for _, m := range s.lists[ply] {
		p.Do(m)
		best = max(best, -s.search(p, depth-1, ply+1, -high, -low))
		p.Undo()
		if low = max(low, best); low >= high {
			break
		}
	}
	if len(s.lists[ply]) == 0 {
		return lost
	}
	return best
}

func (s *searcher) end(p *Position) int {
	switch p.Outcome().Result {
	case engine.Draw:
		return 0
	case engine.Win(p.Turn()):
		return -lost
	}
	return lost
}

// match plays pairs of games with sides swapped, from random openings. It returns the
// wins, draws and losses of a.
func match(a, b player, games int, seed uint64) (score [3]int) {
	const opening, limit = 4, 200
	p, src := New(), rand.NewPCG(0, 0)
	for game := range games {
		p.Reset()
		src.Seed(seed, uint64(game/2))
		for range opening {
			p.RandomTile(src, 250)
		}
		src.Seed(seed, uint64(game)<<32)
		players := [2]player{a, b}
		if game%2 == 1 {
			players = [2]player{b, a}
		}
		for len(p.history) < limit && p.Outcome() == engine.Ongoing {
			p.Do(players[p.turn&1](p, src))
		}
		switch p.Outcome().Result {
		case engine.Win(engine.Side(game % 2)):
			score[0]++
		case engine.Win(engine.Side(game%2) ^ 1):
			score[2]++
		default:
			score[1]++
		}
	}
	return score
}

// elo formats a match score with its Elo difference and a 95% confidence interval.
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

func greedy(w *weights) player    { return (&searcher{w: w, depth: 1}).choose }
func lookahead(w *weights) player { return (&searcher{w: w, depth: 2}).choose }

// weightings are the standard weights with one change each.
var weightings = []struct {
	name   string
	change func(*weights)
}{
	{"no rank", func(w *weights) { w.rank = [ranks - 1]int{} }},
	{"no race", func(w *weights) { w.race = [maxSteps + 1]int{} }},
	{"no moves", func(w *weights) { w.moves = [maxMoves + 1]int{} }},
	{"no tiles", func(w *weights) { w.black, w.gray = 0, 0 }},
	{"no tempo", func(w *weights) { w.tempo = 0 }},
	{"no goalNext", func(w *weights) { w.goalNext = 0 }},
	{"no goalThreat", func(w *weights) { w.goalThreat = 0 }},
	{"rank twice", func(w *weights) { scale(w.rank[:], 2, 1) }},
	{"rank half", func(w *weights) { scale(w.rank[:], 1, 2) }},
	{"race twice", func(w *weights) { scale(w.race[:], 2, 1) }},
	{"race half", func(w *weights) { scale(w.race[:], 1, 2) }},
	{"moves twice", func(w *weights) { scale(w.moves[:], 2, 1) }},
	{"moves half", func(w *weights) { scale(w.moves[:], 1, 2) }},
	{"tiles twice", func(w *weights) { w.black *= 2; w.gray *= 2 }},
	{"goalThreat thrice", func(w *weights) { w.goalThreat *= 3 }},
}

func scale(list []int, by, over int) {
	for i := range list {
		list[i] = list[i] * by / over
	}
}

// TestDeeperSearchWins: greedy play beats random play, and two plies of look-ahead beat greedy
// play, by far more than chance.
func TestDeeperSearchWins(t *testing.T) {
	if score := match(greedy(&standard), random, 40, 1); score[0] < 36 {
		t.Errorf("greedy against random: %s", elo(score))
	}
	if score := match(lookahead(&standard), greedy(&standard), 60, 1); score[0] < 2*score[2] {
		t.Errorf("two plies against one: %s", elo(score))
	}
}

// TestTuneWeights plays the matches behind the weights.
func TestTuneWeights(t *testing.T) {
	if *tune == 0 {
		t.Skip("without -tune")
	}
	t.Log("greedy-random", elo(match(greedy(&standard), random, *tune, 1)))
	t.Log("lookahead-greedy", elo(match(lookahead(&standard), greedy(&standard), *tune, 1)))
	for _, v := range weightings {
		w := standard
		v.change(&w)
		t.Logf("greedy standard-%s: %s", v.name, elo(match(greedy(&standard), greedy(&w), *tune, 1)))
		t.Logf("lookahead standard-%s: %s", v.name, elo(match(lookahead(&standard), lookahead(&w), *tune/2, 1)))
	}
}
