package query_test

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/internal/must"
	"selfplay/workers"
)

// played makes a dataset of 12 short games with texts of moves. change may modify the shape.
func played(t *testing.T, g encode.Game, change func(*rows.Shape)) *query.Query {
	t.Helper()
	players := [2]workers.PlayerSpec{must.Get(workers.ParsePlayer(&g.Game, "random"))(t), must.Get(workers.ParsePlayer(&g.Game, "greedy"))(t)}
	pool := workers.Start(workers.Series{Game: g, Players: players, Seed: 5, MaxPlies: 60}, 2)
	defer pool.Close()
	shape := rows.New(g, "", 5, true)
	shape.Extra = []string{encode.MoveColumn}
	change(shape)
	p := plan.Plan{Game: g.Name, Rules: g.Rules, Seed: 5, MaxPlies: 60, Actions: g.Actions.Version, ShardGames: 4, Validation: 334}
	shape.Into(&p)
	dir := filepath.Join(t.TempDir(), "set")
	must.Get(making.Make(t.Context(), dir, p, 12, making.Options{Play: pool.Play, Rows: shape.Rows(), Description: shape.Description()}))(t)
	return &query.Query{Dataset: must.Get(datasets.Open(dir))(t), Shape: shape}
}

// keys returns game and ply of the rows of a table for which choose holds.
func keys(t *encode.Table, choose func(row int) bool) (list []string) {
	for row := range t.Rows {
		if choose(row) {
			list = append(list, fmt.Sprint(binary.LittleEndian.Uint64(t.Cell(0, row)), " ", binary.LittleEndian.Uint16(t.Cell(1, row))))
		}
	}
	return list
}

// TestRowsAreThoseOfTheDatasetThatMatch: in every layout, with a filter, and with another perspective.
func TestRowsAreThoseOfTheDatasetThatMatch(t *testing.T) {
	for _, g := range encode.Games() {
		for name, change := range map[string]func(*rows.Shape){
			"compact":  func(*rows.Shape) {},
			"planes":   func(s *rows.Shape) { s.Layout = &s.Game.Layouts[1] },
			"mover":    func(s *rows.Shape) { s.Mover = true },
			"filtered": func(s *rows.Shape) { s.Filter = must.Get(s.Game.ParseFilter([]string{"where=ply>=5", "keep=0.5"}))(t) },
		} {
			q := played(t, g, change)
			all := must.Get(q.Head(t.Context(), 1<<20))(t)
			cell := func(column string, row int) []byte {
				return all.Cell(encode.ColumnNamed(all.Columns, column), row)
			}
			for text, holds := range map[string]func(row int) bool{
				"side=" + g.Sides[1]: func(row int) bool { return cell("side", row)[0] == 1 },
				"score>100": func(row int) bool {
					return cell("searched", row)[0] == 1 && int16(binary.LittleEndian.Uint16(cell("score", row))) > 100
				},
				"player_second=greedy,plies_left<=9": func(row int) bool { return binary.LittleEndian.Uint16(cell("plies_left", row)) <= 9 },
				"game=3|5-7":                         func(row int) bool { n := cell("game", row)[0]; return n == 3 || n >= 5 && n <= 7 },
				"player=nobody":                      func(int) bool { return false },
			} {
				q := &query.Query{Dataset: q.Dataset, Shape: q.Shape, Where: must.Get(g.ParseWhere(text, nil))(t)}
				got := must.Get(q.Head(t.Context(), 1<<20))(t)
				want := keys(all, holds)
				if have := keys(got, func(int) bool { return true }); !slices.Equal(have, want) {
					t.Errorf("%s, %s, %s: rows %v, want %v", g.Name, name, text, have, want)
				}
			}
		}
	}
}

// TestTextsAreThoseOfTheGames: moves equal the column that a replay writes, also after conditions.
func TestTextsAreThoseOfTheGames(t *testing.T) {
	for _, g := range encode.Games() {
		q := played(t, g, func(s *rows.Shape) { s.Mover = true })
		q.Text, q.Where = true, must.Get(g.ParseWhere("ply>=3,!random", nil))(t)
		got := must.Get(q.Head(t.Context(), 1<<20))(t)
		text := func(column string, row int) string {
			return string(got.Cell(encode.ColumnNamed(got.Columns, column), row))
		}
		for row := range got.Rows {
			side, reason := got.Cell(encode.ColumnNamed(got.Columns, "side"), row)[0], got.Cell(encode.ColumnNamed(got.Columns, "reason"), row)[0]
			if text("move", row) != text("best_move", row) { // greedy plays the best move
				t.Errorf("%s: move %s, best move %s", g.Name, text("move", row), text("best_move", row))
			}
			if want := g.Sides[side]; text("side_name", row) != want {
				t.Errorf("%s: side %s, want %s", g.Name, text("side_name", row), want)
			}
			if r, ok := g.Reason(text("reason_name", row)); !ok || uint8(r) != reason {
				t.Errorf("%s: reason %s, want number %d", g.Name, text("reason_name", row), reason)
			}
			if !strings.HasPrefix(text("player_first", row), "random") || text("player_second", row) != "greedy" {
				t.Errorf("%s: players %s and %s", g.Name, text("player_first", row), text("player_second", row))
			}
		}
		if got.Rows == 0 {
			t.Errorf("%s: no rows", g.Name)
		}
	}
}
