package encode_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// randomRecord plays one random game.
func randomRecord(g *encode.Game, number uint64, maxPlies int) *engine.Record {
	rec := searchedRecord(g, number, maxPlies)
	ranks := slices.Repeat([]uint8{engine.RankRandom}, len(rec.Actions))
	return &engine.Record{Game: number, Actions: rec.Actions, MoveRanks: ranks, Outcome: rec.Outcome}
}

// searchedRecord plays one random game. About every other decision has search results,
// which are random too.
func searchedRecord(g *encode.Game, number uint64, maxPlies int) *engine.Record {
	p, src := g.New(""), rand.NewPCG(11, number)
	rng := rand.New(rand.NewPCG(12, number))
	rec := &engine.Record{Game: number, Outcome: engine.Outcome{Reason: engine.PlyLimit}}
	for len(rec.Actions) < maxPlies {
		moves := p.Moves(nil)
		if p.Outcome() != engine.Ongoing {
			rec.Outcome = p.Outcome()
			break
		}
		best := g.Actions.Number(moves[rng.IntN(len(moves))])
		m, _ := p.DoRandom(src)
		action := g.Actions.Number(m)
		rec.Actions = append(rec.Actions, action)
		rank, score, nodes, policy := engine.RankRandom, int16(0), uint32(0), 0
		if rng.IntN(2) == 0 {
			rank, score, nodes, policy = uint8(rng.IntN(3)), int16(rng.IntN(4000)-2000), 1+rng.Uint32N(1000), rng.IntN(4)
		} else {
			best = action
		}
		rec.Best, rec.MoveRanks = append(rec.Best, best), append(rec.MoveRanks, rank)
		rec.Scores, rec.Nodes = append(rec.Scores, score), append(rec.Nodes, nodes)
		rec.PolicySize = append(rec.PolicySize, uint16(policy))
		for i := range policy {
			rec.PolicyAction = append(rec.PolicyAction, uint16(i)+action%100)
			rec.PolicyWeight = append(rec.PolicyWeight, uint16(len(rec.Actions)))
		}
	}
	return rec
}

// rowsOf returns the rows of records.
func rowsOf(t *testing.T, g *encode.Game, v encode.View, records ...*engine.Record) *encode.Table {
	t.Helper()
	table := encode.NewTable(v.Columns())
	r := encode.NewReplayer(*g, "", v)
	for _, rec := range records {
		must.Do(t, r.Append(rec, table, make([]uint64, len(v.Filter.Texts()))))
	}
	return table
}

// mustEqualRows compares two tables.
func mustEqualRows(t *testing.T, got, want *encode.Table) {
	t.Helper()
	if got.Rows != want.Rows {
		t.Fatalf("%d rows, want %d", got.Rows, want.Rows)
	}
	for col, c := range want.Columns {
		for row := range want.Rows {
			if x, y := got.Cell(col, row), want.Cell(col, row); !slices.Equal(x, y) {
				t.Fatalf("row %d: %s is %v, want %v", row, c.Name, x, y)
			}
		}
	}
}

// filter parses the parts of a filter.
func filter(t testing.TB, parts ...string) encode.Filter {
	t.Helper()
	g := encode.CoTuLenh()
	f := must.Get(g.ParseFilter(parts))(t)
	return f
}

// filtered returns the plies of rec that get a row, and the dropped plies by part.
func filtered(t testing.TB, g *encode.Game, f encode.Filter, seed uint64, rec *engine.Record) (plies []int, dropped []uint64) {
	t.Helper()
	view := encode.View{Layout: &g.Layouts[0], Searched: true, Filter: f, Seed: seed}
	table := encode.NewTable(view.Columns())
	dropped = make([]uint64, len(f.Texts()))
	must.Do(t, encode.NewReplayer(*g, "", view).Append(rec, table, dropped))
	sum := table.Rows
	for row := range table.Rows {
		plies = append(plies, int(binary.LittleEndian.Uint16(table.Cell(1, row))))
	}
	for _, n := range dropped {
		sum += int(n)
	}
	if sum != len(rec.Actions) {
		t.Fatalf("%q: %d rows and %d dropped of %d", f.Texts(), table.Rows, dropped, len(rec.Actions))
	}
	return plies, dropped
}
