package encode_test

import (
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// decisionOf is a ply of a game, with the position before it.
type decisionOf struct {
	game *encode.Game
	rec  *engine.Record
	ply  int
	pos  engine.Position
}

func (d decisionOf) score() int16 { return d.rec.Scores[d.ply] }

// fewerPieces reports whether the opponent has fewer pieces after an action. Contrast has
// no captures.
func fewerPieces(g *encode.Game, p engine.Position, action uint16) bool {
	m, err := g.Actions.Move(p, action)
	if err != nil {
		panic(err)
	}
	opponent := p.Turn().Other()
	before := pieces(p, opponent)
	p.Do(m)
	after := pieces(p, opponent)
	p.Undo()
	return g.Actions.IsCapture != nil && after < before
}

// pieces counts the pieces of a side in the text of a position: upper-case letters are the
// first side's, lower-case letters the second side's.
func pieces(p engine.Position, side engine.Side) (n int) {
	text, _, _ := strings.Cut(p.String(), " ")
	for _, r := range text {
		upper := r >= 'A' && r <= 'Z'
		lower := r >= 'a' && r <= 'z'
		if upper && side == engine.First || lower && side == engine.Second {
			n++
		}
	}
	return n
}

// TestPartsOfAFilterApplyInOrder: a row counts for the first part that drops it, and the
// rows that no part drops are kept.
func TestPartsOfAFilterApplyInOrder(t *testing.T) {
	parts := []string{"where=!limit", "where=ply<=120", "where=ply>=4", "where=!random", "where=!abs_score>900", "where=!check", "where=!capture", "keep=0.5"}
	for _, game := range encode.Games() {
		for number := range uint64(20) {
			rec := searchedRecord(&game, number, 200)
			out := make([]map[int]bool, len(parts)) // dropped by each part alone
			for i, part := range parts {
				rows, _ := filtered(t, &game, filter(t, part), 9, rec)
				out[i] = map[int]bool{}
				for ply := range rec.Actions {
					out[i][ply] = !slices.Contains(rows, ply)
				}
			}
			var wantPlies []int
			wantDropped := make([]uint64, len(parts))
			for ply := range rec.Actions {
				first := slices.IndexFunc(out, func(by map[int]bool) bool { return by[ply] })
				if first < 0 {
					wantPlies = append(wantPlies, ply)
				} else {
					wantDropped[first]++
				}
			}
			plies, dropped := filtered(t, &game, filter(t, parts...), 9, rec)
			if !slices.Equal(plies, wantPlies) || !slices.Equal(dropped, wantDropped) {
				t.Fatalf("%s, game %d: plies %v and %d dropped, want %v and %d", game.Name, number, plies, dropped, wantPlies, wantDropped)
			}
		}
	}
}

// TestCountIsTheNumberOfRows: without and with a filter.
func TestCountIsTheNumberOfRows(t *testing.T) {
	for _, game := range encode.Games() {
		for _, parts := range [][]string{nil, {"where=ply>=4", "where=!check", "keep=0.5"}, {"where=pieces>=20", "max-rows-per-game=7"}} {
			v := encode.View{Layout: &game.Layouts[0], Searched: true, Filter: filter(t, parts...), Seed: 4}
			r := encode.NewReplayer(game, "", v)
			for number := range uint64(10) {
				rec := searchedRecord(&game, number, 120)
				rows := rowsOf(t, &game, v, rec)
				if n, err := r.Count(rec); n != rows.Rows || err != nil {
					t.Errorf("%s, %q, game %d: %d rows, want %d, %v", game.Name, parts, number, n, rows.Rows, err)
				}
			}
		}
	}
}

// TestKeptRowsDoNotDependOnTheFilter: a kept row equals the row of the unfiltered table.
func TestKeptRowsDoNotDependOnTheFilter(t *testing.T) {
	for _, game := range encode.Games() {
		for _, mover := range []bool{false, true} {
			view := encode.View{Layout: &game.Layouts[0], Searched: true, Extra: encode.ExtraNames(), Mover: mover, Seed: 3}
			var records []*engine.Record
			for number := range uint64(6) {
				records = append(records, searchedRecord(&game, number, 90))
			}
			all := rowsOf(t, &game, view, records...)
			view.Filter = filter(t, "where=ply>=3", "where=!capture", "keep=0.7", "max-rows-per-game=20")
			some := rowsOf(t, &game, view, records...)
			next := 0
			for row := range some.Rows {
				for !slices.Equal(all.Cell(0, next), some.Cell(0, row)) || !slices.Equal(all.Cell(1, next), some.Cell(1, row)) {
					next++ // compares game and ply; both tables have the same order
				}
				for col, c := range all.Columns {
					if !slices.Equal(all.Cell(col, next), some.Cell(col, row)) {
						t.Fatalf("%s: row %d: %s differs", game.Name, row, c.Name)
					}
				}
			}
			if some.Rows < min(60, all.Rows/4) || some.Rows > 120 {
				t.Errorf("%s: %d rows of %d", game.Name, some.Rows, all.Rows)
			}
		}
	}
}

// TestReplayersHaveNoMemory: rows are a function of the record alone.
func TestReplayersHaveNoMemory(t *testing.T) {
	game := encode.CoTuLenh()
	view := encode.View{Layout: &game.Layouts[0], Searched: true, Extra: encode.ExtraNames(), Mover: true, Seed: 3,
		Filter: filter(t, "where=!check", "where=!capture", "keep=0.5", "max-rows-per-game=9")}
	r := encode.NewReplayer(game, "", view)
	for _, number := range []uint64{4, 9, 4, 2, 9} {
		rec := searchedRecord(&game, number, 150)
		table := encode.NewTable(view.Columns())
		must.Do(t, r.Append(rec, table, make([]uint64, 4)))
		mustEqualRows(t, table, rowsOf(t, &game, view, rec))
	}
}

// TestInvalidRecordsAreRefusedWithAnyFilter: even if none of their rows is kept.
func TestInvalidRecordsAreRefusedWithAnyFilter(t *testing.T) {
	game := encode.CoTuLenh()
	good := searchedRecord(&game, 1, 1000)
	for _, parts := range [][]string{{"where=ply>=60000"}, {"where=!limit", "where=ply>=60000", "where=!check"}, {"keep=0.001"}} {
		for name, change := range map[string]func(rec *engine.Record){
			"an unknown action": func(rec *engine.Record) { rec.Actions[len(rec.Actions)-1] = 65535 },
			"a missing rank":    func(rec *engine.Record) { rec.MoveRanks = rec.MoveRanks[1:] },
			"another outcome":   func(rec *engine.Record) { rec.Outcome = engine.Outcome{Result: engine.FirstWins, Reason: engine.Goal} },
			"a short policy":    func(rec *engine.Record) { rec.PolicyAction = rec.PolicyAction[1:] },
		} {
			rec := *good
			rec.Actions = slices.Clone(rec.Actions)
			change(&rec)
			view := encode.View{Layout: &game.Layouts[0], Searched: true, Filter: filter(t, parts...)}
			if err := encode.NewReplayer(game, "", view).Append(&rec, encode.NewTable(view.Columns()), make([]uint64, len(parts))); err == nil {
				t.Errorf("%q: %s: no error", parts, name)
			}
		}
	}
}

func TestMateDropsProvenEndsOnly(t *testing.T) {
	g := encode.Contrast()
	rec := searchedRecord(&g, 1, 6)
	rec.Scores = []int16{engine.MaxStatic, engine.MaxStatic + 1, -engine.MaxStatic, -engine.MaxStatic - 1, 29999, 29999}
	rec.Nodes = []uint32{1, 1, 1, 1, 1, 0}
	plies, dropped := filtered(t, &g, filter(t, "where=!mate"), 1, rec)
	if want := []int{0, 2, 5}; !slices.Equal(plies, want) || dropped[0] != 3 {
		t.Errorf("plies %v with %v dropped, want %v", plies, dropped, want)
	}
}
