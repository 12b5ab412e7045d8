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

// Estimates of quiet moves for search.

// Placement returns the difference of the piece-square values. A piece that leaves a
// square attacked by a pawn adds its exchange value above that pawn; one that enters such
// a square loses it.
func (p *Position) Placement(m engine.Move) int {
	if p.state&scoredBit == 0 {
		p.score, p.state = p.sumPieces(), p.state|scoredBit
	}
	_, _, phase := p.score.split()
	piece, us, to := pieceOf(m), p.turn(), toOf(m)
	if m >= castle && m < passant {
		to = p.castlingOf(m).kingTo
	}
	opening, endgame, _ := (pieceScore(piece, to) - pieceScore(piece, fromOf(m))).split()
	s := endgame + (opening-endgame)*min(phase, openingPhase)/openingPhase
	if us == 1 {
		s = -s
	}
	if kind := piece & kindBits; kind > pawn && kind < king {
		pawns, risked := p.kinds[pawn]&p.sides[us^1], exchangeValues[kind]-exchangeValues[pawn]
		if pawnReach[us][cellOf(fromOf(m))]&pawns != 0 {
			s += risked
		}
		if pawnReach[us][cellOf(to)]&pawns != 0 {
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
