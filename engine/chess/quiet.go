package chess

import "selfplay/engine"

// Estimates of quiet moves for search.

// Placement returns the difference of the piece-square values. A piece that leaves a
// square attacked by a pawn adds its exchange value above that pawn; one that enters such
// a square loses it.
func (p *Position) Placement(m engine.Move) int {
	if p.state&scoredBit == 0 {
		p.score, p.state = p.sumPieces(), p.state|scoredBit
	}
	_, _, phase := p.score.split()
	piece, us := pieceOf(m), p.turn()
	opening, endgame, _ := (pieceScore(piece, toOf(m)) - pieceScore(piece, fromOf(m))).split()
	s := endgame + (opening-endgame)*min(phase, openingPhase)/openingPhase
	if us == 1 {
		s = -s
	}
	if kind := piece & kindBits; kind > pawn && kind < king {
		pawns, risked := p.kinds[pawn]&p.sides[us^1], exchangeValues[kind]-exchangeValues[pawn]
		if pawnReach[us][cellOf(fromOf(m))]&pawns != 0 {
			s += risked
		}
		if pawnReach[us][cellOf(toOf(m))]&pawns != 0 {
			s -= risked
		}
	}
	return s
}

// Additive marks the static score as a sum over pieces; see engine.Additive.
func (p *Position) Additive() {}

// Hangs reports that the opponent wins material by capturing the moved piece. Promotions
// and castling do not count.
func (p *Position) Hangs(m engine.Move) bool {
	kind := pieceOf(m) & kindBits
	return m < passant && kind != king && !p.winsExchange(m, 0, exchangeValues[kind])
}

// GivesCheck reports that the moved piece attacks the enemy king. It misses discovered
// checks, promotions and castling.
func (p *Position) GivesCheck(m engine.Move) bool {
	if m >= passant {
		return false
	}
	us := p.turn()
	at, to := p.kingCell(us^1)&63, cellOf(toOf(m))&63
	straight := at&7 == to&7 || at>>3 == to>>3
	switch pieceOf(m) & kindBits {
	case pawn:
		return pawnReach[us^1][at]>>to&1 != 0
	case knight:
		return knightReach[at]>>to&1 != 0
	case king:
		return false
	case bishop:
		if straight {
			return false
		}
	case rook:
		if !straight {
			return false
		}
	}
	return lines[at][to] != 0 && between[at][to]&p.occupied()&^bit[fromOf(m)] == 0
}
