package contrast_test

import (
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// The game looks the same in a mirror, and after half a turn with the sides
// swapped; and both together. No other map of the board keeps the rules.

// symmetry maps cells, and swaps sides or not.
type symmetry struct {
	cell func(uint8) uint8
	swap bool
}

var symmetries = map[string]symmetry{
	"mirror":             {mirrored, false},
	"half turn and swap": {turned, true},
	"flip and swap":      {func(c uint8) uint8 { return mirrored(turned(c)) }, true},
}

func mirrored(cell uint8) uint8 { return cell/5*5 + 4 - cell%5 }
func turned(cell uint8) uint8   { return 24 - cell }

// array returns the array as the symmetry shows it; tiles keep their kind.
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

// position returns the position as the symmetry shows it.
func (s symmetry) position(t testing.TB, dialect string, p *contrast.Position) *contrast.Position {
	array := s.array(p.Array())
	list := make([]int, len(array))
	for i, v := range array {
		list[i] = int(v)
	}
	return set(t, in(dialect), textOf(list, 1+int(s.side(p.Turn()))))
}

// TestSymmetry: a symmetry maps the list of moves onto the list, every successor
// onto the successor, and the winner onto the winner.
func TestSymmetry(t *testing.T) {
	for name, s := range symmetries {
		for _, dialect := range dialects {
			t.Run(name+"/"+dialect, func(t *testing.T) {
				t.Parallel()
				m, list := &enginetest.Misses{T: t}, states(t)
				for i, state := range list {
					checkSymmetry(m, s, dialect, state.text(), i%50 == 0)
				}
				m.Report(len(list))
			})
		}
	}
}

func checkSymmetry(m *enginetest.Misses, s symmetry, dialect, text string, successors bool) {
	m.T.Helper()
	p := set(m.T, in(dialect), text)
	q := s.position(m.T, dialect, p)
	list := p.Moves(nil)
	if got := len(q.Moves(nil)); got != len(list) {
		m.Addf("%s: %d moves, there %d", text, len(list), got)
	}
	for _, move := range list {
		there, err := q.Pack(s.step(contrast.Unpack(move)))
		if err != nil {
			m.Addf("%s: %s: %v", text, p.FormatMove(move), err)
			continue
		}
		if !successors {
			continue
		}
		p.Do(move)
		q.Do(there)
		if q.Array() != s.array(p.Array()) {
			m.Addf("%s: %s leads to %s, there to %s", text, p.FormatMove(move), p, q)
		}
		p.Undo()
		q.Undo()
	}
	checkMirroredOutcome(m, s, p, q)
}

func checkMirroredOutcome(m *enginetest.Misses, s symmetry, p, q *contrast.Position) {
	m.T.Helper()
	want := p.Outcome()
	if winner := want.Result; winner == engine.FirstWins || winner == engine.SecondWins {
		want.Result = engine.Win(s.side(engine.Side(winner - engine.FirstWins)))
	}
	if got := q.Outcome(); got != want {
		m.Addf("%s: outcome %v, there %v", p, p.Outcome(), got)
	}
}

// TestNoOtherSymmetry: half a turn alone sends the sides the wrong way, and so
// does a swap alone.
func TestNoOtherSymmetry(t *testing.T) {
	won := at(t, "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,0,0,0,0,3,0,0,0,0,3,1,3,1 o")
	for name, s := range map[string]symmetry{
		"half turn": {turned, false},
		"swap":      {func(cell uint8) uint8 { return cell }, true},
	} {
		if got := s.position(t, "after", won).Outcome(); got != engine.Ongoing {
			t.Errorf("%s of a won position: %v", name, got)
		}
	}
	if slices.Contains(moves(won), "a2,a3 -1") {
		t.Error("the game goes on after a goal")
	}
}
