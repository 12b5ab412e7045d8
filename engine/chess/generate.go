package chess

import (
	"math/bits"
	"slices"

	"selfplay/engine"
)

// advance is how the pawns of a side go.
type advance struct {
	cells       int    // one step ahead, in cells
	step        uint8  // one step ahead, in squares
	home, third uint64 // the rank where they begin and the one in front of it
	passantRank int    // first cell of the rank that they reach by taking en passant
}

var advances = [2]advance{
	{-8, north, rank2, rank2 >> 8, 2 * 8},
	{8, south, rank7, rank7 << 8, 5 * 8},
}

const (
	rank7     = 0xff << 8
	rank2     = 0xff << 48
	lastRanks = 0xff | 0xff<<56
	fileA     = 0x0101010101010101
	fileH     = fileA << 7
	all       = ^uint64(0)
)

// Moves appends every legal move. Legality is known before a move is made: the
// checkers and the pinned pieces are found once, the king is tested where it
// goes, and only en passant is tried out.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	us := p.turn()
	cell := p.kingCell(us)
	checkers, pinned := p.threats(us, cell)
	if checkers != 0 {
		return p.evasions(dst, us, cell, checkers, pinned)
	}
	own := p.sides[us]
	dst = p.pawnMoves(dst, us, p.kinds[pawn]&own&^pinned, all)
	dst = p.knightMoves(dst, us, p.kinds[knight]&own&^pinned, ^own)
	enemy := colourOf(us ^ 1)
	for set := (p.kinds[bishop] | p.kinds[queen]) & own &^ pinned; set != 0; set &= set - 1 {
		from := firstSquare(set)
		base := leaves(p.board[from], from)
		dst = p.slide(dst, base, from, northWest, enemy)
		dst = p.slide(dst, base, from, northEast, enemy)
		dst = p.slide(dst, base, from, southWest, enemy)
		dst = p.slide(dst, base, from, southEast, enemy)
	}
	for set := (p.kinds[rook] | p.kinds[queen]) & own &^ pinned; set != 0; set &= set - 1 {
		from := firstSquare(set)
		base := leaves(p.board[from], from)
		dst = p.slide(dst, base, from, north, enemy)
		dst = p.slide(dst, base, from, west, enemy)
		dst = p.slide(dst, base, from, east, enemy)
		dst = p.slide(dst, base, from, south, enemy)
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

// slide walks one ray over the board; base says what moves from where.
func (p *Position) slide(dst []engine.Move, base engine.Move, from, step, enemy uint8) []engine.Move {
	to := from + step
	for p.board[to] == empty {
		dst = append(dst, base|engine.Move(to)<<toShift)
		to += step
	}
	if taken := p.board[to]; taken&enemy != 0 {
		dst = append(dst, base|reaches(taken, to))
	}
	return dst
}

// evasions lists the legal moves of a side in check: the king steps aside, or one
// checker is taken or blocked. A pinned piece cannot do that.
func (p *Position) evasions(dst []engine.Move, us uint8, cell int, checkers, pinned uint64) []engine.Move {
	if checkers&(checkers-1) == 0 {
		cure := checkers | between[cell&63][first(checkers)]
		free := p.sides[us&1] &^ pinned
		dst = p.pawnMoves(dst, us, p.kinds[pawn]&free, cure)
		dst = p.knightMoves(dst, us, p.kinds[knight]&free, cure)
		for set := (p.kinds[bishop] | p.kinds[rook] | p.kinds[queen]) & free; set != 0; set &= set - 1 {
			dst = p.aimedMoves(dst, first(set), cure)
		}
		if p.state&passantBits != 0 {
			dst = p.passantMoves(dst)
		}
	}
	return p.kingMoves(dst, us, cell)
}

// pinnedMoves lists the moves of pinned pieces along their pins, without check.
func (p *Position) pinnedMoves(dst []engine.Move, us uint8, cell int, pinned uint64) []engine.Move {
	dst = p.pinnedPawns(dst, us, cell, pinned)
	for set := pinned &^ (p.kinds[pawn] | p.kinds[knight]); set != 0; set &= set - 1 {
		from := first(set)
		dst = p.aimedMoves(dst, from, lines[cell&63][from]&^p.sides[us&1])
	}
	return dst
}

func (p *Position) pinnedPawns(dst []engine.Move, us uint8, cell int, pinned uint64) []engine.Move {
	for set := pinned & p.kinds[pawn]; set != 0; set &= set - 1 {
		dst = p.pawnMoves(dst, us, set&-set, lines[cell&63][first(set)])
	}
	return dst
}

// sweep holds what bishops, rooks and queens reach on an empty board, by kind.
var sweep = func() (table [8][64]uint64) {
	for cell := range 64 {
		table[bishop][cell] = diagonals[cell]
		table[rook][cell] = straights[cell]
		table[queen][cell] = diagonals[cell] | straights[cell]
	}
	return table
}()

// aimedMoves lists the moves of a bishop, rook or queen to a few targets.
func (p *Position) aimedMoves(dst []engine.Move, from int, targets uint64) []engine.Move {
	from &= 63
	sq := squareOf(from)
	piece := p.board[sq]
	occupied := p.occupied()
	base := leaves(piece, sq)
	for left := sweep[piece&kindBits][from] & targets; left != 0; left &= left - 1 {
		cell := first(left)
		if between[from][cell]&occupied == 0 {
			to := squareOf(cell)
			dst = append(dst, base|reaches(p.board[to], to))
		}
	}
	return dst
}

// spread lists the moves from a square to all cells of a set.
func (p *Position) spread(dst []engine.Move, base engine.Move, set uint64) []engine.Move {
	for ; set != 0; set &= set - 1 {
		to := firstSquare(set)
		dst = append(dst, base|reaches(p.board[to], to))
	}
	return dst
}

func (p *Position) knightMoves(dst []engine.Move, us uint8, knights, targets uint64) []engine.Move {
	for ; knights != 0; knights &= knights - 1 {
		from := first(knights)
		dst = p.spread(dst, leaves(colourOf(us)|knight, squareOf(from)), knightReach[from]&targets)
	}
	return dst
}

func (p *Position) kingMoves(dst []engine.Move, us uint8, cell int) []engine.Move {
	return p.spread(dst, leaves(colourOf(us)|king, squareOf(cell)), p.kingTargets(us, cell))
}

// kingTargets returns the cells that the king may step to.
func (p *Position) kingTargets(us uint8, cell int) uint64 {
	cell &= 63
	own, them := p.sides[us&1], p.sides[us&1^1]
	set := kingReach[cell] &^ own
	occupied := (own | them) &^ (1 << cell) // the king does not hide what is behind it
	for left := set; left != 0; left &= left - 1 {
		if p.attacked(first(left), us^1, them, occupied) {
			set ^= left & -left
		}
	}
	return set
}

// pawnTargets are the cells that pawns go to, by the way they go.
type pawnTargets struct{ one, two, left, right uint64 }

// pawnTargets returns where the pawns of a side go, en passant left out. Left and
// right are as White sees them.
func (p *Position) pawnTargets(us uint8, pawns, allowed uint64) (t pawnTargets) {
	a := &advances[us&1]
	them := p.sides[us&1^1] & allowed
	free := ^p.occupied()
	t.one = bits.RotateLeft64(pawns, a.cells) & free
	t.two = bits.RotateLeft64(t.one&a.third, a.cells) & free & allowed
	t.one &= allowed
	t.left = bits.RotateLeft64(pawns&^fileA, a.cells-1) & them
	t.right = bits.RotateLeft64(pawns&^fileH, a.cells+1) & them
	return t
}

// pawnMoves lists the moves of some pawns to allowed cells, en passant left out.
func (p *Position) pawnMoves(dst []engine.Move, us uint8, pawns, allowed uint64) []engine.Move {
	t := p.pawnTargets(us, pawns, allowed)
	step := advances[us&1].step
	base := leaves(colourOf(us)|pawn, 0)
	if (t.one|t.left|t.right)&lastRanks != 0 {
		dst = p.promotions(dst, base, t.one&lastRanks, step)
		dst = p.promotions(dst, base, t.left&lastRanks, step+west)
		dst = p.promotions(dst, base, t.right&lastRanks, step+east)
		t.one, t.left, t.right = t.one&^lastRanks, t.left&^lastRanks, t.right&^lastRanks
	}
	dst = gather(dst, base, t.one, step)
	if t.two != 0 {
		// Only a pawn that lands beside an enemy pawn can be taken en passant.
		victims := p.beside(us) & t.two
		dst = gather(dst, base, t.two&^victims, 2*step)
		dst = gather(dst, base|double, victims, 2*step)
	}
	if t.left|t.right != 0 {
		dst = p.gatherTakes(dst, base, t.left, step+west)
		dst = p.gatherTakes(dst, base, t.right, step+east)
	}
	return dst
}

// beside returns the cells next to a pawn of the other side.
func (p *Position) beside(us uint8) uint64 {
	pawns := p.kinds[pawn] & p.sides[us&1^1]
	return pawns&^fileA>>1 | pawns&^fileH<<1
}

// gather lists the moves that reach each cell of a set by the same step.
func gather(dst []engine.Move, base engine.Move, set uint64, step uint8) []engine.Move {
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

// extend makes a list longer by n moves, at most 64, for the caller to fill in.
func extend(dst []engine.Move, n int) []engine.Move {
	if cap(dst)-len(dst) < n {
		dst = grown(dst)
	}
	return dst[:len(dst)+n]
}

// grown is kept apart so that extend is small enough to be inlined. No position
// that play can reach has more than 218 moves.
//
//go:noinline
func grown(dst []engine.Move) []engine.Move { return slices.Grow(dst, 256) }

// gatherTakes is gather for captures.
func (p *Position) gatherTakes(dst []engine.Move, base engine.Move, set uint64, step uint8) []engine.Move {
	for ; set != 0; set &= set - 1 {
		to := firstSquare(set)
		dst = append(dst, base|engine.Move(to-step)|reaches(p.board[to], to))
	}
	return dst
}

// promotions is gather for pawns that reach the last rank.
func (p *Position) promotions(dst []engine.Move, base engine.Move, set uint64, step uint8) []engine.Move {
	for ; set != 0; set &= set - 1 {
		to := firstSquare(set)
		m := base | engine.Move(to-step) | reaches(p.board[to], to) | promotion
		dst = append(dst, m|queen<<kindShift, m|rook<<kindShift, m|bishop<<kindShift, m|knight<<kindShift)
	}
	return dst
}

// passantMoves lists the en passant captures.
func (p *Position) passantMoves(dst []engine.Move) []engine.Move {
	cell, _ := p.passantCell()
	for set := p.passantTakers(cell); set != 0; set &= set - 1 {
		if from := first(set); p.passantSafe(from, cell) {
			dst = append(dst, p.newMove(squareOf(from), squareOf(cell))|passant)
		}
	}
	return dst
}
