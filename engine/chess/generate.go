package chess

import (
	"math/bits"
	"slices"

	"selfplay/engine"
)

// Moves appends every legal move. It finds the checkers and pinned pieces once and
// tests the cells the king can reach; only en passant captures are tried on the
// resulting board.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	us := p.turn()
	cell := p.kingCell(us)
	checkers, pinned := p.checkersAndPins(us, cell)
	if checkers != 0 {
		return p.evasions(dst, us, cell, checkers, pinned)
	}
	own := p.sides[us]
	dst = p.pawnMoves(dst, us, p.kinds[pawn]&own&^pinned, allCells)
	dst = p.knightMoves(dst, us, p.kinds[knight]&own&^pinned, ^own)
	enemy := colourOf(us ^ 1)
	for set := (p.kinds[bishop] | p.kinds[queen]) & own &^ pinned; set != 0; set &= set - 1 {
		from := firstSquare(set)
		base := fromPart(p.board[from], from)
		dst = p.slideMoves(dst, base, from, northWest, enemy)
		dst = p.slideMoves(dst, base, from, northEast, enemy)
		dst = p.slideMoves(dst, base, from, southWest, enemy)
		dst = p.slideMoves(dst, base, from, southEast, enemy)
	}
	for set := (p.kinds[rook] | p.kinds[queen]) & own &^ pinned; set != 0; set &= set - 1 {
		from := firstSquare(set)
		base := fromPart(p.board[from], from)
		dst = p.slideMoves(dst, base, from, north, enemy)
		dst = p.slideMoves(dst, base, from, west, enemy)
		dst = p.slideMoves(dst, base, from, east, enemy)
		dst = p.slideMoves(dst, base, from, south, enemy)
	}
	if pinned != 0 {
		dst = p.pinnedMoves(dst, us, cell, pinned)
	}
	if p.state&passantBits != 0 {
		dst = p.passantMoves(dst)
	}
	dst = p.kingMoves(dst, us, cell)
	if p.state&rightsBits != 0 {
		dst = p.castlingMoves(dst, us)
	}
	return dst
}

// slideMoves lists the moves along one ray; base holds the piece and its square.
func (p *Position) slideMoves(dst []engine.Move, base engine.Move, from, step, enemy uint8) []engine.Move {
	to := from + step
	for p.board[to] == empty {
		dst = append(dst, base|engine.Move(to)<<toShift)
		to += step
	}
	if taken := p.board[to]; taken&enemy != 0 {
		dst = append(dst, base|toPart(taken, to))
	}
	return dst
}

// evasions lists the legal moves of a side in check: the king leaves, or one checker
// is captured or blocked. A pinned piece can do neither.
func (p *Position) evasions(dst []engine.Move, us uint8, cell int, checkers, pinned uint64) []engine.Move {
	if checkers&(checkers-1) == 0 {
		targets := checkers | between[cell&63][firstCell(checkers)]
		free := p.sides[us&1] &^ pinned
		dst = p.pawnMoves(dst, us, p.kinds[pawn]&free, targets)
		dst = p.knightMoves(dst, us, p.kinds[knight]&free, targets)
		for set := (p.kinds[bishop] | p.kinds[rook] | p.kinds[queen]) & free; set != 0; set &= set - 1 {
			dst = p.sliderMoves(dst, firstCell(set), targets)
		}
		if p.state&passantBits != 0 {
			dst = p.passantMoves(dst)
		}
	}
	return p.kingMoves(dst, us, cell)
}

// pinnedMoves lists the moves of pinned pieces along their pins. The side is not in
// check.
func (p *Position) pinnedMoves(dst []engine.Move, us uint8, cell int, pinned uint64) []engine.Move {
	dst = p.pinnedPawnMoves(dst, us, cell, pinned)
	for set := pinned &^ (p.kinds[pawn] | p.kinds[knight]); set != 0; set &= set - 1 {
		from := firstCell(set)
		dst = p.sliderMoves(dst, from, lines[cell&63][from]&^p.sides[us&1])
	}
	return dst
}

func (p *Position) pinnedPawnMoves(dst []engine.Move, us uint8, cell int, pinned uint64) []engine.Move {
	for set := pinned & p.kinds[pawn]; set != 0; set &= set - 1 {
		dst = p.pawnMoves(dst, us, set&-set, lines[cell&63][firstCell(set)])
	}
	return dst
}

// sliderReach has the targets of bishops, rooks and queens on the empty board, by kind
// and cell.
var sliderReach = func() (table [8][64]uint64) {
	for cell := range 64 {
		table[bishop][cell] = diagonals[cell]
		table[rook][cell] = straights[cell]
		table[queen][cell] = diagonals[cell] | straights[cell]
	}
	return table
}()

// sliderMoves lists the moves of a bishop, rook or queen to the given targets. It
// suits small target sets.
func (p *Position) sliderMoves(dst []engine.Move, from int, targets uint64) []engine.Move {
	from &= 63
	sq := squareOf(from)
	piece := p.board[sq]
	occupied := p.occupied()
	base := fromPart(piece, sq)
	for left := sliderReach[piece&kindBits][from] & targets; left != 0; left &= left - 1 {
		cell := firstCell(left)
		if between[from][cell]&occupied == 0 {
			to := squareOf(cell)
			dst = append(dst, base|toPart(p.board[to], to))
		}
	}
	return dst
}

// appendTargets lists the moves of base to all cells of a set.
func (p *Position) appendTargets(dst []engine.Move, base engine.Move, set uint64) []engine.Move {
	for ; set != 0; set &= set - 1 {
		to := firstSquare(set)
		dst = append(dst, base|toPart(p.board[to], to))
	}
	return dst
}

func (p *Position) knightMoves(dst []engine.Move, us uint8, knights, targets uint64) []engine.Move {
	for ; knights != 0; knights &= knights - 1 {
		from := firstCell(knights)
		dst = p.appendTargets(dst, fromPart(colourOf(us)|knight, squareOf(from)), knightReach[from]&targets)
	}
	return dst
}

func (p *Position) kingMoves(dst []engine.Move, us uint8, cell int) []engine.Move {
	return p.appendTargets(dst, fromPart(colourOf(us)|king, squareOf(cell)), p.kingTargets(us, cell))
}

// kingTargets returns the cells that the king may step to.
func (p *Position) kingTargets(us uint8, cell int) uint64 {
	cell &= 63
	own, them := p.sides[us&1], p.sides[us&1^1]
	set := kingReach[cell] &^ own
	occupied := (own | them) &^ (1 << cell) // a slider attacks through the cell that the king leaves
	for left := set; left != 0; left &= left - 1 {
		if p.attacked(firstCell(left), us^1, them, occupied) {
			set ^= left & -left
		}
	}
	return set
}

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
	n = popCount(t.two)
	if r < n {
		return nth(t.two, r), 0, double
	}
	r -= n
	n = popCount(t.left)
	if r < n {
		return nth(t.left, r), -1, 0
	}
	return nth(t.right, r-n), 1, 0
}

// onLastRanks returns the moves that promote.
func (t *pawnMoveSets) onLastRanks() pawnMoveSets {
	return pawnMoveSets{one: t.one & lastRanks, left: t.left & lastRanks, right: t.right & lastRanks}
}

// Count returns the number of legal moves. It counts bits where Moves lists sets, and
// walks the same rays.
func (p *Position) Count() int {
	us := p.turn()
	cell := p.kingCell(us)
	checkers, pinned := p.checkersAndPins(us, cell)
	if checkers != 0 || pinned != 0 || p.state&passantBits != 0 {
		p.list = p.Moves(p.list[:0]) // rare, and the lists are short
		return len(p.list)
	}
	own := p.sides[us]
	n := p.countPawns(us, p.kinds[pawn]&own) + bits.OnesCount64(p.kingTargets(us, cell))
	for set := p.kinds[knight] & own; set != 0; set &= set - 1 {
		n += bits.OnesCount64(knightReach[firstCell(set)] &^ own)
	}
	enemy := colourOf(us ^ 1)
	for set := (p.kinds[bishop] | p.kinds[queen]) & own; set != 0; set &= set - 1 {
		from := firstSquare(set)
		n += p.countRay(from, northWest, enemy) + p.countRay(from, northEast, enemy) +
			p.countRay(from, southWest, enemy) + p.countRay(from, southEast, enemy)
	}
	for set := (p.kinds[rook] | p.kinds[queen]) & own; set != 0; set &= set - 1 {
		from := firstSquare(set)
		n += p.countRay(from, north, enemy) + p.countRay(from, west, enemy) +
			p.countRay(from, east, enemy) + p.countRay(from, south, enemy)
	}
	if p.state&rightsBits != 0 {
		for wing := range 2 {
			if p.pathFree(us, wing) && p.kingPathSafe(us, wing) {
				n++
			}
		}
	}
	return n
}

// countRay counts the targets of a piece along one ray.
func (p *Position) countRay(from, step, enemy uint8) (n int) {
	to := from + step
	for p.board[to] == empty {
		n++
		to += step
	}
	if p.board[to]&enemy != 0 {
		n++
	}
	return n
}

// countPawns counts the moves of pawns that are not pinned, for a side that is not in
// check, without en passant.
func (p *Position) countPawns(us uint8, pawns uint64) int {
	t := p.pawnTargets(us, pawns, allCells)
	n := bits.OnesCount64(t.one) + bits.OnesCount64(t.two) + bits.OnesCount64(t.left) + bits.OnesCount64(t.right)
	if (t.one|t.left|t.right)&lastRanks != 0 {
		n += 3 * (bits.OnesCount64(t.one&lastRanks) + bits.OnesCount64(t.left&lastRanks) + bits.OnesCount64(t.right&lastRanks))
	}
	return n
}

// Legal reports whether Moves lists m in this position. Moves must have listed m in
// some position.
func (p *Position) Legal(m engine.Move) bool {
	if p.board[fromOf(m)] != pieceOf(m) || p.board[toOf(m)] != takenOf(m) && m&specialBits != castle {
		return false
	}
	legal, ok := p.pack(Unpack(m))
	return ok && legal == m
}
