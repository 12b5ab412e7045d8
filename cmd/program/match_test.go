package program

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

func TestMatch(t *testing.T) {
	for _, game := range encode.Games() {
		text := must(t, "match", "--game", game.Name, "--a", "greedy", "--b", "random", "--games", "20", "--json")
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
			read(t, must(t, "match", "--game", game.Name, "--a", "greedy", "--b", "random", "--games", "20", "--json", "--workers", threads), &again)
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
	read(t, must(t, append(args, "--a", "ab:depth=2", "--b", "random")...), &r)
	read(t, must(t, append(args, "--a", "random", "--b", "ab:depth=2")...), &mirrored)
	if r.NodesA == 0 || r.NodesB != 0 || r.CPUA <= r.CPUB || mirrored.NodesB == 0 || r.Clock != threadClock {
		t.Errorf("%+v, mirrored %+v", r, mirrored)
	}
}

// TestMatchIsFair: a player is as strong as itself, even if moving second is a
// disadvantage, because each opening is played with sides swapped.
func TestMatchIsFair(t *testing.T) {
	var r matchResult
	read(t, must(t, "match", "--game", "contrast", "--a", "greedy", "--b", "greedy", "--games", "400", "--opening-plies", "2-6", "--json"), &r)
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

func TestMatchRefusals(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"match --game chess --a greedy", "flag --b is missing"},
		{"match --a greedy --b greedy", "flag --game is missing"},
		{"match --game chess --a greedy --b greedy --games 3", "games 3: want an even number"},
		{"match --game chess --a greedy --b greedy --games 0", "games 0: want an even number"},
		{"match --game chess --a greedy --b greedy --workers 0", "workers 0: want 1 to 4096"},
		{"match --game chess --a ab:depth=99 --b greedy", `depth: "99": want 0 to 64`},
		{"match --game chess --a ab:depth --b greedy", `depth: "": want 0 to 64`},
		{"match --game chess --a ab:depth=1,depth=2 --b greedy", "depth is given twice"},
		{"match --game chess --a mcts:temp=0.0001 --b greedy", "want at most three decimals"},
		{"match --game chess --a greedy --b random --sprt 5", `sprt "5": want ELO0,ELO1`},
		{"match --game chess --a greedy --b random --sprt 5,0", `sprt "5,0": want ELO0,ELO1`},
		{"match --game chess --a greedy --b random --sprt 0,NaN", `sprt "0,NaN": want ELO0,ELO1`},
		{"match --game chess --a greedy --b random --sprt 0,2000", `sprt "0,2000": want ELO0,ELO1 from -1000 to 1000`},
		{"match --game contrast --a greedy --b uci:path=sh,nodes=1", "UCI engines play chess only"},
		{"match --game chess --a greedy --b uci:path=sh", "nodes and depth are missing: want uci:path=FILE"},
		{"match --game chess --a greedy --b uci:nodes=5", "path is missing"},
		{"match --game chess --a greedy --b uci:path=/no/engine,nodes=5", "/no/engine"},
		{"match --game chess --a greedy --b uci:path=sh,nodes=0", `nodes: "0": want 1 to`},
		{"match --game chess --a greedy --b uci:path=sh,movetime=100", "games limited by time cannot be repeated"},
		{"match --game chess --a greedy --b uci:path=sh,nodes=5,option.threads=4", "an engine plays on one thread"},
		{"match --game chess --a greedy --b uci:path=sh,nodes=5,option.Hash=1,option.hash=2", "option hash is given twice"},
		{"match --game chess --a greedy --b 0.5*uci:path=sh+0.5*random", "UCI engines play in selfplay match only"},
		{"run --game chess --games 2 --out x --player uci:path=sh,nodes=5", `player "uci:path=sh,nodes=5": UCI engines play in selfplay match only`},
		{"run --game chess --games 2 --out x --player-second uci:path=sh,nodes=5 --dry-run", "UCI engines play in selfplay match only"},
		{"bench --game chess --player uci:path=sh,nodes=5", "UCI engines play in selfplay match only"},
		{"uci --player uci:path=sh,nodes=5", "UCI engines play in selfplay match only"},
		{"uci --game cotulenh", "game cotulenh: UCI is a protocol for chess"},
		{"uci now", `unexpected argument "now"`},
	} {
		mustRefuse(t, selfplay("", strings.Fields(c.args)...), 2, c.want)
	}
}

func TestPlayers(t *testing.T) {
	for _, game := range encode.Games() {
		var list []workers.PlayerTypeFacts
		if err := json.Unmarshal([]byte(must(t, "players", "--game", game.Name, "--json")), &list); err != nil {
			t.Fatal(err)
		}
		table := must(t, "players", "--game", game.Name)
		for _, k := range list {
			if _, err := workers.ParsePlayer(&game.Game, k.Name); err != nil {
				t.Errorf("%s: %v", game.Name, err)
			}
			if !strings.Contains(table, fmt.Sprintf("version %d: %s", k.Version, k.Doc)) {
				t.Errorf("%s: the table does not show %s", game.Name, k.Name)
			}
		}
		if len(list) != 4 {
			t.Errorf("%s has %d kinds of players, want 4", game.Name, len(list))
		}
	}
}
