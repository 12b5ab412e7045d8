package encode

import (
	"slices"

	"selfplay/engine"
)

// Two positions are the same if they have the same cells, the same open turn, the same
// side to move, and the same rights and reserves: castling and en passant in chess, hands
// in Contrast. Clocks, move numbers and repetitions do not count. engine.Position.Hash
// hashes exactly this.

// Identity returns the layout that identifies positions. Layouts of planes do not: some of
// their planes are clocks, and they are drawn from the array of this layout.
func (g *Game) Identity() *Layout {
	i := slices.IndexFunc(g.Layouts, func(l Layout) bool { return l.Identity != nil })
	return &g.Layouts[i] // every game has one: see encodetest.Missing
}

// span is a range of bytes of a board.
type span struct{ from, to int }

// Key returns a function that appends the key of a position to dst. It takes the values of
// the layout on the absolute board and the side to move. Two positions are the same exactly
// if their keys are equal.
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
