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
	tune = flag.Int("tune", 0, "`games` per match between variants of the weights; 0 plays none")
	only = flag.String("only", "", "play only the variants whose name contains this `text`")
)

// player chooses a move of a position whose Outcome is Ongoing.
type player func(p *Position, src *rand.PCG) engine.Move

// randomPlayer draws uniformly.
func randomPlayer(p *Position, src *rand.PCG) engine.Move {
	m, _ := p.DoRandom(src)
	p.Undo()
	return m
}

// searcher is an alpha-beta search of depth turns, followed by a quiescence search if
// quiescence is set.
type searcher struct {
	w          *weights
	depth      int
	quiescence bool
	lists      [64][]engine.Move // by ply
}

const (
	lost  = -30_000
	noise = 12 // width of the random bonus that makes games differ
)

// choose returns the best move of the root.
func (s *searcher) choose(p *Position, src *rand.PCG) engine.Move {
	best, score := engine.Move(0), math.MinInt
	for _, m := range s.ordered(p, 0, p.Moves(s.lists[0][:0])) {
		bonus := int(engine.Below(src, noise))
		v := s.searchMove(p, m, s.depth, 1, max(score, lost*2)-bonus, -2*lost) + bonus
		if v > score {
			best, score = m, v
		}
	}
	return best
}

// searchMove returns the score of a move for the side that plays it.
func (s *searcher) searchMove(p *Position, m engine.Move, depth, ply, alpha, beta int) int {
	side := p.turn
	p.Do(m)
	defer p.Undo()
	if p.turn == side {
		return s.search(p, depth, ply, alpha, beta)
	}
	return -s.search(p, depth-1, ply, -beta, -alpha)
}

// search returns the score for the side to move.
func (s *searcher) search(p *Position, depth, ply, alpha, beta int) int {
	if p.Over() {
		return finalScore(p)
	}
	if ply > 40 {
		return p.evaluateWith(s.w)
	}
	list, quiet := s.lists[ply][:0], depth <= 0 && !p.session.open()
	best := math.MinInt
	if quiet {
		best = p.evaluateWith(s.w)
		if !s.quiescence || best >= beta {
			return best
		}
		alpha = max(alpha, best)
		list = p.Captures(list)
	} else if list = p.Moves(list); len(list) == 0 {
		return finalScore(p)
	}
	for _, m := range s.ordered(p, ply, list) {
		if quiet && p.Gain(m) < 0 {
			continue
		}
		best = max(best, s.searchMove(p, m, depth, ply+1, alpha, beta))
		if alpha = max(alpha, best); alpha >= beta {
			break
		}
	}
	return best
}

// ordered sorts the list so that captures come first, those with the most gain before
// others. It keeps the list for reuse at this ply.
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

// finalScore returns the score of a finished game for the side to move.
func finalScore(p *Position) int {
	switch o := p.Outcome(); o.Result {
	case engine.Draw:
		return 0
	case engine.Win(engine.Side(p.turn)):
		return -lost
	}
	return lost
}

// match plays pairs of games from random openings, each opening once with either player
// as red. It returns the wins, draws and losses of the first player.
func match(a, b player, games int, seed uint64) (score [3]int) {
	p, src := New(), rand.NewPCG(0, 0)
	for game := range games {
		src.Seed(seed, uint64(game/2))
		p.Reset()
		for p.Outcome() == engine.Ongoing && (len(p.history) < 10 || p.session.open()) {
			p.DoRandom(src)
		}
		src.Seed(seed, uint64(game)<<32)
		players := [2]player{a, b}
		if game%2 == 1 {
			players = [2]player{b, a}
		}
		for len(p.history) < 300 && p.Outcome() == engine.Ongoing {
			p.Do(players[p.turn](p, src))
		}
		score[1+adjudicate(p)*(2*(game%2)-1)]++
	}
	return score
}

// evaluateWith is Evaluate with other weights and without the tally.
func (p *Position) evaluateWith(w *weights) int {
	sides := [2]strength{p.sumSide(0, w).strength(), p.sumSide(1, w).strength()}
	risks := [2]CommanderRisk{p.commanderRisk(0, sides[1].airForces), p.commanderRisk(1, sides[0].airForces)}
	return w.score(p.turn, &sides, &risks, p.Check())
}

// sumSide adds up a side from the board.
func (p *Position) sumSide(side uint8, w *weights) (s sum) {
	a := &p.sides[side]
	for _, sq := range a.squares[:a.n] {
		code := p.cells[sq] & 511
		s.worth += w.worthAt(code, Square(sq))
		s.material += int64(stackMaterial[code])
	}
	return s
}

// adjudicate returns 1 if red won and -1 if blue won. A drawn or truncated game counts for
// a side that is clearly ahead, because these players do not search deep enough to win.
func adjudicate(p *Position) int {
	switch p.Outcome().Result {
	case engine.FirstWins:
		return 1
	case engine.SecondWins:
		return -1
	}
	const clear = 300
	lead := p.sumSide(0, &standardWeights).strength().material - p.sumSide(1, &standardWeights).strength().material
	return min(max(lead/clear, -1), 1)
}

// elo formats a match score with the Elo difference and its interval of two standard
// errors.
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

// Players by depth in turns, without or with quiescence search.
func depth1(w *weights) player           { return (&searcher{w: w, depth: 1}).choose }
func depth2(w *weights) player           { return (&searcher{w: w, depth: 2}).choose }
func depth1Quiescence(w *weights) player { return (&searcher{w: w, depth: 1, quiescence: true}).choose }
func depth2Quiescence(w *weights) player { return (&searcher{w: w, depth: 2, quiescence: true}).choose }

// variants are the standard weights with one change each.
var variants = []struct {
	name   string
	change func(*weights, *[numTypes]pieceWeights)
}{
	{"published values", usePublishedValues},
	{"no near enemies", func(w *weights, _ *[numTypes]pieceWeights) { w.near = 0 }},
	{"no enemies in range", func(w *weights, _ *[numTypes]pieceWeights) { w.inRange = 0 }},
	{"no air defense", func(w *weights, _ *[numTypes]pieceWeights) { w.noAirDefense = 0 }},
	{"no check", func(w *weights, _ *[numTypes]pieceWeights) { w.check = 0 }},
	{"no tempo", func(w *weights, _ *[numTypes]pieceWeights) { w.tempo = 0 }},
	{"no hero", func(_ *weights, t *[numTypes]pieceWeights) {
		each(t, func(t *pieceWeights) { t.hero, t.lateHero = 0, 0 })
	}},
	{"no advance", func(_ *weights, t *[numTypes]pieceWeights) {
		each(t, func(t *pieceWeights) { t.advance, t.lateAdvance = 0, 0 })
	}},
	{"navy +100", func(_ *weights, t *[numTypes]pieceWeights) { t[Navy].raise(100) }},
	{"air force +100", func(_ *weights, t *[numTypes]pieceWeights) { t[AirForce].raise(100) }},
	{"artillery +60", func(_ *weights, t *[numTypes]pieceWeights) { t[Artillery].raise(60) }},
	{"no pressure", func(w *weights, _ *[numTypes]pieceWeights) { w.pressure = phased{} }},
	{"equal values in the endgame", func(_ *weights, t *[numTypes]pieceWeights) {
		each(t, func(t *pieceWeights) { t.lateValue, t.lateHero = t.value, t.hero })
	}},
	{"near enemies doubled", func(w *weights, _ *[numTypes]pieceWeights) { w.near *= 2 }},
	{"enemies in range doubled", func(w *weights, _ *[numTypes]pieceWeights) { w.inRange *= 2 }},
	{"hero halved", func(_ *weights, t *[numTypes]pieceWeights) {
		each(t, func(t *pieceWeights) { t.hero, t.lateHero = t.hero/2, t.lateHero/2 })
	}},
	{"advance halved", func(_ *weights, t *[numTypes]pieceWeights) {
		each(t, func(t *pieceWeights) { t.advance, t.lateAdvance = t.advance/2, t.lateAdvance/2 })
	}},
	{"no mobility", func(_ *weights, t *[numTypes]pieceWeights) { each(t, func(t *pieceWeights) { t.mobility = 0 }) }},
}

// usePublishedValues replaces the values by the points of the published rules.
func usePublishedValues(_ *weights, pieces *[numTypes]pieceWeights) {
	for i, points := range []int{Infantry: 1, Tank: 2, Militia: 1, Engineer: 1, Artillery: 3,
		AntiAir: 1, Missile: 2, AirForce: 4, Navy: 8, Headquarters: 1} {
		if t := &pieces[i]; Type(i) != Commander {
			// A price consists of the value and the average mobility.
			t.value = 100*points - (priceOf(uint8(i)<<1) - t.value)
			t.lateValue = t.value
		}
	}
}

// raise adds to the value in the opening and in the endgame.
func (t *pieceWeights) raise(n int) { t.value, t.lateValue = t.value+n, t.lateValue+n }

func each(pieces *[numTypes]pieceWeights, f func(*pieceWeights)) {
	for i := range pieces {
		f(&pieces[i])
	}
}

// A search of one turn beats random play, and a search of two turns beats one turn, by
// far more than chance.
func TestDeeperSearchWins(t *testing.T) {
	if score := match(depth1(&standardWeights), randomPlayer, 20, 1); score[0] < 17 {
		t.Errorf("depth 1 against random: %s", elo(score))
	}
	if score := match(depth2(&standardWeights), depth1(&standardWeights), 10, 1); score[0] < 8 {
		t.Errorf("depth 2 against depth 1: %s", elo(score))
	}
}

// TestTuneWeights plays the matches behind the weights. It reports and checks nothing.
func TestTuneWeights(t *testing.T) {
	if *tune == 0 {
		t.Skip("run with -tune to play the matches")
	}
	if *only == "" {
		t.Log("depth 1 against random:", elo(match(depth1(&standardWeights), randomPlayer, *tune, 1)))
		t.Log("depth 2 against depth 1:", elo(match(depth2(&standardWeights), depth1(&standardWeights), *tune, 1)))
		t.Log("depth 2 with against without quiescence:",
			elo(match(depth2Quiescence(&standardWeights), depth2(&standardWeights), *tune, 1)))
	}
	for _, v := range variants {
		if !strings.Contains(v.name, *only) {
			continue
		}
		pieces := standardPieces
		v.change(new(weights), &pieces)
		w := newWeights(&pieces)
		v.change(&w, &pieces)
		t.Logf("standard against %s: %s", v.name, elo(match(depth1Quiescence(&standardWeights), depth1Quiescence(&w), *tune, 1)))
	}
}
