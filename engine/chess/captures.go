package chess

import (
	"math/bits"

	"selfplay/engine"
)

// Captures appends the legal captures and promotions. It generates them as Moves does,
// with fewer targets.
func (p *Position) Captures(dst []engine.Move) []engine.Move {
	us := p.turn()
	cell := p.kingCell(us)
	checkers, pinned := p.checkersAndPins(us, cell)
	if checkers != 0 {
		return p.capturesInCheck(dst, us, cell, checkers, pinned)
	}
	own, them := p.sides[us], p.sides[us^1]
	occupied, free := own|them, own&^pinned
	dst = p.pawnCaptures(dst, us, p.kinds[pawn]&free)
	for set := p.kinds[knight] & free; set != 0; set &= set - 1 {
		from := firstCell(set)
		if targets := knightReach[from] & them; targets != 0 {
			dst = p.appendTargets(dst, fromPart(colourOf(us)|knight, squareOf(from)), targets)
		}
	}
	for set := (p.kinds[bishop] | p.kinds[rook] | p.kinds[queen]) & free; set != 0; set &= set - 1 {
		from := firstCell(set)
		sq := squareOf(from)
		piece := p.board[sq]
		base := fromPart(piece, sq)
		for left := sliderReach[piece&kindBits][from] & them; left != 0; left &= left - 1 {
			cell := firstCell(left)
			if between[from][cell]&occupied == 0 {
				to := squareOf(cell)
				dst = append(dst, base|toPart(p.board[to], to))
			}
		}
	}
	if pinned != 0 {
		dst = p.pinnedCaptures(dst, us, cell, pinned)
	}
	if p.state&passantBits != 0 {
		dst = p.passantMoves(dst)
	}
	if kingReach[cell]&them != 0 {
		dst = p.kingCaptures(dst, us, cell)
	}
	return dst
}

// pawnCaptures lists the captures and promotions of pawns that are not pinned, without
// en passant.
func (p *Position) pawnCaptures(dst []engine.Move, us uint8, pawns uint64) []engine.Move {
	a := &advances[us&1]
	if pawns&advances[us&1^1].home != 0 {
		return p.pawnMoves(dst, us, pawns, p.sides[us&1^1]|lastRanks)
	}
	them := p.sides[us&1^1]
	base := fromPart(colourOf(us)|pawn, 0)
	left := bits.RotateLeft64(pawns&^fileA, a.cells-1) & them
	right := bits.RotateLeft64(pawns&^fileH, a.cells+1) & them
	if left != 0 {
		dst = p.appendPawnCaptures(dst, base, left, a.step+west)
	}
	if right != 0 {
		dst = p.appendPawnCaptures(dst, base, right, a.step+east)
	}
	return dst
}

// pinnedCaptures lists the captures and promotions of pinned pieces along their pins.
func (p *Position) pinnedCaptures(dst []engine.Move, us uint8, cell int, pinned uint64) []engine.Move {
	them := p.sides[us&1^1]
	for set := pinned & p.kinds[pawn]; set != 0; set &= set - 1 {
		dst = p.pawnMoves(dst, us, set&-set, lines[cell&63][firstCell(set)]&(them|lastRanks))
	}
	for set := pinned &^ (p.kinds[pawn] | p.kinds[knight]); set != 0; set &= set - 1 {
		from := firstCell(set)
		dst = p.sliderMoves(dst, from, lines[cell&63][from]&them)
	}
	return dst
}

// capturesInCheck filters the evasions, which are few.
func (p *Position) capturesInCheck(dst []engine.Move, us uint8, cell int, checkers, pinned uint64) []engine.Move {
	start := len(dst)
	dst = p.evasions(dst, us, cell, checkers, pinned)
	keep := start
	for _, m := range dst[start:] {
		if takenOf(m) != empty || m&specialBits >= passant {
			dst[keep] = m
			keep++
		}
	}
	return dst[:keep]
}

// kingCaptures lists the captures of the king.
func (p *Position) kingCaptures(dst []engine.Move, us uint8, cell int) []engine.Move {
	own, them := p.sides[us&1], p.sides[us&1^1]
	set := kingReach[cell&63] & them
	occupied := (own | them) &^ (1 << (cell & 63))
	for left := set; left != 0; left &= left - 1 {
		if p.attacked(firstCell(left), us^1, them, occupied) {
			set ^= left & -left
		}
	}
	return p.appendTargets(dst, fromPart(colourOf(us)|king, squareOf(cell)), set)
}
