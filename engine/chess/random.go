package chess

import (
	"math/bits"
	"math/rand/v2"

	"selfplay/engine"
)

// Random play needs one legal move, not the list. It draws a ticket. Pawns and the
// king have one for each pseudo-legal move, counted in sets; a knight has 8, a
// bishop 13, a rook 14, a queen 27: as many as it has targets on the empty board,
// where it has most. So each pseudo-legal move has exactly one ticket, and those of
// them that are legal are drawn uniformly. A ticket that is no move, or not a legal
// one, is thrown away for a new draw. Less than two are drawn a move.
//
// In check few moves are legal; then they are listed and one is drawn.

// patience is how many tickets may be thrown away before the moves are listed after
// all. It belongs to the version of the player, and so do the order of all draws
// here and the order in which tickets and moves are numbered.
const patience = 64

// Tickets of a piece.
const (
	knightTickets = 8
	bishopTickets = 13
	rookTickets   = 14
	queenTickets  = bishopTickets + rookTickets
)

// Targets by cell and ticket, the cell itself where there are fewer.
var (
	knightTargets = targetsOf(knightReach)
	bishopTargets = targetsOf(diagonals)
	rookTargets   = targetsOf(straights)
)

func targetsOf(reach [64]uint64) (table [64][16]uint8) {
	for cell, set := range reach {
		for ticket := range table[cell] {
			table[cell][ticket] = uint8(cell)
			if set != 0 {
				table[cell][ticket] = uint8(first(set))
				set &= set - 1
			}
		}
	}
	return table
}

// DoRandom plays a uniformly drawn legal move.
func (p *Position) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if p.drawn() {
		return 0, false
	}
	us := p.turn()
	cell := p.kingCell(us)
	checkers, pinned := p.threats(us, cell)
	if checkers == 0 {
		if m := p.draw(src, us, cell, pinned); m != 0 {
			p.Do(m)
			return m, true
		}
	}
	p.list = p.Moves(p.list[:0])
	if len(p.list) == 0 {
		return 0, false
	}
	m := p.list[engine.Below(src, uint32(len(p.list)))]
	p.Do(m)
	return m, true
}

// lot is what a side that is not in check draws from: its pieces and their targets
// by kind, and where the tickets of each kind end.
type lot struct {
	pawns                           pawnTargets
	king                            uint64 // where it steps
	knights, bishops, rooks, queens uint64

	toPawns, toKing, toKnights, toBishops, toRooks, toQueens, end uint32
}

// fill counts the tickets.
func (l *lot) fill(p *Position, us uint8, home int) {
	own := p.sides[us&1]
	l.pawns = p.pawnTargets(us, p.kinds[pawn]&own, all)
	l.king = kingReach[home&63] &^ own
	l.knights, l.bishops = p.kinds[knight]&own, p.kinds[bishop]&own
	l.rooks, l.queens = p.kinds[rook]&own, p.kinds[queen]&own

	l.toPawns = l.pawns.count()
	l.toKing = l.toPawns + size(l.king)
	l.toKnights = l.toKing + knightTickets*size(l.knights)
	l.toBishops = l.toKnights + bishopTickets*size(l.bishops)
	l.toRooks = l.toBishops + rookTickets*size(l.rooks)
	l.toQueens = l.toRooks + queenTickets*size(l.queens)
	l.end = l.toQueens + p.rareTickets(us, &l.pawns)
}

func size(set uint64) uint32 { return uint32(bits.OnesCount64(set)) }

// draw draws tickets of a side that is not in check until one is a legal move; 0 if
// patience ends.
func (p *Position) draw(src *rand.PCG, us uint8, home int, pinned uint64) engine.Move {
	var l lot
	l.fill(p, us, home)
	if l.end == 0 {
		return 0
	}
	own, them := p.sides[us&1], p.sides[us&1^1]
	for range patience {
		r := engine.Below(src, l.end)
		var from int
		var to uint8
		switch {
		case r < l.toPawns:
			if m := p.pawnTicket(us, home, pinned, &l.pawns, r); m != 0 {
				return m
			}
			continue
		case r < l.toKing:
			cell := nth(l.king, r-l.toPawns)
			if !p.attacked(cell, us^1, them, (own|them)&^(1<<home)) {
				return p.newMove(squareOf(home), squareOf(cell))
			}
			continue
		case r < l.toKnights:
			r -= l.toKing
			from = nth(l.knights, r/knightTickets)
			to = knightTargets[from][r%knightTickets]
		case r < l.toBishops:
			r -= l.toKnights
			from = nth(l.bishops, r/bishopTickets)
			to = bishopTargets[from][r%bishopTickets]
		case r < l.toRooks:
			r -= l.toBishops
			from = nth(l.rooks, r/rookTickets)
			to = rookTargets[from][r%rookTickets]
		case r < l.toQueens:
			r -= l.toRooks
			from = nth(l.queens, r/queenTickets)
			to = queenTarget(from, r%queenTickets)
		default:
			if m := p.rareTicket(us, home, pinned, &l.pawns, r-l.toQueens); m != 0 {
				return m
			}
			continue
		}
		if between[from][to&63]&(own|them)|1<<(to&63)&own == 0 && onLine(home, from, int(to), pinned) {
			return p.newMove(squareOf(from), squareOf(int(to)))
		}
	}
	return 0
}

// queenTarget returns a rook's or a bishop's target.
func queenTarget(from int, r uint32) uint8 {
	if r < rookTickets {
		return rookTargets[from][r&15]
	}
	return bishopTargets[from][(r-rookTickets)&15]
}

// onLine reports whether a piece stays on the line of its pin, if it is pinned.
func onLine(home, from, to int, pinned uint64) bool {
	return pinned>>(from&63)&1 == 0 || lines[home&63][from&63]>>(to&63)&1 != 0
}

// pawnTicket returns the move of a pawn's ticket, 0 if the pawn is pinned. On the
// last rank it is the promotion to a queen; the others have rare tickets.
func (p *Position) pawnTicket(us uint8, home int, pinned uint64, t *pawnTargets, r uint32) engine.Move {
	to, behind, what := t.nth(r)
	from := to - advances[us&1].cells - behind
	if what == double {
		from -= advances[us&1].cells
	}
	if !onLine(home, from, to, pinned) {
		return 0
	}
	m := p.newMove(squareOf(from), squareOf(to))
	if what == double && p.beside(us)>>(to&63)&1 != 0 {
		m |= double
	}
	if uint64(lastRanks)>>(to&63)&1 != 0 {
		m |= promotion | queen<<kindShift
	}
	return m
}

// count returns how many targets there are.
func (t *pawnTargets) count() uint32 { return size(t.one) + size(t.two) + size(t.left) + size(t.right) }

// nth returns the r-th target with the step to the side that leads there.
func (t *pawnTargets) nth(r uint32) (to, aside int, what engine.Move) {
	n := size(t.one)
	if r < n {
		return nth(t.one, r), 0, 0
	}
	r -= n
	if n = size(t.two); r < n {
		return nth(t.two, r), 0, double
	}
	r -= n
	if n = size(t.left); r < n {
		return nth(t.left, r), -1, 0
	}
	return nth(t.right, r-n), 1, 0
}

// last returns those targets that lie on the last rank.
func (t *pawnTargets) last() pawnTargets {
	return pawnTargets{one: t.one & lastRanks, left: t.left & lastRanks, right: t.right & lastRanks}
}

// Rare tickets are those of underpromotions, three for each way to the last rank,
// of en passant and of castling, in this order.

// rareTickets counts them.
func (p *Position) rareTickets(us uint8, t *pawnTargets) (n uint32) {
	if (t.one|t.left|t.right)&lastRanks != 0 {
		last := t.last()
		n = 3 * last.count()
	}
	if p.state&(rightsBits|passantBits) == 0 {
		return n
	}
	if cell, ok := p.passantCell(); ok {
		n += size(p.passantTakers(cell))
	}
	for way := range 2 {
		if p.pathFree(us, way) {
			n++
		}
	}
	return n
}

// rareTicket returns the move of a rare ticket, 0 if it is not legal.
func (p *Position) rareTicket(us uint8, home int, pinned uint64, t *pawnTargets, r uint32) engine.Move {
	last := t.last()
	n := 3 * last.count()
	if r < n {
		m := p.pawnTicket(us, home, pinned, &last, r/3)
		if m == 0 {
			return 0
		}
		return m&^(kindBits<<kindShift) | engine.Move(knight+r%3)<<kindShift
	}
	r -= n
	if cell, ok := p.passantCell(); ok {
		takers := p.passantTakers(cell)
		if n = size(takers); r < n {
			return p.passantTicket(nth(takers, r), cell)
		}
		r -= n
	}
	way := int(r)
	if !p.pathFree(us, 0) {
		way = 1
	}
	if !p.passes(us, way) {
		return 0
	}
	return castles[us&1][way&1].move
}

func (p *Position) passantTicket(from, to int) engine.Move {
	if !p.passantSafe(from, to) {
		return 0
	}
	return p.newMove(squareOf(from), squareOf(to)) | passant
}
