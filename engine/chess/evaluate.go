package chess

import "selfplay/engine"

var _ engine.Evaluator = (*Position)(nil)

// Evaluate returns the static score for the side to move; 100 is a pawn. Material
// and where it stands, once as the opening and once as the end of a game sees it,
// mixed by how many pieces are left; a pair of bishops; the move. Tactics are the
// search's.
//
// Scores are part of a player's version: whoever changes one changes datasets.
func (p *Position) Evaluate() int {
	if p.state&scoredBit == 0 {
		p.score, p.state = p.sum(), p.state|scoredBit
	}
	mid, late, phase := p.score.split()
	pair := p.pairs() * bishopPair
	s := late + (mid-late)*min(phase, openingPhase)/openingPhase + pair
	if p.turn() == 1 {
		s = -s
	}
	return min(max(s+tempo, -engine.MaxStatic), engine.MaxStatic)
}

// Over reports whether the game is drawn though there may be legal moves.
func (p *Position) Over() bool { return p.drawn() }

const (
	tempo        = 12
	bishopPair   = 35
	openingPhase = 24 // of all pieces of the start
)

// values are the kinds of pieces in centi-units, before any square, and phases how
// much of an opening they make.
var (
	values = [8]int{pawn: 100, knight: 320, bishop: 330, rook: 500, queen: 900}
	phases = [8]int{knight: 1, bishop: 1, rook: 2, queen: 4}
)

// score is three sums in one number, so that all are added at once: from the top
// the phase, what the opening makes of the pieces, and what the end makes of them,
// White's less Black's. A board full of queens does not fill 24 bits.
type score int64

func newScore(phase, mid, late int) score {
	return score(phase)<<48 + score(mid)<<24 + score(late)
}

// split returns the sums. Those below the top may be negative and have borrowed.
func (s score) split() (mid, late, phase int) {
	low := s << 40 >> 40
	s = (s - low) >> 24
	middle := s << 40 >> 40
	return int(middle), int(low), int((s - middle) >> 24)
}

// sum returns the score of the pieces on the board, from nothing. A position is
// summed at the first question and keeps its score from there on: Do and Undo know
// by scoredBit, so that who never asks, as random play, pays nothing.
func (p *Position) sum() (s score) {
	for set := p.occupied(); set != 0; set &= set - 1 {
		sq := squareOf(first(set))
		s += worthOn(p.board[sq], sq)
	}
	return s
}

// pairs returns how many pairs of bishops White has more than Black.
func (p *Position) pairs() (n int) {
	bishops := p.kinds[bishop]
	if own := bishops & p.sides[0]; own&(own-1) != 0 {
		n++
	}
	if own := bishops & p.sides[1]; own&(own-1) != 0 {
		n--
	}
	return n
}

// worthOn is what a piece adds to the score on a square, 0 for none.
func worthOn(piece, sq uint8) score { return worth[piece&31][sq&127] }

// worth is by pieces and squares.
var worth = func() (table [32][128]score) {
	for kind := uint8(pawn); kind <= king; kind++ {
		mid := drawing(squareTables[kind])
		late := mid
		if text := endTables[kind]; text != "" {
			late = drawing(text)
		}
		for cell, sq := range mailbox64 {
			flipped := cell ^ 56 // as Black sees it
			table[white|kind][sq] = newScore(phases[kind], values[kind]+mid[cell], values[kind]+late[cell])
			table[black|kind][sq] = newScore(phases[kind], -values[kind]-mid[flipped], -values[kind]-late[flipped])
		}
	}
	return table
}()
