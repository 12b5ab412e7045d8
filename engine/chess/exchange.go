package chess

import "selfplay/engine"

// Gain returns what a capture takes, less a little for the piece that does it, so
// that of two captures of one kind the cheaper piece takes first. Where a pawn can
// take back, or where to go on taking would cost more than that, it returns the
// difference of the two pieces, and a little for an even one.
func (p *Position) Gain(m engine.Move) int {
	if m < passant && takenOf(m) == empty {
		return 0
	}
	if m >= passant {
		return p.gainOfPawn(m)
	}
	taken, kind := takenOf(m)&kindBits, pieceOf(m)&kindBits
	net, us := stakes[taken]-stakes[kind], p.turn()
	switch {
	case pawnReach[us][cellOf(toOf(m))]&p.kinds[pawn]&p.sides[us^1] != 0:
		return net + 1 // if that is a loss, the pawn in turn does not make up for it
	case net >= 0 || p.pays(m, stakes[taken], stakes[kind]):
		return values[taken] - int(kind)
	}
	return net
}

// stakes are the values of pieces in an exchange, where a bishop is worth a knight.
// The king has none: where it may take, nobody takes back.
var stakes = [8]int{pawn: 100, knight: 325, bishop: 325, rook: 500, queen: 900}

// gainOfPawn is Gain for taking en passant and for promotion, to which what the pawn
// adds belongs. A rook or a bishop is counted as what it lacks to the queen that the
// pawn could have become.
func (p *Position) gainOfPawn(m engine.Move) int {
	if m < promotion {
		return values[pawn] - pawn
	}
	kind := promoted(m)
	won := values[takenOf(m)&kindBits] + values[kind] - values[pawn]
	switch {
	case kind == rook || kind == bishop:
		return values[kind] - values[queen]
	case won >= stakes[kind] || p.pays(m, won, stakes[kind]):
		return won
	}
	return -values[pawn]
}

// pays reports whether a move that wins something, and puts something of more value
// at risk, does not lose by it: if both sides go on taking on that cell, always with
// the least piece and only as long as that pays. What stands behind a piece joins in
// when it has taken; pins are not looked at.
//
// See chessprogramming.org/SEE_-_The_Swap_Algorithm.
func (p *Position) pays(m engine.Move, won, risked int) bool {
	to, us := cellOf(toOf(m)), p.turn()
	own, them, pawns := p.sides[us], p.sides[us^1], p.kinds[pawn]
	occupied := (own | them) &^ bit[fromOf(m)]
	hidden := p.snipers(to) & occupied
	takers := knightReach[to]&p.kinds[knight] | kingReach[to]&p.kinds[king] |
		pawnReach[us][to]&pawns&them | pawnReach[us^1][to]&pawns&own
	takers = takers&occupied | seen(to, hidden, occupied)
	hidden &^= takers

	good, ahead := true, risked-won // ahead is the side to take if it does and nobody takes back
	for side := us ^ 1; takers&p.sides[side&1] != 0; side ^= 1 {
		kind, least := p.least(takers & p.sides[side&1])
		if kind == king && takers&p.sides[side&1^1] != 0 {
			break // it would be taken
		}
		good = !good
		ahead = stakes[kind] - ahead
		if ahead < 0 || ahead == 0 && good {
			break // taking back would not pay
		}
		takers ^= least
		occupied ^= least
		if hidden != 0 {
			open := seen(to, hidden, occupied)
			takers |= open
			hidden ^= open
		}
	}
	return good
}

// seen returns which of some bishops, rooks and queens attack a cell.
func seen(cell int, snipers, occupied uint64) (open uint64) {
	for ; snipers != 0; snipers &= snipers - 1 {
		if between[cell&63][first(snipers)]&occupied == 0 {
			open |= snipers & -snipers
		}
	}
	return open
}

// least returns a piece of the lowest kind in a set that is not empty.
func (p *Position) least(set uint64) (kind int, piece uint64) {
	for kind = pawn; kind < king; kind++ {
		if found := set & p.kinds[kind]; found != 0 {
			return kind, found & -found
		}
	}
	return kind, set
}
