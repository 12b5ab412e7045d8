package gameindex

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// TestIndexHasTheFactsOfTheRecords: of every game, with and without a search, before and after the
// index is saved.
func TestIndexHasTheFactsOfTheRecords(t *testing.T) {
	for _, s := range []set{{games: 30}, {games: 12, player: "ab:depth=1"}, {games: 20, game: encode.Chess(), format: "arrow"}} {
		root, cache := s.made(t), filepath.Join(t.TempDir(), "cache")
		ix := updated(t, root, cache)
		must.Do(t, ix.Close())
		for _, ix := range []*Index{ix, loaded(t, root, cache, ix.Status().Shards)} {
			if st := ix.Status(); st.Indexed != st.Shards || st.Games != s.games || st.Failed != nil {
				t.Fatalf("%s: %+v", s.player, st)
			}
			for i, r := range records(t, ix) {
				got, ok := ix.Game(uint64(i))
				want := Game{
					Game: uint64(i), Shard: i / 8, Row: i % 8, Players: r.Players, Outcome: r.Outcome,
					Plies: len(r.Actions), Opening: r.Actions[:min(len(r.Actions), OpeningPlies)],
				}
				want.Drop, want.DropPly = dropOf(t, ix, r)
				want.Leads = leadsOf(t, ix, r)
				if !ok || got.Drop != want.Drop || !equal(got, want) {
					t.Errorf("%+v\nwant %+v", got, want)
				}
			}
			if _, ok := ix.Game(s.games); ok {
				t.Error("a game after the last one")
			}
		}
	}
}

func equal(a, b Game) bool {
	opening := slices.Equal(a.Opening, b.Opening)
	a.Opening, b.Opening = nil, nil
	return opening && reflect.DeepEqual(a, b)
}

// dropOf returns the largest drop of a game by the definition.
func dropOf(t *testing.T, ix *Index, r *engine.Record) (drop, ply int) {
	t.Helper()
	if len(r.Nodes) == 0 {
		return -1, 0
	}
	var turns []engine.Side
	g := &ix.Shape().Game
	pos := g.New("")
	must.Do(t, g.Replay(pos, r, func(int, engine.Move) { turns = append(turns, pos.Turn()) }))
	d := encode.Deblunder{A: ix.Model().A, B: ix.Model().B}
	drop, ply, _ = d.LargestDrop(r, turns)
	return drop, ply
}

// leadsOf returns the largest leads of a game by the definition.
func leadsOf(t *testing.T, ix *Index, r *engine.Record) (leads [2]int) {
	t.Helper()
	g := &ix.Shape().Game
	if !g.Board.HasMaterial() {
		return [2]int{-1, -1}
	}
	pos, counter := g.New(""), encode.NewMaterialCounter(g)
	look := func(int, engine.Move) {
		lead := counter.Of(pos).Lead(engine.First)
		leads = [2]int{max(leads[0], lead), max(leads[1], -lead)}
	}
	must.Do(t, g.Replay(pos, r, look))
	look(len(r.Actions), 0)
	return leads
}
