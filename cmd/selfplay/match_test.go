package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/workers"
)

func TestMatch(t *testing.T) {
	for _, game := range encode.Games() {
		text := must(t, "match", "--game", game.Name, "--a", "greedy", "--b", "random", "--games", "20", "--json")
		var r matchResult
		read(t, text, &r)
		if r.Wins+r.Losses+r.Draws != 20 || r.Game != game.Name || r.A != "greedy" {
			t.Errorf("%+v", r)
		}
		if r.Elo < 200 || r.EloLow >= r.Elo || r.EloHigh <= r.Elo || math.IsInf(r.EloHigh, 0) {
			t.Errorf("%s: greedy over random: %+v", game.Name, r)
		}
		for _, threads := range []string{"1", "3"} {
			again := must(t, "match", "--game", game.Name, "--a", "greedy", "--b", "random", "--games", "20", "--json", "--workers", threads)
			if again != text {
				t.Errorf("a match played again by %s workers: %s, then %s", threads, text, again)
			}
		}
	}
}

// TestMatchIsFair: a player against itself is level, however bad it is to move
// second, because each opening is played with both colours.
func TestMatchIsFair(t *testing.T) {
	var r matchResult
	read(t, must(t, "match", "--game", "contrast", "--a", "greedy", "--b", "greedy", "--games", "400", "--opening-plies", "2-6", "--json"), &r)
	if r.EloLow > 0 || r.EloHigh < 0 {
		t.Errorf("greedy against itself: %+v", r)
	}
}

func TestElo(t *testing.T) {
	for _, c := range []struct {
		t              tally
		elo, low, high float64
	}{
		{tally{}, 0, -400 * math.Log10(3), 400 * math.Log10(3)},
		{tally{Wins: 50, Losses: 50}, 0, -68.4, 68.4},
		{tally{Draws: 100}, 0, -6.8, 6.8},
		{tally{Wins: 60, Losses: 20, Draws: 20}, 145.6, 84.8, 216.2},
	} {
		elo, low, high := c.t.elo()
		for i, pair := range [][2]float64{{elo, c.elo}, {low, c.low}, {high, c.high}} {
			if math.Abs(pair[0]-pair[1]) > 1 {
				t.Errorf("%+v: figure %d is %.1f, want %.1f", c.t, i, pair[0], pair[1])
			}
		}
	}
	if _, low, high := (tally{Wins: 1000}).elo(); math.IsInf(high, 0) || math.IsNaN(low) || low < 500 {
		t.Errorf("a thousand wins: %f to %f", low, high)
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
	} {
		mustRefuse(t, selfplay("", strings.Fields(c.args)...), 2, c.want)
	}
}

func TestPlayers(t *testing.T) {
	for _, game := range encode.Games() {
		var list []workers.PlayerTypeInfo
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
