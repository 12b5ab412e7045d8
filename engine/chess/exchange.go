package chess

import "selfplay/engine"

// Gain returns the immediate gain of a move in centipawns. It is 0 for quiet moves. A
// capture that does not lose material returns the value of the captured piece minus
// the kind number of the capturing piece, so that the cheapest attacker comes first. A
// losing capture returns the difference of the two pieces' exchange values. If a pawn
// can recapture, the result is that difference plus 1, so that an even trade is
// positive.
func (p *Position) Gain(m engine.Move) int {
	if m < passant && takenOf(m) == empty {
		return 0
	}
	if m >= passant {
		return p.specialGain(m)
	}
	taken, kind := takenOf(m)&kindBits, pieceOf(m)&kindBits
	net, us := exchangeValues[taken]-exchangeValues[kind], p.turn()
	switch {
	case pawnReach[us][cellOf(toOf(m))]&p.kinds[pawn]&p.sides[us^1] != 0:
		return net + 1 // a loss stays a loss if the recapturing pawn is captured in turn
	case net >= 0 || p.winsExchange(m, exchangeValues[taken], exchangeValues[kind]):
		return values[taken] - int(kind)
	}
	return net
}

// exchangeValues are piece values for exchanges; a bishop equals a knight. The king
// has none: it captures only what is not defended.
var exchangeValues = [8]int{pawn: 100, knight: 325, bishop: 325, rook: 500, queen: 900}

// specialGain is Gain for en passant captures and promotions; promotions include the
// value that the pawn adds. Promotions to a rook or bishop return their difference to
// a queen, which is negative.
func (p *Position) specialGain(m engine.Move) int {
	if m < promotion {
		return values[pawn] - pawn
	}
	kind := promotionOf(m)
	won := values[takenOf(m)&kindBits] + values[kind] - values[pawn]
	switch {
	case kind == rook || kind == bishop:
		return values[kind] - values[queen]
	case won >= exchangeValues[kind] || p.winsExchange(m, won, exchangeValues[kind]):
		return won
	}
	return -values[pawn]
}

// winsExchange reports whether a move that wins material and puts a more valuable
// piece at risk does not lose material: both sides keep capturing on its target cell
// with their least valuable piece as long as that pays. Sliders behind a capturing
// piece join in. Pins are ignored.
//
// See chessprogramming.org/SEE_-_The_Swap_Algorithm.
func (p *Position) winsExchange(m engine.Move, won, risked int) bool {
	to, us := cellOf(toOf(m)), p.turn()
	own, them, pawns := p.sides[us], p.sides[us^1], p.kinds[pawn]
	occupied := (own | them) &^ bit[fromOf(m)]
	sliders := p.snipers(to) & occupied
	attackers := knightReach[to]&p.kinds[knight] | kingReach[to]&p.kinds[king] |
		pawnReach[us][to]&pawns&them | pawnReach[us^1][to]&pawns&own
	attackers = attackers&occupied | visibleSliders(to, sliders, occupied)
	sliders &^= attackers

	wins, balance := true, risked-won // balance: material of the side to capture if its capture is the last
	for side := us ^ 1; attackers&p.sides[side&1] != 0; side ^= 1 {
		kind, piece := p.leastValuable(attackers & p.sides[side&1])
		if kind == king && attackers&p.sides[side&1^1] != 0 {
			break // the king would be captured
		}
		wins = !wins
		balance = exchangeValues[kind] - balance
		if balance < 0 || balance == 0 && wins {
			break // capturing does not pay
		}
		attackers ^= piece
		occupied ^= piece
		if sliders != 0 {
			revealed := visibleSliders(to, sliders, occupied)
			attackers |= revealed
			sliders ^= revealed
		}
	}
	return wins
}

// visibleSliders returns those of the given sliders that attack a cell.
func visibleSliders(cell int, sliders, occupied uint64) (visible uint64) {
	for ; sliders != 0; sliders &= sliders - 1 {
		if between[cell&63][firstCell(sliders)]&occupied == 0 {
			visible |= sliders & -sliders
		}
	}
	return visible
}

// leastValuable returns a piece of the lowest kind in a non-empty set.
func (p *Position) leastValuable(set uint64) (kind int, piece uint64) {
	for kind = pawn; kind < king; kind++ {
		if found := set & p.kinds[kind]; found != 0 {
			return kind, found & -found
		}
	}
	return kind, set
}
