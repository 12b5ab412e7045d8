package workers

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// playedGames returns games of a player.
func playedGames(t *testing.T, g encode.Game, player string, n uint64) []*engine.Record {
	t.Helper()
	s := seriesOf(t, g, player)
	s.Seed, s.MaxPlies, s.Opening.MaxPlies = 4, 40, 4
	return playRecords(t, s, 2, Games(0, n)...)
}

// rescoring returns a series in which a player searches the plies of a selection again.
func rescoring(t *testing.T, g encode.Game, player, where string) Series {
	t.Helper()
	selection := must.Get(ParseSelection(where, &encode.WDL{A: 100, B: 200}, 4))(t)
	s := seriesOf(t, g, player)
	s.Seed, s.MaxPlies, s.Rescore = 4, 40, &selection
	return s
}

// from is the source of a list of games.
func from(games []*engine.Record) RecordSource {
	return func(game uint64, r *engine.Record) error { r.CopyFrom(games[game]); return nil }
}

// rescored returns the games after a player has searched the plies of a selection again.
func rescored(t *testing.T, games []*engine.Record, s Series, size int) (list []*engine.Record) {
	t.Helper()
	pool := Start(s, size)
	defer pool.Close()
	count := new(memoryJournal)
	err := pool.Rescore(t.Context(), Games(0, uint64(len(games))), from(games), count, keepIn(&list))
	if err != nil || count.finished != len(games) || len(list) != len(games) {
		t.Fatalf("%v: %d games finished, %d came, want %d", err, count.finished, len(list), len(games))
	}
	return list
}

// searches returns what a record says of its searches, as text.
func searches(r *engine.Record) string {
	return fmt.Sprint(r.Best, r.Scores, r.Nodes, r.PolicySize, r.PolicyAction, r.PolicyWeight)
}

// TestRescoringByThePlayerChangesNothing: a search without memory that searches its own games
// again finds what it found.
func TestRescoringByThePlayerChangesNothing(t *testing.T) {
	for _, g := range encode.Games() {
		const player = "ab:depth=1,multi=3"
		games := playedGames(t, g, player, 6)
		for i, r := range rescored(t, games, rescoring(t, g, player, "all"), 2) {
			for ply := range games[i].Nodes[games[i].OpeningPlies:] {
				ply += int(games[i].OpeningPlies)
				if r.Scores[ply] != games[i].Scores[ply] || r.Best[ply] != games[i].Best[ply] || r.Nodes[ply] != games[i].Nodes[ply] {
					t.Fatalf("%s game %d ply %d: score %d by %d nodes, played with %d by %d",
						g.Name, i, ply, r.Scores[ply], r.Nodes[ply], games[i].Scores[ply], games[i].Nodes[ply])
				}
			}
			if !reflect.DeepEqual(r.Actions, games[i].Actions) || !reflect.DeepEqual(r.MoveRanks, games[i].MoveRanks) ||
				r.Outcome != games[i].Outcome || r.Players != games[i].Players || r.OpeningPlies != games[i].OpeningPlies {
				t.Errorf("%s game %d: moves, players or outcome changed", g.Name, i)
			}
		}
	}
}

// TestRescoringDoesNotDependOnWorkers, for every kind of player, with memory and with draws of
// random numbers.
func TestRescoringDoesNotDependOnWorkers(t *testing.T) {
	g := encode.Contrast()
	games := playedGames(t, g, "random", 12)
	for _, player := range []string{"greedy", "ab:nodes=200,hash=1", "ab:depth=1,multi=3,temp=50", "mcts:sims=16,noise=0.25,temp=1", "0.5*greedy+0.5*ab:depth=1"} {
		s := rescoring(t, g, player, "all")
		one := rescored(t, games, s, 1)
		for _, size := range []int{2, 5} {
			for i, r := range rescored(t, games, s, size) {
				if searches(r) != searches(one[i]) {
					t.Fatalf("%s: game %d differs with %d workers", player, i, size)
				}
			}
		}
		if i := slices.IndexFunc(one, func(r *engine.Record) bool { return slices.Contains(r.Nodes, 0) }); i >= 0 {
			t.Errorf("%s: game %d has plies without a search", player, i)
		}
	}
}

// TestOnlyChosenPliesChange: the others keep score, best move, nodes and policy.
func TestOnlyChosenPliesChange(t *testing.T) {
	g := encode.Contrast()
	for _, player := range []string{"ab:depth=1,multi=4", "random"} {
		games := playedGames(t, g, player, 12)
		for _, where := range []string{"all", "sample=0.3", "surprise>20", "blunder>3"} {
			s := rescoring(t, g, "mcts:sims=9", where)
			changed, plies := 0, 0
			for i, r := range rescored(t, games, s, 2) {
				turns := must.Get(s.Turns(g.New(""), games[i], nil))(t)
				chosen := s.Rescore.Choose(games[i], turns, nil)
				policies := policiesOf(games[i])
				for ply, policy := range policiesOf(r) {
					plies++
					switch {
					case chosen[ply]:
						changed++
						if r.Nodes[ply] == 0 {
							t.Fatalf("%s: game %d ply %d was chosen and not searched", where, i, ply)
						}
					case len(games[i].Nodes) == 0:
						if r.Nodes[ply] != 0 || r.Best[ply] != r.Actions[ply] || policy != "" {
							t.Fatalf("%s: game %d ply %d has a search", where, i, ply)
						}
					case r.Nodes[ply] != games[i].Nodes[ply] || r.Scores[ply] != games[i].Scores[ply] || r.Best[ply] != games[i].Best[ply] || policy != policies[ply]:
						t.Fatalf("%s: game %d ply %d changed", where, i, ply)
					}
				}
			}
			switch searched := player != "random"; {
			case where == "all" && changed != plies, where == "sample=0.3" && (changed == 0 || changed > plies/2),
				searched && changed == 0, !searched && strings.Contains(where, ">") && changed != 0:
				t.Errorf("%s of %s: %d of %d plies were chosen", where, player, changed, plies)
			}
		}
	}
}

// policiesOf returns the policy of every ply as text, "" for an empty one.
func policiesOf(r *engine.Record) (list []string) {
	at := 0
	for ply := range r.Actions {
		size := 0
		if len(r.PolicySize) > 0 {
			size = int(r.PolicySize[ply])
		}
		text := ""
		if size > 0 {
			text = fmt.Sprint(r.PolicyAction[at:at+size], r.PolicyWeight[at:at+size])
		}
		list, at = append(list, text), at+size
	}
	return list
}

func TestSelectionsAreFrozen(t *testing.T) {
	r := &engine.Record{
		Game: 3, Actions: make([]uint16, 6), Scores: []int16{0, 300, -300, 500, -100, 0}, Nodes: []uint32{1, 1, 1, 1, 1, 0},
		Outcome: engine.Outcome{Result: engine.FirstWins},
	}
	turns := []engine.Side{0, 1, 0, 1, 0, 1}
	model := &encode.WDL{A: 100, B: 200}
	for _, c := range []struct{ where, text, want string }{
		{"all", "all", "111111"},
		{"sample=0.5", "sample=0.5", frozenSample},
		{"surprise>60", "surprise>60 by a=100 b=200", "011110"}, // the loser led, and the winner trailed
		{"blunder>20", "blunder>20 by a=100 b=200", "100100"},
	} {
		s := must.Get(ParseSelection(c.where, model, 1))(t)
		got := ""
		for _, chosen := range s.Choose(r, turns, nil) {
			got += map[bool]string{false: "0", true: "1"}[chosen]
		}
		if s.String() != c.text || got != c.want {
			t.Errorf("%s: %s chooses %s, want %s", c.where, s.String(), got, c.want)
		}
	}
}

const frozenSample = "101011"

func TestSelectionRefusals(t *testing.T) {
	model := &encode.WDL{A: 100, B: 200}
	for _, text := range []string{"", "most", "sample=", "sample=0", "sample=2", "surprise>", "surprise>100", "blunder>-1", "blunder>x"} {
		if _, err := ParseSelection(text, model, 1); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	if _, err := ParseSelection("surprise>10", nil, 1); !errors.Is(err, ErrNoModel) {
		t.Errorf("without a model: %v", err)
	}
}

// TestRescoreEndsEarly: with the error of its source, of its context, and of a game.
func TestRescoreEndsEarly(t *testing.T) {
	g := encode.Contrast()
	games := playedGames(t, g, "random", 8)
	pool := startPool(t, rescoring(t, g, "ab:depth=1", "all"), 2)
	ignore := func(*engine.Record) error { return nil }
	gone := errors.New("the source is gone")
	err := pool.Rescore(t.Context(), Games(0, 8), func(game uint64, r *engine.Record) error {
		if game == 5 {
			return gone
		}
		return from(games)(game, r)
	}, nil, ignore)
	if !errors.Is(err, gone) {
		t.Errorf("error %v, want %v", err, gone)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	err = pool.Rescore(ctx, Games(0, 8), func(game uint64, r *engine.Record) error {
		cancel(gone)
		return from(games)(game, r)
	}, nil, ignore)
	if !errors.Is(err, gone) {
		t.Errorf("error %v, want %v", err, gone)
	}
	broken := func(_ uint64, r *engine.Record) error {
		r.CopyFrom(games[0])
		r.Actions[1] = 65_535
		return nil
	}
	if err := pool.Rescore(t.Context(), Games(0, 1), broken, nil, ignore); err == nil || !strings.Contains(err.Error(), "ply 1") {
		t.Errorf("an illegal record: %v", err)
	}
}
