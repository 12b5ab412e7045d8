package encode_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/internal/must"
)

func TestExtraColumnsShowThePosition(t *testing.T) {
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			rec := searchedRecord(&game, 4, 80)
			view := encode.View{Layout: &game.Layouts[0], Searched: true, Extra: encode.ExtraNames()}
			table := rowsOf(t, &game, view, rec)
			p, occurred := game.New(""), map[uint64]int{}
			replayOn(t, &game, p, rec, func(ply int, m engine.Move) {
				var legal []uint16
				for _, m := range p.Moves(nil) {
					legal = append(legal, game.Actions.Number(m))
				}
				slices.Sort(legal)
				if got := numbers(cellOf(table, "legal_actions", ply)); !slices.Equal(got, legal) {
					t.Fatalf("ply %d: legal moves %v, want %v", ply, got, legal)
				}
				if got, want := string(cellOf(table, "move", ply)), p.FormatMove(m); got != want {
					t.Fatalf("ply %d: move %q, want %q", ply, got, want)
				}
				checkCells(t, table, ply, map[string]int{
					"static_score": p.(engine.Evaluator).Evaluate(), "legal": len(legal), "hash": int(p.Hash()), "repetitions": occurred[p.Hash()],
				})
				occurred[p.Hash()]++
			})
		})
	}
}

// cellOf returns a cell by the name of its column.
func cellOf(table *encode.Table, name string, row int) []byte {
	return table.Cell(encode.ColumnNamed(table.Columns, name), row)
}

func numbers(values []byte) (list []uint16) {
	for ; len(values) > 0; values = values[2:] {
		list = append(list, binary.LittleEndian.Uint16(values))
	}
	return list
}

func TestExtraColumnsDoNotDependOnEachOther(t *testing.T) {
	game := encode.Chess()
	rec := searchedRecord(&game, 4, 80)
	all := rowsOf(t, &game, encode.View{Layout: &game.Layouts[0], Extra: encode.ExtraNames()}, rec)
	for _, name := range encode.ExtraNames() {
		one := rowsOf(t, &game, encode.View{Layout: &game.Layouts[0], Extra: []string{name}}, rec)
		last := len(one.Columns) - 1
		col := slices.IndexFunc(all.Columns, func(c encode.Column) bool { return c.Name == name })
		if one.Columns[last] != all.Columns[col] || !slices.Equal(one.Data[last], all.Data[col]) || !slices.Equal(one.Ends[last], all.Ends[col]) {
			t.Errorf("%s differs if it is requested alone", name)
		}
	}
}

// TestExtraColumnsHaveAFixedOrder after the common columns, whatever the order of the request.
func TestExtraColumnsHaveAFixedOrder(t *testing.T) {
	game := encode.Chess()
	for _, searched := range []bool{false, true} {
		plain := encode.View{Layout: &game.Layouts[0], Searched: searched}
		for _, request := range []string{"+static_score,+legal,+legal_actions,+hash,+repetitions,+move,+start_ply", "+move,+start_ply,+repetitions,+hash,+legal_actions,+legal,+static_score", "+legal_actions,+start_ply,+static_score,+repetitions,+hash,+move,+legal"} {
			view := plain
			view.Extra = must.Get(encode.ParseExtra(request))(t)
			var names []string
			for _, c := range view.Columns()[len(plain.Columns()):] {
				names = append(names, c.Name)
			}
			if !slices.Equal(names, []string{"static_score", "legal", "legal_actions", "hash", "repetitions", "move", "start_ply"}) || !slices.Equal(view.Columns()[:len(plain.Columns())], plain.Columns()) {
				t.Errorf("%s: %q after the common columns", request, names)
			}
		}
	}
}

// TestReplayingAgainDoesNotAllocate in any view without texts of moves, which are strings.
func TestReplayingAgainDoesNotAllocate(t *testing.T) {
	numbers := slices.DeleteFunc(encode.ExtraNames(), func(name string) bool { return name == encode.MoveColumn })
	for _, game := range encode.Games() {
		rec := searchedRecord(&game, 4, 200)
		for _, view := range []encode.View{
			{},
			{Searched: true, Mover: true, Extra: numbers},
			{Filter: filter(t, "where=ply>=4", "where=!check", "where=!capture", "keep=0.5", "max-rows-per-game=20")},
		} {
			view.Layout = &game.Layouts[0]
			table, r := encode.NewTable(view.Columns()), encode.NewReplayer(game, "", view)
			dropped := make([]uint64, len(view.Filter.Texts()))
			replay := func() {
				table.Reset()
				must.Do(t, r.Append(rec, table, dropped))
			}
			replay()
			if n := testing.AllocsPerRun(20, replay); n > 0 {
				t.Errorf("%s, %q, %+v: %v allocations a game", game.Name, view.Extra, view.Filter.Texts(), n)
			}
		}
	}
}

// TestRepetitionsCountEveryPly of a game, whatever a filter drops, and each game begins
// anew. The knights go out and back until the game is drawn.
func TestRepetitionsCountEveryPly(t *testing.T) {
	game := encode.Chess()
	rec := encodetest.Knights(t, 8)
	rec.Outcome = engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	for _, test := range []struct {
		filter []string
		want   []uint16
	}{
		{nil, []uint16{0, 0, 0, 0, 1, 1, 1, 1}},
		{[]string{"where=ply>=5"}, []uint16{1, 1, 1}},
	} {
		view := encode.View{Layout: &game.Layouts[0], Extra: []string{"repetitions"}, Filter: filter(t, test.filter...)}
		table := rowsOf(t, &game, view, rec, rec)
		if got, want := numbers(column(t, table, "repetitions")), slices.Concat(test.want, test.want); !slices.Equal(got, want) {
			t.Errorf("filter %q: repetitions %v, want %v", test.filter, got, want)
		}
	}
}
