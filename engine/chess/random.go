package chess

import (
	"math/bits"
	"math/rand/v2"

	"selfplay/engine"
)

// DoRandom needs one legal move, not the list. It draws a slot by rejection sampling.
// Every pseudo-legal move owns exactly one slot, so accepting a slot only if its move is
// legal gives a uniform legal move. See slots for the numbering. On average fewer
// than two slots are drawn per move.
//
// In check few moves are legal: they are listed and one is drawn.

// maxRejections is the number of slots that may be rejected before the moves are listed
// after all. It belongs to the player's version, and so do the order of all draws here
// and the numbering of slots and moves.
const maxRejections = 64

// DoRandom plays a legal move drawn uniformly.
func (p *Position) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if p.drawn() {
		return 0, false
	}
	us := p.turn()
	cell := p.kingCell(us)
	checkers, pinned := p.checkersAndPins(us, cell)
	if checkers == 0 {
		if m := p.drawSlot(src, us, cell, pinned); m != 0 {
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

// drawSlot draws slots of a side that is not in check until one holds a legal move. It
// returns 0 after maxRejections, or if there are no slots. home is the king's cell.
func (p *Position) drawSlot(src *rand.PCG, us uint8, home int, pinned uint64) engine.Move {
	var s slots
	s.fill(p, us, home)
	if s.end == 0 {
		return 0
	}
	own, them := p.sides[us&1], p.sides[us&1^1]
	for range maxRejections {
		r := engine.Below(src, s.end)
		var from int
		var to uint8
		switch {
		case r < s.pawnsEnd:
			if m := p.pawnSlot(us, home, pinned, &s.pawns, r); m != 0 {
				return m
			}
			continue
		case r < s.kingEnd:
			cell := nth(s.king, r-s.pawnsEnd)
			if !p.attacked(cell, us^1, them, (own|them)&^(1<<home)) {
				return p.newMove(squareOf(home), squareOf(cell))
			}
			continue
		case r < s.knightsEnd:
			r -= s.kingEnd
			from = nth(s.knights, r/knightSlots)
			to = knightTargets[from][r%knightSlots]
		case r < s.bishopsEnd:
			r -= s.knightsEnd
			from = nth(s.bishops, r/bishopSlots)
			to = bishopTargets[from][r%bishopSlots]
		case r < s.rooksEnd:
			r -= s.bishopsEnd
			from = nth(s.rooks, r/rookSlots)
			to = rookTargets[from][r%rookSlots]
		case r < s.queensEnd:
			r -= s.rooksEnd
			from = nth(s.queens, r/queenSlots)
			to = queenTarget(from, r%queenSlots)
		default:
			if m := p.specialSlot(us, home, pinned, &s.pawns, r-s.queensEnd); m != 0 {
				return m
			}
			continue
		}
		if between[from][to&63]&(own|them)|1<<(to&63)&own == 0 && staysOnPin(home, from, int(to), pinned) {
			return p.newMove(squareOf(from), squareOf(int(to)))
		}
	}
	return 0
}

// staysOnPin reports whether a move of a piece keeps it on the line of its pin. It is
// true for pieces that are not pinned.
func staysOnPin(home, from, to int, pinned uint64) bool {
	return pinned>>(from&63)&1 == 0 || lines[home&63][from&63]>>(to&63)&1 != 0
}

// pawnSlot returns the move of a pawn's slot, or 0 if a pin forbids it. On the last rank
// it is the promotion to a queen; underpromotions have special slots.
func (p *Position) pawnSlot(us uint8, home int, pinned uint64, t *pawnMoveSets, r uint32) engine.Move {
	to, aside, special := t.nth(r)
	from := to - advances[us&1].cells - aside
	if special == double {
		from -= advances[us&1].cells
	}
	if !staysOnPin(home, from, to, pinned) {
		return 0
	}
	m := p.newMove(squareOf(from), squareOf(to))
	if special == double && p.besideEnemyPawns(us)>>(to&63)&1 != 0 {
		m |= double
	}
	if uint64(lastRanks)>>(to&63)&1 != 0 {
		m |= promotion | queen<<promotionShift
	}
	return m
}

// specialSlot returns the move of a special slot, or 0 if it is not legal.
func (p *Position) specialSlot(us uint8, home int, pinned uint64, t *pawnMoveSets, r uint32) engine.Move {
	last := t.onLastRanks()
	n := 3 * last.count()
	if r < n {
		m := p.pawnSlot(us, home, pinned, &last, r/3)
		if m == 0 {
			return 0
		}
		return m&^(kindBits<<promotionShift) | engine.Move(knight+r%3)<<promotionShift
	}
	r -= n
	if cell, ok := p.passantCell(); ok {
		takers := p.passantTakers(cell)
		n = popCount(takers)
		if r < n {
			return p.passantSlot(nth(takers, r), cell)
		}
		r -= n
	}
	wing := int(r)
	if !p.pathFree(us, 0) {
		wing = 1
	}
	if !p.kingPathSafe(us, wing) {
		return 0
	}
	return p.castles.wings[us&1][wing&1].move
}

func (p *Position) passantSlot(from, to int) engine.Move {
	if !p.passantSafe(from, to) {
		return 0
	}
	return p.newMove(squareOf(from), squareOf(to)) | passant
}

// Slots number the candidate moves of a side that is not in check, from 0:
//
//	pawns    one per pseudo-legal move; a promotion counts once, as a queen
//	king     one per adjacent cell without an own piece
//	knights   8 each
//	bishops  13 each
//	rooks    14 each
//	queens   27 each
//	special  underpromotions, en passant, castling
//
// A knight, bishop, rook or queen has as many slots as its kind has targets on the best
// cell of the empty board. On other cells the surplus slots hold no move.

// Slots per piece.
const (
	knightSlots = 8
	bishopSlots = 13
	rookSlots   = 14
	queenSlots  = bishopSlots + rookSlots
)

// Targets by cell and slot. Surplus slots hold the cell itself.
var (
	knightTargets = slotTargets(knightReach)
	bishopTargets = slotTargets(diagonals)
	rookTargets   = slotTargets(straights)
)

func slotTargets(reach [64]uint64) (table [64][16]uint8) {
	for cell, set := range reach {
		for slot := range table[cell] {
			table[cell][slot] = uint8(cell)
			if set != 0 {
				table[cell][slot] = uint8(firstCell(set))
				set &= set - 1
			}
		}
	}
	return table
}

// queenTarget returns the target of slot r of a queen: a rook's target, then a bishop's.
func queenTarget(from int, r uint32) uint8 {
	if r < rookSlots {
		return rookTargets[from][r&15]
	}
	return bishopTargets[from][(r-rookSlots)&15]
}

// slots holds the pieces of a side that is not in check, by kind, and the number of the
// first slot after those of each kind.
type slots struct {
	pawns                           pawnMoveSets
	king                            uint64 // targets of the king
	knights, bishops, rooks, queens uint64 // cells of the pieces

	pawnsEnd, kingEnd, knightsEnd, bishopsEnd, rooksEnd, queensEnd, end uint32
}

// fill numbers the slots. home is the king's cell.
func (s *slots) fill(p *Position, us uint8, home int) {
	own := p.sides[us&1]
	s.pawns = p.pawnTargets(us, p.kinds[pawn]&own, allCells)
	s.king = kingReach[home&63] &^ own
	s.knights, s.bishops = p.kinds[knight]&own, p.kinds[bishop]&own
	s.rooks, s.queens = p.kinds[rook]&own, p.kinds[queen]&own

	s.pawnsEnd = s.pawns.count()
	s.kingEnd = s.pawnsEnd + popCount(s.king)
	s.knightsEnd = s.kingEnd + knightSlots*popCount(s.knights)
	s.bishopsEnd = s.knightsEnd + bishopSlots*popCount(s.bishops)
	s.rooksEnd = s.bishopsEnd + rookSlots*popCount(s.rooks)
	s.queensEnd = s.rooksEnd + queenSlots*popCount(s.queens)
	s.end = s.queensEnd + p.countSpecialSlots(us, &s.pawns)
}

func popCount(set uint64) uint32 { return uint32(bits.OnesCount64(set)) }

// countSpecialSlots returns the number of special slots. Their order is:
// underpromotions, three per promoting move; en passant; castling.
func (p *Position) countSpecialSlots(us uint8, t *pawnMoveSets) (n uint32) {
	if (t.one|t.left|t.right)&lastRanks != 0 {
		last := t.onLastRanks()
		n = 3 * last.count()
	}
	if p.state&(rightsBits|passantBits) == 0 {
		return n
	}
	if cell, ok := p.passantCell(); ok {
		n += popCount(p.passantTakers(cell))
	}
	for wing := range 2 {
		if p.pathFree(us, wing) {
			n++
		}
	}
	return n
}
