package contrast

import (
	"flag"
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/enginetest"
)

var tune = flag.Int("tune", 0, "number of `games` per match between weights; 0 skips TestTuneWeights")

// player chooses a move of a position whose Outcome is Ongoing.
type player = enginetest.Player[*Position]

// random draws with RandomTile at its default.
func random(p *Position, src *rand.PCG) engine.Move {
	m, _ := p.RandomTile(src, 250)
	p.Undo()
	return m
}

func greedy(w *weights) player    { return searching(w, 1) }
func lookahead(w *weights) player { return searching(w, 2) }

func searching(w *weights, depth int) player {
	s := &enginetest.Searcher[*Position]{Depth: depth, Noise: 10, Evaluate: func(p *Position) int { return p.score(w) }}
	return s.Choose
}

// match plays games that begin with four random plies.
var match = enginetest.Match[*Position]{
	Position: New(),
	Open: func(p *Position, src *rand.PCG) {
		for range 4 {
			p.RandomTile(src, 250)
		}
	},
	Plies:  196,
	Winner: func(p *Position) engine.Result { return p.Outcome().Result },
}.Play

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
		t.Errorf("greedy against random: %s", score)
	}
	if score := match(lookahead(&standard), greedy(&standard), 60, 1); score[0] < 2*score[2] {
		t.Errorf("two plies against one: %s", score)
	}
}

// TestTuneWeights plays the matches behind the weights.
func TestTuneWeights(t *testing.T) {
	if *tune == 0 {
		t.Skip("without -tune")
	}
	t.Log("greedy-random", match(greedy(&standard), random, *tune, 1))
	t.Log("lookahead-greedy", match(lookahead(&standard), greedy(&standard), *tune, 1))
	for _, v := range weightings {
		w := standard
		v.change(&w)
		t.Logf("greedy standard-%s: %s", v.name, match(greedy(&standard), greedy(&w), *tune, 1))
		t.Logf("lookahead standard-%s: %s", v.name, match(lookahead(&standard), lookahead(&w), *tune/2, 1))
	}
}
