package bitboard

import (
	"slices"
	"unsafe"

	"selfplay/engine/cotulenh"
)

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

// ArtilleryReach is the reach of an artillery by the engine's method, MagicReach by magic
// multiplication.
func ArtilleryReach(occupied Board, sq cotulenh.Square) Board {
	return rayMethods[0].reach(occupied, uint8(sq))
}

func MagicReach(occupied Board, sq cotulenh.Square) Board {
	buildMagics()
	return magicReach(occupied, uint8(sq))
}

// TableOf returns where a type that is not heroic moves and captures on an empty board.
func TableOf(t cotulenh.Type, sq cotulenh.Square) (moves, captures Board) {
	kind := uint8(t) << 1
	return boardOf(moveRays(kind, uint8(sq)), uint8(sq)), boardOf(captureRays[kind]&onBoard(uint8(sq)), uint8(sq))
}

// SizeOfBoards returns the bytes of the boards of a position.
func SizeOfBoards() uintptr {
	var p Position
	return 2*(unsafe.Sizeof(p.sides[0].occupied)+unsafe.Sizeof(p.sides[0].leads)) + unsafe.Sizeof(p.heroic)
}
