package program

import (
	"math"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

func TestMatch(t *testing.T) {
	for _, game := range encode.Games() {
		text := mustRun(t, "match", "--game", game.Name, "--a", "greedy", "--b", "random", "--games", "20", "--json")
		var r matchResult
		read(t, text, &r)
		if r.Wins+r.Losses+r.Draws != 20 || r.Pairs != 10 || r.Penta[0]+r.Penta[1]+r.Penta[2]+r.Penta[3]+r.Penta[4] != 10 || r.Game != game.Name || r.A != "greedy" {
			t.Errorf("%+v", r)
		}
		if r.Elo < 200 || r.EloLow >= r.Elo || r.EloHigh <= r.Elo || math.IsInf(r.EloHigh, 0) {
			t.Errorf("%s: greedy over random: %+v", game.Name, r)
		}
		for _, threads := range []string{"1", "3"} {
			var again matchResult
			read(t, mustRun(t, "match", "--game", game.Name, "--a", "greedy", "--b", "random", "--games", "20", "--json", "--workers", threads), &again)
			if again.withoutTimes() != r.withoutTimes() {
				t.Errorf("%s workers: %+v, want %+v", threads, again, r)
			}
		}
	}
}

// withoutTimes returns the result without what differs between two runs.
func (r matchResult) withoutTimes() matchResult {
	r.CPUA, r.CPUB = 0, 0
	return r
}

// TestMatchCountsCosts: the nodes of a player do not depend on the opponent's name or side,
// and random does not search.
func TestMatchCountsCosts(t *testing.T) {
	var r, mirrored matchResult
	args := []string{"match", "--game", "chess", "--games", "10", "--max-plies", "40", "--json"}
	read(t, mustRun(t, append(args, "--a", "ab:depth=2", "--b", "random")...), &r)
	read(t, mustRun(t, append(args, "--a", "random", "--b", "ab:depth=2")...), &mirrored)
	if r.NodesA == 0 || r.NodesB != 0 || r.CPUA <= r.CPUB || mirrored.NodesB == 0 || r.Clock != threadClock {
		t.Errorf("%+v, mirrored %+v", r, mirrored)
	}
}

// TestMatchIsFair: a player is as strong as itself, even if moving second is a
// disadvantage, because each opening is played with sides swapped.
func TestMatchIsFair(t *testing.T) {
	var r matchResult
	read(t, mustRun(t, "match", "--game", "contrast", "--a", "greedy", "--b", "greedy", "--games", "400", "--opening-plies", "2-6", "--json"), &r)
	if r.EloLow > 0 || r.EloHigh < 0 {
		t.Errorf("greedy against itself: %+v", r)
	}
}

// TestEloByPairs compares with values computed outside of this program from the formulas of
// the pentanomial model. For independent games the trinomial model gives 0 (-68.4 to 68.4).
func TestEloByPairs(t *testing.T) {
	for name, c := range map[string]struct {
		penta          [5]uint64
		elo, low, high float64
	}{
		"all pairs split, because the opening decides":  {[5]uint64{2: 50}, 0, -9.54, 9.54},
		"all pairs won or lost":                         {[5]uint64{25, 0, 0, 0, 25}, 0, -98.37, 98.37},
		"decisive games, independent within pairs":      {[5]uint64{12, 0, 26, 0, 12}, 0, -67.58, 67.58},
		"a stronger player":                             {[5]uint64{5, 10, 20, 40, 25}, 126.28, 85.05, 171.25},
		"a long match, where the prior does not matter": {[5]uint64{73, 5834, 14141, 5863, 89}, 0.41, -1.05, 1.86},
	} {
		counts := tally{Penta: c.penta}
		elo, low, high := counts.elo()
		for i, pair := range [][2]float64{{elo, c.elo}, {low, c.low}, {high, c.high}} {
			if math.Abs(pair[0]-pair[1]) > 0.05 {
				t.Errorf("%s: figure %d is %.2f, want %.2f", name, i, pair[0], pair[1])
			}
		}
	}
}

func TestEloIsFinite(t *testing.T) {
	won := tally{Penta: [5]uint64{4: 500}}
	if _, low, high := won.elo(); math.IsInf(high, 0) || math.IsNaN(low) || low < 500 {
		t.Errorf("500 pairs won: %f to %f", low, high)
	}
	var none tally
	if elo, low, high := none.elo(); elo != 0 || math.IsInf(low, 0) || math.Abs(low+high) > 1e-9 {
		t.Errorf("no pairs: %f, %f to %f", elo, low, high)
	}
}

func TestTally(t *testing.T) {
	var got tally
	for _, pair := range [][2]score{{2, 2}, {2, 1}, {0, 1}, {1, 1}, {0, 2}} {
		got.add(pair[0], pair[1])
	}
	if want := (tally{Wins: 4, Losses: 2, Draws: 4, Pairs: 5, Penta: [5]uint64{0, 1, 2, 1, 1}}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for side, want := range map[engine.Side]score{engine.First: 2, engine.Second: 0} {
		if got := scoreOf(engine.Outcome{Result: engine.FirstWins}, side); got != want {
			t.Errorf("first wins: score %d for side %d", got, side)
		}
	}
	if got := scoreOf(engine.Ongoing, engine.First); got != 1 {
		t.Errorf("a game that was cut off has score %d", got)
	}
}
