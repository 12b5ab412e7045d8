package encode_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

func replay(rec *engine.Record) (*encode.Table, error) {
	g := encode.CoTuLenh()
	view := encode.View{Layout: &g.Layouts[0]}
	t := encode.NewTable(view.Columns())
	return t, encode.NewReplayer(g, "", view).Append(rec, t, nil)
}

// column returns the bytes of a column by name.
func column(t *testing.T, table *encode.Table, name string) []byte {
	t.Helper()
	i := encode.ColumnNamed(table.Columns, name)
	if i < 0 {
		t.Fatalf("no column %s", name)
	}
	return table.Data[i]
}

func TestRowsFollowTheRecord(t *testing.T) {
	for _, g := range encode.Games() {
		t.Run(g.Name, func(t *testing.T) {
			rec := randomRecord(&g, 3, 1000)
			table := rowsOf(t, &g, encode.View{Layout: &g.Layouts[0]}, rec)
			if table.Rows != len(rec.Actions) {
				t.Fatalf("%d rows of %d plies", table.Rows, len(rec.Actions))
			}
			for i, c := range table.Columns {
				if want := table.Rows * max(c.Len, 1) * c.Kind.Size(); len(table.Data[i]) != want {
					t.Errorf("column %s has %d bytes, want %d", c.Name, len(table.Data[i]), want)
				}
			}
			p := g.New("")
			replayOn(t, &g, p, rec, func(ply int, _ engine.Move) { checkRow(t, &g, table, p, rec, ply) })
		})
	}
}

// checkRow compares a row with the position and the record that it shows.
func checkRow(t *testing.T, g *encode.Game, table *encode.Table, p engine.Position, rec *engine.Record, ply int) {
	t.Helper()
	action := rec.Actions[ply]
	if got, want := table.Cell(3, ply), g.Layouts[0].Encode(nil, p); string(got) != string(want) {
		t.Fatalf("ply %d: board is %v, want %v", ply, got, want)
	}
	checkCells(t, table, ply, map[string]int{
		"game": int(rec.Game), "ply": ply, "action": int(action), "best_action": int(action), "plies_left": len(rec.Actions) - ply,
		"score": 0, "side": int(p.Turn()), "move_rank": 255, "searched": 0, "outcome": int(rec.Outcome.For(p.Turn())), "reason": int(rec.Outcome.Reason),
	})
}

// checkCells compares the cells of a row with numbers, by column.
func checkCells(t *testing.T, table *encode.Table, row int, wanted map[string]int) {
	t.Helper()
	for name, want := range wanted {
		col := encode.ColumnNamed(table.Columns, name)
		size := table.Columns[col].Kind.Size()
		if got := table.Cell(col, row); string(got) != string(binary.LittleEndian.AppendUint64(nil, uint64(want))[:size]) {
			t.Fatalf("row %d: %s is %v, want %d", row, name, got, want)
		}
	}
}

// replayOn replays a record on p, with a call of look before each move.
func replayOn(t *testing.T, g *encode.Game, p engine.Position, rec *engine.Record, look func(ply int, m engine.Move)) {
	t.Helper()
	must.Do(t, g.Replay(p, rec, look))
}

func TestOutcomesAreFromTheViewOfTheSideToMove(t *testing.T) {
	o := engine.Outcome{Result: engine.SecondWins, Reason: engine.Checkmate}
	if o.For(engine.First) != -1 || o.For(engine.Second) != 1 {
		t.Error("the winner does not see a win")
	}
	if cut := (engine.Outcome{Reason: engine.PlyLimit}); cut.For(engine.First) != 0 || cut.For(engine.Second) != 0 {
		t.Error("a game that was cut off has a winner")
	}
}

func TestRecordsMayStartInAnOpenDeployment(t *testing.T) {
	const start = "10c/11/11/11/11/11/11/11/2(NF)1T6/11/11/3C7 r - - 6 1 c4:(NF):e4"
	table, err := replay(&engine.Record{Start: start, Actions: []uint16{55440}, MoveRanks: []uint8{0}, Outcome: engine.Outcome{Reason: engine.PlyLimit}})
	if err != nil || table.Rows != 1 {
		t.Errorf("%d rows, %v", table.Rows, err)
	}
}

func TestRecordsThatBreakTheRulesAreRefused(t *testing.T) {
	g := encode.CoTuLenh()
	good := randomRecord(&g, 1, 1000)
	cut := engine.Outcome{Reason: engine.PlyLimit}
	for name, rec := range map[string]*engine.Record{
		"a number beyond the actions":    {Actions: []uint16{65535}, MoveRanks: []uint8{0}, Outcome: cut},
		"a commit without a deployment":  {Actions: []uint16{55440}, MoveRanks: []uint8{0}, Outcome: cut},
		"a move of the other side":       {Actions: []uint16{uint16((6*84 + 22) * 5)}, MoveRanks: []uint8{0}, Outcome: cut},
		"a start that is not a position": {Start: "nonsense", Outcome: cut},
		"a missing rank":                 {Actions: good.Actions, MoveRanks: good.MoveRanks[1:], Outcome: good.Outcome},
		"an outcome before the end":      {Actions: good.Actions[:9], MoveRanks: good.MoveRanks[:9], Outcome: good.Outcome},
		"nodes without scores":           {Actions: good.Actions[:1], MoveRanks: good.MoveRanks[:1], Nodes: []uint32{5}, Outcome: cut},
		"an unknown reason":              {Outcome: engine.Outcome{Reason: 250}},
	} {
		if _, err := replay(rec); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	g := encode.CoTuLenh()
	rec := randomRecord(&g, 1, 1000)
	view := encode.View{Layout: &g.Layouts[0]}
	table := encode.NewTable(view.Columns())
	r := encode.NewReplayer(g, "", view)
	b.ReportAllocs()
	for b.Loop() {
		table.Reset()
		must.Do(b, r.Append(rec, table, nil))
	}
	rows := float64(b.N * len(rec.Actions))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/rows, "ns/row")
	b.ReportMetric(rows/b.Elapsed().Seconds(), "rows/s")
}

// TestFullSearchesHaveAPolicy: the column of full searches follows the policies of the record, and the
// condition !cheap drops the other searches and nothing else.
func TestFullSearchesHaveAPolicy(t *testing.T) {
	g := encode.Contrast()
	rec := searchedRecord(&g, 5, 200)
	view := encode.View{Layout: &g.Layouts[0], Searched: true, Caps: true, Old: true}
	rec.OldBest, rec.OldScores, rec.OldNodes = rec.Best, rec.Scores, rec.Nodes
	all := column(t, rowsOf(t, &g, view, rec), encode.FullSearchColumn)
	cheap := 0
	for ply, full := range all {
		if want := rec.PolicySize[ply] > 0; (full == 1) != want {
			t.Errorf("ply %d: full_search %d with a policy of %d moves", ply, full, rec.PolicySize[ply])
		}
		if full == 0 && rec.Nodes[ply] > 0 {
			cheap++
		}
	}
	view.Filter.Where = must.Get(g.ParseWhere("!cheap", nil))(t)
	if kept := rowsOf(t, &g, view, rec).Rows; cheap < 5 || kept != len(all)-cheap {
		t.Errorf("%d of %d rows are kept, %d are of cheap searches", kept, len(all), cheap)
	}
	view.Filter.Where = must.Get(g.ParseWhere("!unsearched,pieces>=1,!cheap", nil))(t)
	for ply, full := range column(t, rowsOf(t, &g, view, rec), encode.FullSearchColumn) {
		if full == 0 {
			t.Errorf("row %d of a full search is marked %d", ply, full)
		}
	}
}

// TestViewsWithoutCapsHaveNoSuchColumn: other plans keep their bytes.
func TestViewsWithoutCapsHaveNoSuchColumn(t *testing.T) {
	g := encode.Contrast()
	if view := (encode.View{Layout: &g.Layouts[0], Searched: true, Old: true}); encode.ColumnNamed(view.Columns(), encode.FullSearchColumn) >= 0 {
		t.Error("the column is there")
	}
}

// partsOf returns the parts of a move from its action number as the side to move sees it: what
// trainers compute from rows.
var partsOf = map[string]func(action uint16) [2]uint16{
	"contrast": func(action uint16) [2]uint16 { return [2]uint16{action / 51, 625 + action%(25*51)} },
}

// TestPartsFollowFromActions: the parts of moves are a function of what datasets have.
func TestPartsFollowFromActions(t *testing.T) {
	for _, g := range encode.Games() {
		p, ok := g.New("").(engine.Policied)
		if !ok {
			continue
		}
		src := rand.NewPCG(3, 3)
		for range 2000 {
			if _, ok := p.DoRandom(src); !ok {
				p.Reset()
			}
			for _, m := range p.Moves(nil) {
				action := g.Actions.Number(m)
				if p.Turn() == engine.Second {
					action = g.Actions.Flip(action)
				}
				if got, want := p.MoveParts(m), partsOf[g.Name](action); got != want {
					t.Fatalf("%s: %s has the parts %d, want %d", p, p.FormatMove(m), got, want)
				}
			}
		}
	}
}
