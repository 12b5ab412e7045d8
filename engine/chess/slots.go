package chess

import "math/bits"

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
