package stats

import (
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/internal/must"
)

// TestDrawnFromAWonPosition: a side leads in 20 searched plies, by the scores of either side, and the
// game is drawn.
func TestDrawnFromAWonPosition(t *testing.T) {
	model := &encode.WDL{A: 0, B: 100} // its lead is 220
	seen := func(plies int, first, second int16) (scores []int16) {
		for range plies / 2 {
			scores = append(scores, first, second)
		}
		return scores
	}
	for _, c := range []struct {
		name   string
		result engine.Result
		scores []int16
		want   uint64
	}{
		{"first leads", engine.Draw, seen(20, 220, -220), 1},
		{"second leads", engine.Draw, seen(20, -220, 220), 1},
		{"only the leader sees it", engine.Draw, seen(40, 220, 0), 1},
		{"it has a proven win", engine.Draw, seen(20, 29_000, -29_000), 1},
		{"a smaller lead", engine.Draw, seen(40, 219, -219), 0},
		{"in fewer plies", engine.Draw, seen(18, 220, -220), 0},
		{"each side for a while", engine.Draw, slices.Concat(seen(18, 220, -220), seen(18, -220, 220)), 0},
		{"both sides see themselves ahead", engine.Draw, seen(38, 220, 220), 0},
		{"it wins", engine.FirstWins, seen(40, 220, -220), 0},
		{"it loses", engine.SecondWins, seen(40, 220, -220), 0},
		{"cut off", engine.NoResult, seen(40, 220, -220), 0},
	} {
		col := New(encode.Chess(), "", model, 0)
		fork := col.Fork()
		must.Do(t, fork.Add(scored(t, 0, c.result, c.scores...), false))
		must.Do(t, fork.Add(scored(t, 1, engine.Draw, 220, -220, 0), false)) // counts begin again
		col.Merge(fork)
		s := col.Summary(col.Scale())
		got := uint64(0)
		for _, e := range s.Endings {
			got += e.Led
		}
		if got != c.want || s.Scores.Lead != 220 {
			t.Errorf("%s: %d games with a lead of %d, want %d with 220", c.name, got, s.Scores.Lead, c.want)
		}
	}
}

// TestLeadIsThatOfAModel: of the files, or else of the game.
func TestLeadIsThatOfAModel(t *testing.T) {
	chess, without := encode.Chess(), encodetest.TicTacToe()
	without.Models = nil
	for _, c := range []struct {
		name  string
		game  encode.Game
		model *encode.WDL
		want  int
	}{
		{"the files have a model", chess, &encode.WDL{A: 0, B: 100}, 220},
		{"the game has models", chess, nil, 368},
		{"neither has", without, nil, 0},
	} {
		l := newLeads(&c.game, c.model)
		if l.least != c.want {
			t.Errorf("%s: %d, want %d", c.name, l.least, c.want)
		}
	}
}
