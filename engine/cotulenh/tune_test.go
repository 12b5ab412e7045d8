package cotulenh

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/enginetest"
)

var (
	tune = flag.Int("tune", 0, "`games` per match between variants of the weights; 0 plays none")
	only = flag.String("only", "", "play only the variants whose name contains this `text`")
)

// player chooses a move of a position whose Outcome is Ongoing.
type player = enginetest.Player[*Position]

// randomPlayer draws uniformly.
func randomPlayer(p *Position, src *rand.PCG) engine.Move {
	m, _ := p.DoRandom(src)
	p.Undo()
	return m
}

// searching returns a player that looks some turns ahead.
func searching(w *weights, turns int, quiescence bool) player {
	s := &enginetest.Searcher[*Position]{Depth: turns, Quiescence: quiescence, Noise: 12}
	s.Evaluate = func(p *Position) int { return p.evaluateWith(w) }
	return s.Choose
}

// Players by depth in turns, without or with quiescence search.
func depth1(w *weights) player           { return searching(w, 1, false) }
func depth2(w *weights) player           { return searching(w, 2, false) }
func depth1Quiescence(w *weights) player { return searching(w, 1, true) }
func depth2Quiescence(w *weights) player { return searching(w, 2, true) }

// match plays games that begin with ten random plies and the rest of their turn.
var match = enginetest.Match[*Position]{
	Position: New(),
	Open: func(p *Position, src *rand.PCG) {
		for p.Outcome() == engine.Ongoing && (len(p.history) < 10 || p.session.open()) {
			p.DoRandom(src)
		}
	},
	Plies:  290,
	Winner: adjudicate,
}.Play

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

// adjudicate returns the winner. A drawn or truncated game counts for a side that is clearly
// ahead, because these players do not search deep enough to win.
func adjudicate(p *Position) engine.Result {
	const clear = 300
	lead := p.sumSide(0, &standardWeights).strength().material - p.sumSide(1, &standardWeights).strength().material
	switch o := p.Outcome(); {
	case o.Result == engine.FirstWins || o.Result == engine.SecondWins:
		return o.Result
	case lead >= clear:
		return engine.FirstWins
	case lead <= -clear:
		return engine.SecondWins
	}
	return engine.Draw
}

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
		t.Errorf("depth 1 against random: %s", score)
	}
	if score := match(depth2(&standardWeights), depth1(&standardWeights), 10, 1); score[0] < 8 {
		t.Errorf("depth 2 against depth 1: %s", score)
	}
}

// TestTuneWeights plays the matches behind the weights. It reports and checks nothing.
func TestTuneWeights(t *testing.T) {
	if *tune == 0 {
		t.Skip("run with -tune to play the matches")
	}
	if *only == "" {
		t.Log("depth 1 against random:", match(depth1(&standardWeights), randomPlayer, *tune, 1))
		t.Log("depth 2 against depth 1:", match(depth2(&standardWeights), depth1(&standardWeights), *tune, 1))
		t.Log("depth 2 with against without quiescence:",
			match(depth2Quiescence(&standardWeights), depth2(&standardWeights), *tune, 1))
	}
	for _, v := range variants {
		if !strings.Contains(v.name, *only) {
			continue
		}
		pieces := standardPieces
		v.change(new(weights), &pieces)
		w := newWeights(&pieces)
		v.change(&w, &pieces)
		t.Logf("standard against %s: %s", v.name, match(depth1Quiescence(&standardWeights), depth1Quiescence(&w), *tune, 1))
	}
}
