package stats

import (
	"encoding/json"
	"math"
	"testing"

	"selfplay/datasets/wdl"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// record returns a game with these moves that was cut off.
func record(t *testing.T, g encode.Game, plies ...string) *engine.Record {
	t.Helper()
	p, r := g.New(""), &engine.Record{}
	for _, text := range plies {
		m := must.Get(p.ParseMove(text))(t)
		r.Actions = append(r.Actions, g.Actions.Number(m))
		r.MoveRanks = append(r.MoveRanks, engine.RankBest)
		p.Do(m)
	}
	r.Outcome = engine.Outcome{Reason: engine.PlyLimit}
	return r
}

// TestStatisticsOfTwoShortGames: the start occurs three times before a decision, twice in the second
// game, so 8 of 10 positions are distinct.
func TestStatisticsOfTwoShortGames(t *testing.T) {
	g := must.Get(encode.Games().Find("chess"))(t)
	c := New(g, "", nil, 1)
	mate := record(t, g, "f2f3", "e7e5", "g2g4", "d8h4")
	mate.MoveRanks[0] = engine.RankRandom
	mate.Outcome = engine.Outcome{Result: engine.SecondWins, Reason: engine.Checkmate}
	mate.Nodes, mate.Scores = []uint32{0, 9, 9, 9}, []int16{0, 100, -300, 29_999}
	mate.Best, mate.PolicySize = mate.Actions, make([]uint16, 4)
	for _, r := range []*engine.Record{mate, record(t, g, "g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6")} {
		must.Do(t, c.Add(r, false))
	}
	text := must.Get(json.MarshalIndent(c.Summary(Scale{Plies: 10, Moves: 10}), "", " "))(t)
	enginetest.Golden(t, "testdata/two-games.json", string(text)+"\n", "The statistics of two games differ")
}

func TestRecordsThatBreakTheRulesAreRefused(t *testing.T) {
	g := must.Get(encode.Games().Find("chess"))(t)
	r := record(t, g, "e2e4")
	r.Actions = append(r.Actions, r.Actions[0])
	if New(g, "", nil, 0).Add(r, false) == nil {
		t.Error("a record in which white moves twice is accepted")
	}
}

func TestDistinctEstimatesInBoundedMemory(t *testing.T) {
	d := newDistinct()
	d.most = 1000
	const different = 50_000
	for i := range uint64(different) {
		for range 1 + i%3 {
			d.add([]uint64{engine.Mix(i + 1)}, false)
		}
	}
	p := d.positions()
	if !p.Estimated || len(d.seen) > d.most {
		t.Fatalf("%+v, %d kept", p, len(d.seen))
	}
	if got := float64(p.Distinct) / different; math.Abs(got-1) > 0.1 {
		t.Errorf("%d of %d", p.Distinct, different)
	}
	if math.Abs(p.Share-0.5) > 0.05 {
		t.Errorf("share %.3f, want 0.5", p.Share)
	}
}

// TestAUC is 1 if every winner has the higher score and 0.5 if scores have no information.
func TestAUC(t *testing.T) {
	for _, c := range []struct {
		name  string
		tally wdl.Tally
		want  float64
	}{
		{"no outcome", wdl.Tally{}, 0.5},
		{"only draws", wdl.Tally{10: {Draws: 5}}, 0.5},
		{"perfect order", wdl.Tally{10: {Wins: 3}, -10: {Losses: 2, Draws: 7}}, 1},
		{"equal scores", wdl.Tally{0: {Wins: 3, Losses: 2}}, 0.5},
		{"one of four pairs in the wrong order", wdl.Tally{-5: {Losses: 1}, 1: {Wins: 1}, 2: {Losses: 1}, 3: {Wins: 1}}, 0.75},
	} {
		if got := AUC(c.tally); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
