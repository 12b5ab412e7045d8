package encode_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/search"
)

// steep is a model without draws: 200 centi-units are 88.08 % of a game, 100 are 73.11 %.
var steep = encode.Deblunder{Points: 20, A: 0, B: 100}

// decision is a ply of a game on paper.
type decision struct {
	side   engine.Side
	score  int16 // unknown without a search
	marked string
}

const (
	unknown = -1 << 15
	worse   = "?" // another move than the best one is played
)

// paperGame returns the record of decisions, and the sides to move.
func paperGame(result engine.Result, list []decision) (rec *engine.Record, turns []engine.Side) {
	rec = &engine.Record{Outcome: engine.Outcome{Result: result}}
	for _, d := range list {
		turns = append(turns, d.side)
		best, nodes := uint16(1), uint32(9)
		if d.marked == worse {
			best = 2
		}
		if d.score == unknown {
			d.score, nodes = 0, 0
		}
		rec.Actions, rec.Best = append(rec.Actions, 1), append(rec.Best, best)
		rec.Scores, rec.Nodes = append(rec.Scores, d.score), append(rec.Nodes, nodes)
	}
	return rec, turns
}

// TestValueTargets: up to a blunder the value of the position in which it was played, after the
// last one the outcome.
func TestValueTargets(t *testing.T) {
	const first, second = engine.First, engine.Second
	for _, c := range []struct {
		name   string
		result engine.Result
		game   []decision
		want   []int16
	}{
		{"no blunder", engine.FirstWins,
			[]decision{{first, 0, ""}, {second, 0, ""}, {first, 0, worse}, {second, 0, ""}},
			[]int16{10000, -10000, 10000, -10000}},
		{"one blunder", engine.SecondWins,
			[]decision{{first, 0, ""}, {second, 0, ""}, {first, 200, worse}, {second, 200, ""}, {first, -200, ""}},
			[]int16{7616, -7616, 7616, 10000, -10000}},
		{"two blunders", engine.Draw,
			[]decision{{first, 0, ""}, {second, 100, worse}, {first, 0, ""}, {second, 0, ""}, {first, 200, worse}, {second, 0, ""}},
			[]int16{-4622, 4622, 7616, -7616, 7616, 0}},
		{"two blunders in a row", engine.FirstWins,
			[]decision{{first, 200, worse}, {second, 200, worse}, {first, 200, ""}},
			[]int16{7616, 7616, 10000}},
		{"a drop after the best move", engine.SecondWins,
			[]decision{{first, 200, ""}, {second, 200, ""}},
			[]int16{-10000, 10000}},
		{"a loss of 19 points", engine.FirstWins,
			[]decision{{first, 80, worse}, {second, 0, ""}},
			[]int16{10000, -10000}},
		{"a loss of 21 points", engine.FirstWins,
			[]decision{{first, 90, worse}, {second, 0, ""}},
			[]int16{4218, -10000}},
		{"a gain", engine.FirstWins,
			[]decision{{first, -200, worse}, {second, -200, ""}},
			[]int16{10000, -10000}},
		{"a proven end thrown away", engine.Draw,
			[]decision{{first, 29_990, worse}, {second, 0, ""}},
			[]int16{10000, 0}},
		{"without a search before", engine.SecondWins,
			[]decision{{first, unknown, worse}, {second, 200, ""}},
			[]int16{-10000, 10000}},
		{"without a search after", engine.SecondWins,
			[]decision{{first, 200, worse}, {second, unknown, ""}},
			[]int16{-10000, 10000}},
		{"a last move that loses", engine.SecondWins,
			[]decision{{second, -100, ""}, {first, 100, worse}},
			[]int16{-4622, 4622}},
		{"a last move that wins", engine.FirstWins,
			[]decision{{second, -100, ""}, {first, 100, worse}},
			[]int16{-10000, 10000}},
		{"a game that was cut off", engine.NoResult,
			[]decision{{second, -100, ""}, {first, 200, worse}},
			[]int16{0, 0}},
		{"a turn of two decisions", engine.SecondWins,
			[]decision{{first, 200, ""}, {first, 200, worse}, {first, -200, ""}, {second, 200, ""}},
			[]int16{7616, 7616, -10000, 10000}},
		{"a turn of two good decisions", engine.SecondWins,
			[]decision{{first, 200, worse}, {first, 200, ""}, {second, -200, ""}},
			[]int16{-10000, -10000, 10000}},
		{"no decision", engine.Draw, nil, nil},
	} {
		rec, turns := paperGame(c.result, c.game)
		if got := steep.Values(rec, turns, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	rec, turns := paperGame(engine.FirstWins, []decision{{first, 0, worse}, {second, 29_990, ""}}) // loses 50 points
	for points, want := range map[int]int16{49: 0, 50: 0, 51: 10000} {
		d := encode.Deblunder{Points: points, A: steep.A, B: steep.B}
		if got := d.Values(rec, turns, nil)[0]; got != want {
			t.Errorf("a loss of 50 points with a threshold of %d: %d, want %d", points, got, want)
		}
	}
	rec, turns = paperGame(engine.Draw, []decision{{first, 200, worse}, {second, 0, ""}})
	rec.Best, rec.Scores, rec.Nodes = nil, nil, nil
	if got := steep.Values(rec, turns, nil); !slices.Equal(got, []int16{0, 0}) {
		t.Errorf("a game without searches: %v, want its outcome", got)
	}
}

// nextBlunder returns the first blunder from a ply on, -1 for none.
func nextBlunder(d encode.Deblunder, rec *engine.Record, turns []engine.Side, ply int) int {
	chances := func(at int, side engine.Side) int {
		e := search.Expected(int(rec.Scores[at]), d.A, d.B)
		if turns[at] != side {
			e = 10000 - e
		}
		return e
	}
	for ; ply+1 < len(turns); ply++ {
		if rec.Nodes[ply] > 0 && rec.Nodes[ply+1] > 0 && rec.Best[ply] != rec.Actions[ply] &&
			chances(ply, turns[ply])-chances(ply+1, turns[ply]) >= 100*d.Points {
			return ply
		}
	}
	return -1
}

// TestColumnOfValueTargets: of all rows of a game, and the same of those that a filter keeps, from
// any perspective.
func TestColumnOfValueTargets(t *testing.T) {
	d := encode.Deblunder{Points: 5, A: 400, B: 300}
	for _, game := range encode.Games() {
		changed := 0
		for number := range uint64(20) {
			rec := searchedRecord(&game, number, 120)
			rec.Outcome = engine.Outcome{Reason: engine.PlyLimit} // the last move is no blunder
			view := encode.View{Layout: &game.Layouts[0], Searched: true, Deblunder: &d}
			table := rowsOf(t, &game, view, rec)
			col, side := len(table.Columns)-1, encode.ColumnNamed(table.Columns, encode.SideColumn)
			if name := table.Columns[col].Name; name != encode.ValueTargetColumn {
				t.Fatalf("the last column is %s", name)
			}
			turns := make([]engine.Side, table.Rows)
			for ply := range turns {
				turns[ply] = engine.Side(table.Data[side][ply])
			}
			for ply := range turns {
				want := int16(0)
				if at := nextBlunder(d, rec, turns, ply); at >= 0 {
					want = int16(2*search.Expected(int(rec.Scores[at]), d.A, d.B) - 10000)
					if turns[at] != turns[ply] {
						want = -want
					}
				}
				if got := int16(binary.LittleEndian.Uint16(table.Cell(col, ply))); got != want {
					t.Fatalf("%s game %d ply %d: %d, want %d", game.Name, number, ply, got, want)
				}
				if want != 0 {
					changed++
				}
			}
			view.Filter, view.Mover = filter(t, "keep=0.25"), true
			some := rowsOf(t, &game, view, rec)
			for row := range some.Rows {
				ply := int(binary.LittleEndian.Uint16(some.Cell(1, row)))
				if got, want := some.Cell(col, row), table.Cell(col, ply); string(got) != string(want) {
					t.Errorf("%s game %d ply %d: %v with a filter, %v without", game.Name, number, ply, got, want)
				}
			}
		}
		if changed < 20 {
			t.Errorf("%s: only %d value targets differ from the outcome", game.Name, changed)
		}
	}
}

// TestLargestDrop: from a ply to the next, whichever move was played, and to the result at the end.
func TestLargestDrop(t *testing.T) {
	const first, second = engine.First, engine.Second
	for _, c := range []struct {
		name     string
		result   engine.Result
		game     []decision
		drop, at int
		known    bool
	}{
		{"none", engine.FirstWins, []decision{{first, 0, ""}, {second, 0, ""}, {first, 0, ""}}, 0, 0, true},
		{"of one side", engine.FirstWins, []decision{{first, 200, ""}, {second, -100, ""}, {first, 100, ""}}, 1497, 0, true},
		{"of the other side", engine.SecondWins, []decision{{first, 0, ""}, {second, 0, worse}, {first, 200, ""}, {second, -200, ""}}, 3808, 1, true},
		{"in a turn of two plies", engine.Draw, []decision{{first, 200, ""}, {first, 0, ""}, {second, 0, ""}}, 3808, 0, true},
		{"the first of equal ones", engine.FirstWins, []decision{{first, 0, ""}, {second, 100, ""}, {first, 0, ""}, {second, 100, ""}, {first, 0, ""}}, 2311, 0, true},
		{"at the end", engine.SecondWins, []decision{{second, -200, ""}, {first, 200, ""}}, 8808, 1, true},
		{"cut off", engine.NoResult, []decision{{first, 200, ""}}, 0, 0, false},
		{"around a random move", engine.NoResult, []decision{{first, 200, ""}, {second, unknown, ""}, {first, -200, ""}}, 0, 0, false},
		{"no plies", engine.Draw, nil, 0, 0, false},
	} {
		rec, turns := paperGame(c.result, c.game)
		drop, at, known := steep.LargestDrop(rec, turns)
		if drop != c.drop || at != c.at || known != c.known {
			t.Errorf("%s: %d at ply %d, known %t, want %d at %d, %t", c.name, drop, at, known, c.drop, c.at, c.known)
		}
	}
}

// FuzzDeblunder: a text that is taken is the one that String writes.
func FuzzDeblunder(f *testing.F) {
	f.Add("20 by a=130 b=364")
	f.Add("20 by a=130 b=+364")
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := encode.ParseDeblunder(text); err == nil && (d.String() != text || d.Points < 1 || d.Points > encode.MaxBlunder || d.B < 1) {
			t.Errorf("%q is taken as %+v", text, d)
		}
	})
}
