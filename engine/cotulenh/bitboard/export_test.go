package bitboard

import "slices"

// Difference names what differs between two states of a position apart from its memory, ""
// if nothing does.
func Difference(a, b *Position) string {
	for side := range a.sides {
		s, t := &a.sides[side], &b.sides[side]
		switch {
		case s.occupied != t.occupied || s.leads != t.leads:
			return "the boards"
		case s.n != t.n || !slices.Equal(s.squares[:s.n], t.squares[:t.n]) || !slices.Equal(s.candidates[:s.n], t.candidates[:t.n]):
			return "the list"
		case s.commander != t.commander || s.attacked != t.attacked || s.candidatesTotal != t.candidatesTotal:
			return "the commander, its attackers or the candidates"
		}
	}
	switch {
	case a.heroic != b.heroic || a.cells != b.cells:
		return "the cells or the heroic leads"
	case a.hash != b.hash || a.turn != b.turn || a.half != b.half || a.full != b.full || a.session != b.session:
		return "the hash, the side, the clocks or the session"
	case a.hashCounts != b.hashCounts || !slices.Equal(a.turnHashes, b.turnHashes):
		return "the history"
	}
	return ""
}
