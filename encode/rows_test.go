package encode_test

import (
	"encoding/binary"
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
