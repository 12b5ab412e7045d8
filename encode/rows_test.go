package encode_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// randomRecord plays one game of CoTuLenh at random.
func randomRecord(game uint64, maxPlies int) *engine.Record {
	g, p, src := encode.CoTuLenh(), cotulenh.New(), rand.NewPCG(7, game)
	rec := &engine.Record{Game: game, Outcome: engine.Outcome{Reason: engine.PlyLimit}}
	for len(rec.Actions) < maxPlies {
		m, ok := p.DoRandom(src)
		if !ok {
			rec.Outcome = p.Outcome()
			break
		}
		rec.Actions = append(rec.Actions, g.Actions.Number(p, m))
		rec.MoveRanks = append(rec.MoveRanks, engine.RankRandom)
	}
	return rec
}

func replay(rec *engine.Record) (*encode.Table, error) {
	g := encode.CoTuLenh()
	view := encode.View{Layout: &g.Layouts[0]}
	t := encode.NewTable(view.Columns())
	return t, encode.NewReplayer(g, "", view).Append(rec, t, nil)
}

// column returns the bytes of a column by name.
func column(t *testing.T, table *encode.Table, name string) []byte {
	t.Helper()
	i := slices.IndexFunc(table.Columns, func(c encode.Column) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no column %s", name)
	}
	return table.Data[i]
}

func TestRowsFollowTheRecord(t *testing.T) {
	rec := randomRecord(3, 1000)
	table, err := replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	n := len(rec.Actions)
	if table.Rows != n {
		t.Fatalf("%d rows of %d plies", table.Rows, n)
	}
	for i, c := range table.Columns {
		if want := n * max(c.Len, 1) * c.Kind.Size(); len(table.Data[i]) != want {
			t.Errorf("column %s has %d bytes, want %d", c.Name, len(table.Data[i]), want)
		}
	}
	le := binary.LittleEndian
	layout := &encode.CoTuLenh().Layouts[0]
	p, board := cotulenh.New(), column(t, table, "board")
	for ply, action := range rec.Actions {
		size := 2 * layout.Len()
		text, err := layout.Decode(board[ply*size:][:size], engine.Side(column(t, table, "side")[ply]))
		if err != nil || text != p.String() {
			t.Fatalf("ply %d: board says %s, %v; the game %s", ply, text, err, p)
		}
		for name, want := range map[string]uint16{"ply": uint16(ply), "action": action, "best_action": action, "plies_left": uint16(n - ply), "score": 0} {
			if got := le.Uint16(column(t, table, name)[2*ply:]); got != want {
				t.Fatalf("ply %d: %s is %d, want %d", ply, name, got, want)
			}
		}
		for name, want := range map[string]uint8{
			"side": uint8(p.Turn()), "move_rank": 255, "searched": 0,
			"outcome": uint8(rec.Outcome.For(p.Turn())), "reason": uint8(rec.Outcome.Reason),
		} {
			if got := column(t, table, name)[ply]; got != want {
				t.Fatalf("ply %d: %s is %d, want %d", ply, name, got, want)
			}
		}
		if got := le.Uint64(column(t, table, "game")[8*ply:]); got != 3 {
			t.Fatalf("ply %d: game is %d", ply, got)
		}
		m, err := encode.CoTuLenh().Actions.Move(p, action)
		if err != nil {
			t.Fatal(err)
		}
		p.Do(m)
	}
}

func TestRowsSeeTheResultByTheMover(t *testing.T) {
	o := engine.Outcome{Result: engine.SecondWins, Reason: engine.Checkmate}
	if o.For(engine.First) != -1 || o.For(engine.Second) != 1 {
		t.Error("the winner does not see a win")
	}
	if cut := (engine.Outcome{Reason: engine.PlyLimit}); cut.For(engine.First) != 0 || cut.For(engine.Second) != 0 {
		t.Error("a game that was cut off has a winner")
	}
}

func TestRowsStartAnywhere(t *testing.T) {
	const start = "10c/11/11/11/11/11/11/11/2(NF)1T6/11/11/3C7 r - - 6 1 c4:(NF):e4"
	table, err := replay(&engine.Record{Start: start, Actions: []uint16{55440}, MoveRanks: []uint8{0}, Outcome: engine.Outcome{Reason: engine.PlyLimit}})
	if err != nil || table.Rows != 1 {
		t.Errorf("%d rows, %v", table.Rows, err)
	}
}

func TestRowsRefuseRecordsThatBreakTheRules(t *testing.T) {
	good := randomRecord(1, 1000)
	cut := engine.Outcome{Reason: engine.PlyLimit}
	for name, rec := range map[string]*engine.Record{
		"a number that is no move":    {Actions: []uint16{65535}, MoveRanks: []uint8{0}, Outcome: cut},
		"a commit outside a session":  {Actions: []uint16{55440}, MoveRanks: []uint8{0}, Outcome: cut},
		"a move of the other side":    {Actions: []uint16{uint16((6*84 + 22) * 5)}, MoveRanks: []uint8{0}, Outcome: cut},
		"a start that is no position": {Start: "nonsense", Outcome: cut},
		"a rank missing":              {Actions: good.Actions, MoveRanks: good.MoveRanks[1:], Outcome: good.Outcome},
		"an end that did not happen":  {Actions: good.Actions[:9], MoveRanks: good.MoveRanks[:9], Outcome: good.Outcome},
		"nodes without scores":        {Actions: good.Actions[:1], MoveRanks: good.MoveRanks[:1], Nodes: []uint32{5}, Outcome: cut},
	} {
		if _, err := replay(rec); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	g := encode.CoTuLenh()
	rec := randomRecord(1, 1000)
	view := encode.View{Layout: &g.Layouts[0]}
	table := encode.NewTable(view.Columns())
	r := encode.NewReplayer(g, "", view)
	b.ReportAllocs()
	for b.Loop() {
		table.Reset()
		if err := r.Append(rec, table, nil); err != nil {
			b.Fatal(err)
		}
	}
	rows := float64(b.N * len(rec.Actions))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/rows, "ns/row")
	b.ReportMetric(rows/b.Elapsed().Seconds(), "rows/s")
}
