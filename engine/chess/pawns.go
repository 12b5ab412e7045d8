package chess

import (
	"math/bits"
	"slices"

	"selfplay/engine"
)

// advance describes the direction of a side's pawns.
type advance struct {
	cells        int    // step ahead in cells
	step         uint8  // step ahead in squares
	home, pushed uint64 // the start rank, and the rank in front of it
	passantRank  int    // first cell of the rank where en passant captures land
}

var advances = [2]advance{
	{-8, north, rank2, rank2 >> 8, 2 * 8},
	{8, south, rank7, rank7 << 8, 5 * 8},
}

// pawnMoveSets are the target cells of pawn moves: single step, double step, capture
// to the left and to the right as White sees them.
type pawnMoveSets struct{ one, two, left, right uint64 }

// pawnTargets returns the pseudo-legal targets of the given pawns among the allowed
// cells, without en passant.
func (p *Position) pawnTargets(us uint8, pawns, allowed uint64) (t pawnMoveSets) {
	a := &advances[us&1]
	them := p.sides[us&1^1] & allowed
	free := ^p.occupied()
	t.one = bits.RotateLeft64(pawns, a.cells) & free
	t.two = bits.RotateLeft64(t.one&a.pushed, a.cells) & free & allowed
	t.one &= allowed
	t.left = bits.RotateLeft64(pawns&^fileA, a.cells-1) & them
	t.right = bits.RotateLeft64(pawns&^fileH, a.cells+1) & them
	return t
}

// pawnMoves lists the moves of the given pawns to allowed cells, without en passant.
func (p *Position) pawnMoves(dst []engine.Move, us uint8, pawns, allowed uint64) []engine.Move {
	t := p.pawnTargets(us, pawns, allowed)
	step := advances[us&1].step
	base := fromPart(colourOf(us)|pawn, 0)
	if (t.one|t.left|t.right)&lastRanks != 0 {
		dst = p.appendPromotions(dst, base, t.one&lastRanks, step)
		dst = p.appendPromotions(dst, base, t.left&lastRanks, step+west)
		dst = p.appendPromotions(dst, base, t.right&lastRanks, step+east)
		t.one, t.left, t.right = t.one&^lastRanks, t.left&^lastRanks, t.right&^lastRanks
	}
	dst = appendPawnMoves(dst, base, t.one, step)
	if t.two != 0 {
		// Only a pawn that lands beside an enemy pawn can be captured en passant.
		exposed := p.besideEnemyPawns(us) & t.two
		dst = appendPawnMoves(dst, base, t.two&^exposed, 2*step)
		dst = appendPawnMoves(dst, base|double, exposed, 2*step)
	}
	if t.left|t.right != 0 {
		dst = p.appendPawnCaptures(dst, base, t.left, step+west)
		dst = p.appendPawnCaptures(dst, base, t.right, step+east)
	}
	return dst
}

// besideEnemyPawns returns the cells left and right of the other side's pawns.
func (p *Position) besideEnemyPawns(us uint8) uint64 {
	pawns := p.kinds[pawn] & p.sides[us&1^1]
	return pawns&^fileA>>1 | pawns&^fileH<<1
}

// appendPawnMoves lists the quiet pawn moves that reach the cells of a set by one
// step.
func appendPawnMoves(dst []engine.Move, base engine.Move, set uint64, step uint8) []engine.Move {
	n := bits.OnesCount64(set)
	dst = extend(dst, n)
	list := dst[len(dst)-n:]
	base -= engine.Move(int32(int8(step)))
	for i := range list {
		list[i] = base + engine.Move(firstSquare(set))*(1<<toShift|1)
		set &= set - 1
	}
	return dst
}

// extend lengthens dst by n moves, at most 64, for the caller to fill in.
func extend(dst []engine.Move, n int) []engine.Move {
	if cap(dst)-len(dst) < n {
		dst = growList(dst)
	}
	return dst[:len(dst)+n]
}

// growList is separate so that extend can be inlined. No reachable position has more
// than 218 moves.
//
//go:noinline
func growList(dst []engine.Move) []engine.Move { return slices.Grow(dst, 256) }

// appendPawnCaptures lists the pawn captures that reach the cells of a set by one
// step.
func (p *Position) appendPawnCaptures(dst []engine.Move, base engine.Move, set uint64, step uint8) []engine.Move {
	for ; set != 0; set &= set - 1 {
		to := firstSquare(set)
		dst = append(dst, base|engine.Move(to-step)|toPart(p.board[to], to))
	}
	return dst
}

// appendPromotions lists the promotions on the cells of a set, four each.
func (p *Position) appendPromotions(dst []engine.Move, base engine.Move, set uint64, step uint8) []engine.Move {
	for ; set != 0; set &= set - 1 {
		to := firstSquare(set)
		m := base | engine.Move(to-step) | toPart(p.board[to], to) | promotion
		dst = append(dst, m|queen<<promotionShift, m|rook<<promotionShift, m|bishop<<promotionShift, m|knight<<promotionShift)
	}
	return dst
}

// count returns the number of moves.
func (t *pawnMoveSets) count() uint32 {
	return popCount(t.one) + popCount(t.two) + popCount(t.left) + popCount(t.right)
}

// nth returns the target of the r-th move, its step to the side in files, and double
// for a double step, else 0.
func (t *pawnMoveSets) nth(r uint32) (to, aside int, special engine.Move) {
	n := popCount(t.one)
	if r < n {
		return nth(t.one, r), 0, 0
	}
	r -= n
	if n = popCount(t.two); r < n {
		return nth(t.two, r), 0, double
	}
	r -= n
	if n = popCount(t.left); r < n {
		return nth(t.left, r), -1, 0
	}
	return nth(t.right, r-n), 1, 0
}

// onLastRanks returns the moves that promote.
func (t *pawnMoveSets) onLastRanks() pawnMoveSets {
	return pawnMoveSets{one: t.one & lastRanks, left: t.left & lastRanks, right: t.right & lastRanks}
}
