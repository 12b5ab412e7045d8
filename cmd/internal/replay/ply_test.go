package replay

import (
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// played returns a searched game of every move of which a row is made, cut off after some plies.
func played(t *testing.T, g encode.Game, player string, plies int) *engine.Record {
	t.Helper()
	spec := must.Get(workers.ParsePlayer(&g.Game, player))(t)
	src := rand.NewPCG(1, 2)
	p, pos, r := spec.NewPlayer(src, nil), g.New(""), &engine.Record{Game: 7, OpeningPlies: 2}
	for range plies {
		var d workers.Decision
		if !p.Play(pos, src, &d) {
			break
		}
		number := g.Actions.Number
		r.Actions, r.MoveRanks = append(r.Actions, number(d.Move)), append(r.MoveRanks, d.Rank)
		r.Best, r.Nodes, r.Scores = append(r.Best, number(d.Best)), append(r.Nodes, d.Nodes), append(r.Scores, d.Score)
		r.PolicySize = append(r.PolicySize, uint16(len(d.Policy)))
		for _, w := range d.Policy {
			r.PolicyAction, r.PolicyWeight = append(r.PolicyAction, number(w.Move)), append(r.PolicyWeight, w.Weight)
		}
	}
	r.Outcome = engine.Outcome{Reason: engine.PlyLimit}
	return r
}

// TestPliesOfSearchedGames have the position, the move and the policy of the record.
func TestPliesOfSearchedGames(t *testing.T) {
	for _, g := range encode.Games() {
		r, shape := played(t, g, "mcts:sims=20", 6), rows.New(g, "", 1, true)
		shape.WDL = g.ReferenceModel()
		pos := g.New("")
		for ply := range len(r.Actions) + 1 {
			p := must.Get(At(shape, r, ply))(t)
			if p.Position != pos.String() || p.Side != g.Sides[pos.Turn()] || p.LegalMoves != len(pos.Moves(nil)) || p.Plies != len(r.Actions) {
				t.Errorf("%s ply %d: %+v", g.Name, ply, p)
			}
			if ply == len(r.Actions) {
				if p.Decision != nil || p.Reason != "ply_limit" {
					t.Errorf("%s: the last position has %+v", g.Name, p)
				}
				break
			}
			d, sum := p.Decision, 0.0
			for _, c := range d.Policy {
				sum += c.Share
			}
			if d.Move.Action != r.Actions[ply] || !d.Searched || d.Best == nil || d.Opening != (ply < 2) || sum < 0.999 || sum > 1.001 ||
				!slices.IsSortedFunc(d.Policy, func(a, b Choice) int { return cmp.Compare(b.Share, a.Share) }) {
				t.Errorf("%s ply %d: %+v", g.Name, ply, d)
			}
			m := must.Get(g.Actions.Move(pos, r.Actions[ply]))(t)
			pos.Do(m)
		}
		if _, err := At(shape, r, len(r.Actions)+1); err == nil {
			t.Errorf("%s: a ply after the end was shown", g.Name)
		}
	}
}

// TestListsOfPliesAreNeverNull: also of a game whose array has nothing but cells. Scripts of pages
// walk the lists.
func TestListsOfPliesAreNeverNull(t *testing.T) {
	for _, g := range append(encode.Games(), encodetest.TicTacToe()) {
		shape, r := rows.New(g, "", 1, true), played(t, g, "random", 4)
		for ply := range len(r.Actions) + 1 {
			p, row := must.Get(At(shape, r, ply))(t), must.Get(RowAt(shape, r, ply))(t)
			if p.Array == nil || p.Elements == nil || row.Docs == nil || row.Planes.List == nil {
				t.Errorf("%s ply %d: %+v, %+v", g.Name, ply, p, row)
			}
		}
	}
}

// TestTurnsOfDeployments count their steps.
func TestTurnsOfDeployments(t *testing.T) {
	g := encode.CoTuLenh()
	const start = "10c/11/11/11/11/11/11/11/3(TI)7/11/11/6C4 r - - 0 1"
	r, shape := encodetest.Record(t, &g, start, "Id4>c4", "commit", "Ck12k11"), rows.New(g, "", 1, false)
	for ply, want := range [][2]int{{1, 2}, {2, 2}, {1, 1}} {
		p, err := At(shape, r, ply)
		if err != nil || p.Decision.TurnStep != want[0] || p.Decision.TurnSize != want[1] {
			t.Errorf("ply %d: %+v, %v, want step %d of %d", ply, p.Decision, err, want[0], want[1])
		}
	}
}

// TestRowsAreThoseOfTheDataset: of every layout and perspective, and none for a decision that the
// filter drops.
func TestRowsAreThoseOfTheDataset(t *testing.T) {
	for _, g := range encode.Games() {
		r := played(t, g, "greedy", 5)
		for _, mover := range []bool{false, true} {
			shape := rows.New(g, "", 1, true)
			shape.Mover = mover
			filter := must.Get(shape.Game.ParseFilter([]string{"where=ply>=1"}))(t)
			shape.Filter = filter
			for ply := range len(r.Actions) {
				row := must.Get(RowAt(shape, r, ply))(t)
				if ply == 0 {
					if string(row.Columns) != "null" {
						t.Errorf("%s: the dropped decision has the row %s", g.Name, row.Columns)
					}
					continue
				}
				var columns struct {
					Ply   int
					Board []int
				}
				must.Do(t, json.Unmarshal(row.Columns, &columns))
				if columns.Ply != ply || len(columns.Board) != shape.Layout.Len() {
					t.Errorf("%s ply %d: %s", g.Name, ply, row.Columns)
				}
				first := row.Planes.List[len(row.Planes.List)-1]
				if full := len(first.Cells) == g.Board.Cells(); first.Name == encode.FirstPlane && full != (ply%2 == 0) && g.Name != "cotulenh" {
					t.Errorf("%s ply %d: plane %s has %d cells", g.Name, ply, first.Name, len(first.Cells))
				}
			}
		}
	}
}
