package contrast_test

import (
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// The rules are invariant under a left-right mirror, under a flip, which rotates the board
// by 180 degrees and swaps the sides, and under both together. No other map of the board preserves them.

// symmetry maps cells and may swap the sides.
type symmetry struct {
	cell func(uint8) uint8
	swap bool
}

var symmetries = map[string]symmetry{
	"mirror":          {mirrored, false},
	"flip":            {rotated, true},
	"mirror and flip": {func(c uint8) uint8 { return mirrored(rotated(c)) }, true},
}

func mirrored(cell uint8) uint8 { return cell/5*5 + 4 - cell%5 }
func rotated(cell uint8) uint8  { return 24 - cell }

// array returns the mapped array; tiles keep their kind.
func (s symmetry) array(a [contrast.ArrayLen]uint8) (b [contrast.ArrayLen]uint8) {
	for cell := range uint8(25) {
		piece, tile := a[cell]/3, a[cell]%3
		if s.swap && piece > 0 {
			piece = 3 - piece
		}
		b[s.cell(cell)] = piece*3 + tile
	}
	copy(b[25:], a[25:])
	if s.swap {
		b[25], b[26], b[27], b[28] = a[27], a[28], a[25], a[26]
	}
	return b
}

func (s symmetry) side(side engine.Side) engine.Side {
	if s.swap {
		return side.Other()
	}
	return side
}

func (s symmetry) step(m contrast.Step) contrast.Step {
	m.From, m.To = s.cell(m.From), s.cell(m.To)
	if m.Tile > 0 {
		m.Tile = 1 + (m.Tile-1)/25*25 + s.cell((m.Tile-1)%25)
	}
	return m
}

// position returns the mapped position.
func (s symmetry) position(t testing.TB, variant string, p *contrast.Position) *contrast.Position {
	array := s.array(p.Array())
	list := make([]int, len(array))
	for i, v := range array {
		list[i] = int(v)
	}
	return set(t, in(variant), textOf(list, 1+int(s.side(p.Turn()))))
}

// TestSymmetry: a symmetry maps the move list to the move list, successors to
// successors, and the outcome to the outcome.
func TestSymmetry(t *testing.T) {
	for name, s := range symmetries {
		for _, variant := range variants {
			t.Run(name+"/"+variant, func(t *testing.T) {
				t.Parallel()
				d, list := &enginetest.Differences{T: t}, states(t)
				for i, state := range list {
					checkSymmetry(d, s, variant, state.text(), i%50 == 0)
				}
				d.Report(len(list))
			})
		}
	}
}

func checkSymmetry(d *enginetest.Differences, s symmetry, variant, text string, successors bool) {
	d.T.Helper()
	p := set(d.T, in(variant), text)
	q := s.position(d.T, variant, p)
	list := p.Moves(nil)
	if got := len(q.Moves(nil)); got != len(list) {
		d.Addf("%s: %d moves, mapped %d", text, len(list), got)
	}
	for _, move := range list {
		mapped, err := q.Pack(s.step(contrast.Unpack(move)))
		if err != nil {
			d.Addf("%s: %s: %v", text, p.FormatMove(move), err)
			continue
		}
		if !successors {
			continue
		}
		p.Do(move)
		q.Do(mapped)
		if q.Array() != s.array(p.Array()) {
			d.Addf("%s: %s leads to %s, mapped to %s", text, p.FormatMove(move), p, q)
		}
		p.Undo()
		q.Undo()
	}
	checkMappedOutcome(d, s, p, q)
}

func checkMappedOutcome(d *enginetest.Differences, s symmetry, p, q *contrast.Position) {
	d.T.Helper()
	want := p.Outcome()
	if winner := want.Result; winner == engine.FirstWins || winner == engine.SecondWins {
		want.Result = engine.Win(s.side(engine.Side(winner - engine.FirstWins)))
	}
	if got := q.Outcome(); got != want {
		d.Addf("%s: outcome %v, mapped %v", p, p.Outcome(), got)
	}
}

// TestNoOtherSymmetry: a rotation without the swap reverses the sides' directions,
// and so does the swap alone.
func TestNoOtherSymmetry(t *testing.T) {
	won := at(t, "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,0,0,0,0,3,0,0,0,0,3,1,3,1 o")
	for name, s := range map[string]symmetry{
		"rotation": {rotated, false},
		"swap":     {func(cell uint8) uint8 { return cell }, true},
	} {
		if got := s.position(t, "after", won).Outcome(); got != engine.Ongoing {
			t.Errorf("%s of a won position: outcome %v", name, got)
		}
	}
	if slices.Contains(enginetest.MovesOf(won, ""), "a2,a3 -1") {
		t.Error("moves are listed after a goal")
	}
}
