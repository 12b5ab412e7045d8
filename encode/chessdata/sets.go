package chessdata

import (
	"math/bits"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// Sets of squares have bit 0 for a1 and bit 63 for h8.

// Kinds of pieces: codes of white.
const (
	pawnKind   = 1
	knightKind = 2
	bishopKind = 3
	rookKind   = 4
	queenKind  = 5
	kingKind   = 6
)

// kindOf returns the kind of a code, which is not 0.
func kindOf(code uint8) uint8 { return (code-1)%perSide + 1 }

// first returns the first square of a set that is not empty.
func first(set uint64) uint8 { return uint8(bits.TrailingZeros64(set)) }

// nth returns square n of a set in ascending order. The set has more than n.
func nth(set uint64, n int) uint8 {
	for range n {
		set &= set - 1
	}
	return first(set)
}

// below returns the number of squares of a set that come before a square.
func below(set uint64, square uint8) int { return bits.OnesCount64(set & (1<<square - 1)) }

// setOf returns the squares of the pieces with a code.
func setOf(p *chess.Parts, code uint8) (set uint64) {
	for cell, c := range p.Cells {
		if c == code {
			set |= 1 << (cell ^ flip)
		}
	}
	return set
}

// sideSets returns the squares of the pieces of the side to move, and of the other side.
func sideSets(p *chess.Parts) (own, other uint64) {
	var sets [2]uint64
	for cell, code := range p.Cells {
		if code != 0 {
			sets[sideOf(code)] |= 1 << (cell ^ flip)
		}
	}
	return sets[p.Turn], sets[p.Turn.Other()]
}

// step is a number of files and ranks.
type step struct{ files, ranks int }

var (
	knightSteps = []step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
	rookSteps   = []step{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	bishopSteps = []step{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	queenSteps  = append(append([]step(nil), rookSteps...), bishopSteps...)
)

// reach returns the squares that a piece on a square reaches by up to n steps in each direction;
// the pieces on all stop it.
func reach(square uint8, steps []step, n int, all uint64) (set uint64) {
	for _, s := range steps {
		file, rank := int(square%8), int(square/8)
		for range n {
			file, rank = file+s.files, rank+s.ranks
			if uint(file) > 7 || uint(rank) > 7 {
				break
			}
			bit := uint64(1) << (8*rank + file)
			if set |= bit; all&bit != 0 {
				break
			}
		}
	}
	return set
}

// attacks returns the squares that a piece other than a pawn attacks.
func attacks(kind, square uint8, all uint64) uint64 {
	switch kind {
	case knightKind:
		return reach(square, knightSteps, 1, all)
	case bishopKind:
		return reach(square, bishopSteps, 7, all)
	case rookKind:
		return reach(square, rookSteps, 7, all)
	case queenKind:
		return reach(square, queenSteps, 7, all)
	}
	return reach(square, queenSteps, 1, all)
}

var pawnSteps = [2][]step{{{-1, 1}, {1, 1}}, {{-1, -1}, {1, -1}}}

// pawnCaptures returns the squares that a pawn of a side attacks.
func pawnCaptures(square uint8, side engine.Side) uint64 { return reach(square, pawnSteps[side], 1, 0) }

// kingIsAttacked reports whether the other side attacks a king of a side.
func kingIsAttacked(p *chess.Parts, side engine.Side) bool {
	kings := setOf(p, whiteKing+uint8(side)*perSide)
	if kings == 0 {
		return false
	}
	own, other := sideSets(p)
	king, enemy := first(kings), uint8(side.Other())*perSide
	for kind := uint8(knightKind); kind <= kingKind; kind++ {
		if attacks(kind, king, own|other)&setOf(p, kind+enemy) != 0 {
			return true
		}
	}
	return pawnCaptures(king, side)&setOf(p, whitePawn+enemy) != 0
}
