package encode

import (
	"slices"

	"selfplay/engine"
)

// Same position means: the same cells, the same open turn and the same side to move,
// with all that legal moves depend on, castling and en passant in chess, the hands in
// Contrast. It says nothing of clocks, move numbers and repetitions. engine.Position's
// Hash is a hash of just this.

// Identity returns the layout that tells positions apart. Planes do not: some of them
// are clocks, and all are drawn from the array of that layout.
func (g *Game) Identity() *Layout {
	i := slices.IndexFunc(g.Layouts, func(l Layout) bool { return l.Identity != nil })
	return &g.Layouts[i] // every game has one; a test says so
}

// span is a run of bytes of a board.
type span struct{ from, to int }

// Key returns a function that appends to dst what makes the position of a board, the
// values of the layout where no side is preferred: equal bytes, equal position.
func (l *Layout) Key() func(dst, values []byte, turn engine.Side) []byte {
	var spans []span
	at := 0
	for _, e := range l.Elements {
		next := at + e.Count*l.Kind.Size()
		if slices.Contains(l.Identity, e.Name) {
			spans = append(spans, span{at, next})
		}
		at = next
	}
	return func(dst, values []byte, turn engine.Side) []byte {
		for _, s := range spans {
			dst = append(dst, values[s.from:s.to]...)
		}
		return append(dst, byte(turn))
	}
}
