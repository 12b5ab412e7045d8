package encode_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/engine/search"
	"selfplay/internal/must"
)

// steep is a model without draws: 200 centi-units are 88.08 % of a game, 100 are 73.11 %.
var steep = encode.Deblunder{Points: 20, A: 0, B: 100}

// paperGame returns the record of a game on paper, and the sides to move: see testdata/blunders.txt.
func paperGame(t *testing.T, result, text string) (rec *engine.Record, turns []engine.Side) {
	t.Helper()
	rec = new(engine.Record)
	result, reason, _ := strings.Cut(result, " by ")
	for i, name := range engine.Reasons() {
		if name == reason {
			rec.Outcome.Reason = engine.Reason(i)
		}
	}
	rec.Outcome.Result = map[string]engine.Result{"first wins": engine.FirstWins, "second wins": engine.SecondWins, "draw": engine.Draw}[result]
	for _, word := range strings.Fields(text) {
		known, isWorse := strings.CutSuffix(word[1:], "?")
		score, err := strconv.Atoi(known)
		best, nodes := uint16(1), uint32(9)
		if isWorse {
			best = 2
		}
		if known == "*" {
			nodes, err = 0, nil
		}
		must.Do(t, err)
		turns = append(turns, engine.Side(strings.IndexByte("fs", word[0])))
		rec.Actions, rec.Best = append(rec.Actions, 1), append(rec.Best, best)
		rec.Scores, rec.Nodes = append(rec.Scores, int16(score)), append(rec.Nodes, nodes)
	}
	return rec, turns
}

// TestBlunders: value targets and the largest drop of games on paper.
func TestBlunders(t *testing.T) {
	enginetest.Conversation(t, "testdata/blunders.txt", "Value targets are in datasets: repair the change", func(question string) string {
		result, text, _ := strings.Cut(question, ":")
		rec, turns := paperGame(t, result, text)
		drop := "no loss is known"
		if loss, at, known := steep.LargestDrop(rec, turns); known {
			drop = fmt.Sprintf("largest loss %d at ply %d", loss, at)
		}
		return fmt.Sprintf("%d, %s", steep.Values(rec, turns, nil), drop)
	})
}

// TestBlunderThresholds: the move loses 50 points.
func TestBlunderThresholds(t *testing.T) {
	rec, turns := paperGame(t, "first wins", "f0? s29990")
	for points, want := range map[int]int16{49: 0, 50: 0, 51: 10000} {
		d := encode.Deblunder{Points: points, A: steep.A, B: steep.B}
		if got := d.Values(rec, turns, nil)[0]; got != want {
			t.Errorf("a loss of 50 points with a threshold of %d: %d, want %d", points, got, want)
		}
	}
	rec, turns = paperGame(t, "draw", "f200? s0")
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
