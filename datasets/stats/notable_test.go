package stats

import (
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// scored returns a game of chess in which both sides move knights. Score i belongs to ply i.
func scored(t *testing.T, number uint64, result engine.Result, scores ...int16) *engine.Record {
	t.Helper()
	g := encode.Chess()
	p := g.New("")
	r := &engine.Record{Game: number, Outcome: engine.Outcome{Result: result, Reason: engine.Adjudicated}}
	for ply := range scores {
		m := must.Get(p.ParseMove([]string{"g1f3", "g8f6", "f3g1", "f6g8"}[ply%4]))(t)
		p.Do(m)
		r.Actions = append(r.Actions, g.Actions.Number(m))
		r.Nodes = append(r.Nodes, 1)
	}
	r.Scores, r.Best, r.MoveRanks = scores, r.Actions, make([]uint8, len(scores))
	r.PolicySize = make([]uint16, len(scores))
	return r
}

// notableOf returns the notable games of some games.
func notableOf(t *testing.T, games ...*engine.Record) Notable {
	t.Helper()
	c := New(encode.Chess(), "", nil, 0)
	for _, r := range games {
		must.Do(t, c.Add(r, false))
	}
	return c.Notable()
}

func TestFirstAndLongestGame(t *testing.T) {
	n := notableOf(t, scored(t, 7, engine.Draw, 0, 0), scored(t, 3, engine.Draw, 0), scored(t, 5, engine.Draw, 0, 0))
	if n.First.Game != 3 || n.Longest.Game != 5 {
		t.Errorf("first %d, longest %d, want 3 and 5", n.First.Game, n.Longest.Game)
	}
	if n := notableOf(t); n.First != nil || n.Longest != nil || n.Upset != nil {
		t.Errorf("without games: %+v", n)
	}
}

// TestMostSurprisingGame: the highest score without a win.
func TestMostSurprisingGame(t *testing.T) {
	for _, c := range []struct {
		name  string
		games []*engine.Record
		want  Upset
		game  uint64
	}{
		{"first side leads and loses", []*engine.Record{
			scored(t, 0, engine.SecondWins, 100, -100, 300, -200), scored(t, 1, engine.SecondWins, 0, 900, 200),
		}, Upset{Ply: 2, Score: 300, Side: engine.First, Lost: true}, 0},
		{"scores of the winner do not count", []*engine.Record{
			scored(t, 0, engine.FirstWins, 9000, 50), scored(t, 1, engine.SecondWins, 10, 9000),
		}, Upset{Ply: 1, Score: 50, Side: engine.Second, Lost: true}, 0},
		{"both sides can fail to win a drawn game", []*engine.Record{
			scored(t, 0, engine.Draw, 100, 400),
		}, Upset{Ply: 1, Score: 400, Side: engine.Second}, 0},
		{"a proven win that was missed is above all scores", []*engine.Record{
			scored(t, 0, engine.SecondWins, 19_000), scored(t, 1, engine.Draw, 29_999),
		}, Upset{Ply: 0, Score: 29_999, Side: engine.First}, 1},
		{"a loss comes before a draw", []*engine.Record{
			scored(t, 0, engine.Draw, 500), scored(t, 1, engine.SecondWins, 500),
		}, Upset{Ply: 0, Score: 500, Side: engine.First, Lost: true}, 1},
		{"the lower number among equals", []*engine.Record{
			scored(t, 4, engine.Draw, 500), scored(t, 2, engine.Draw, 500),
		}, Upset{Ply: 0, Score: 500, Side: engine.First}, 2},
	} {
		got := notableOf(t, c.games...).Upset
		if got == nil || got.Record.Game != c.game {
			t.Errorf("%s: %+v, want game %d", c.name, got, c.game)
			continue
		}
		c.want.Record = got.Record
		if *got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, *got, c.want)
		}
	}
}

// TestNoSurprise: games that were cut off have no result, and scores of 0 promise nothing.
func TestNoSurprise(t *testing.T) {
	n := notableOf(t, scored(t, 0, engine.NoResult, 5000), scored(t, 1, engine.Draw, 0, -10), scored(t, 2, engine.FirstWins, 700, -700))
	if n.Upset != nil {
		t.Errorf("%+v", n.Upset)
	}
}

// TestNotableGamesAreCopies: readers reuse the memory of a record.
func TestNotableGamesAreCopies(t *testing.T) {
	r := scored(t, 0, engine.Draw, 100, 200)
	n := notableOf(t, r)
	action := r.Actions[0]
	r.Actions[0], r.Scores[0] = 0, 0
	if n.First.Actions[0] != action || n.First.Scores[0] != 100 {
		t.Errorf("%+v", n.First)
	}
	g := encode.Chess()
	if err := g.Replay(g.New(""), n.First, func(int, engine.Move) {}); err != nil {
		t.Error(err)
	}
}
