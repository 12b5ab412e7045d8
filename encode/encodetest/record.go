package encodetest

import (
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// Record returns the record of a game that begins at a position, "" for that of the game, and is cut
// off after the moves, which count as random.
func Record(t testing.TB, g *encode.Game, start string, moves ...string) *engine.Record {
	t.Helper()
	p := g.New("")
	if err := engine.Begin(p, start); err != nil {
		t.Fatal(err)
	}
	r := &engine.Record{Start: start}
	for _, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		r.Actions, r.MoveRanks = append(r.Actions, g.Actions.Number(m)), append(r.MoveRanks, engine.RankRandom)
		p.Do(m)
	}
	r.Outcome = engine.Outcome{Reason: engine.PlyLimit}
	return r
}

// Knights returns the record of a game of chess in which the knights go to and fro.
func Knights(t testing.TB, plies int) *engine.Record {
	t.Helper()
	g := encode.Chess()
	var moves []string
	for ply := range plies {
		moves = append(moves, []string{"g1f3", "g8f6", "f3g1", "f6g8"}[ply%4])
	}
	return Record(t, &g, "", moves...)
}
