package chess

import "selfplay/engine"

var _ engine.Evaluator = (*Position)(nil)

// Evaluate returns the static score in centipawns from the view of the side to move:
// piece-square values, bishop pair, pawns, rooks on open files and the pawns before the
// kings, interpolated between opening and endgame by the pieces left, and a tempo bonus.
// Tactics are left to the search. The numbers are fitted, see weights.go.
//
// Scores belong to the version of every player that searches: a change here changes
// datasets.
func (p *Position) Evaluate() int {
	if p.state&scoredBit == 0 {
		p.score, p.state = p.sumPieces(), p.state|scoredBit
	}
	opening, endgame, phase := (p.score + p.terms()).split()
	s := endgame + (opening-endgame)*min(phase, openingPhase)/openingPhase
	if p.turn() == 1 {
		s = -s
	}
	return min(max(s+tempo, -engine.MaxStatic), engine.MaxStatic)
}

// Over reports whether the game is drawn by the fifty-move rule, repetition or
// insufficient material. It does not detect checkmate and stalemate.
func (p *Position) Over() bool { return p.drawn() }

// score packs three sums into one integer, so that one addition updates all: from the
// top the phase, the opening score and the endgame score, White's minus Black's. A
// board full of queens fits in 24 bits.
type score int64

func newScore(phase, opening, endgame int) score {
	return score(phase)<<48 + score(opening)<<24 + score(endgame)
}

// split returns the three sums. A negative lower sum has borrowed from the one above
// it.
func (s score) split() (opening, endgame, phase int) {
	low := s << 40 >> 40
	s = (s - low) >> 24
	middle := s << 40 >> 40
	return int(middle), int(low), int((s - middle) >> 24)
}

// sumPieces computes the score of the pieces on the board. The first Evaluate calls it
// and sets scoredBit; from then on Do and Undo update the score. Random play never
// evaluates and so never pays for it.
func (p *Position) sumPieces() (s score) {
	for set := p.occupied(); set != 0; set &= set - 1 {
		sq := squareOf(firstCell(set))
		s += pieceScore(p.board[sq], sq)
	}
	return s
}

// terms returns what the score of a position has beyond the sum over its pieces.
func (p *Position) terms() score {
	s := p.structureHere()
	return s.score + p.rookScore(s) + p.threatScore(s) + p.pairScore()
}

// rookScore returns the score of rooks on files without own pawns.
func (p *Position) rookScore(s *structure) score {
	rooks := p.kinds[rook]
	white, black := rooks&p.sides[0]&^s.closed[0], rooks&p.sides[1]&^s.closed[1]
	if white|black == 0 {
		return 0
	}
	open := count(white&^s.closed[1]) - count(black&^s.closed[0])
	return open*rookOpen + (count(white&s.closed[1])-count(black&s.closed[0]))*rookHalfOpen
}

// threatScore returns the score of pawns that attack pieces.
func (p *Position) threatScore(s *structure) score {
	pieces := ^(p.kinds[pawn] | p.kinds[king])
	white, black := s.pawns[0], s.pawns[1]
	threats := count(pawnAttacks(white)&pieces&p.sides[1]) - count((black&^fileA<<7|black&^fileH<<9)&pieces&p.sides[0])
	return threats * pawnThreat
}

// pairScore returns the score of the bishop pairs.
func (p *Position) pairScore() (s score) {
	bishops := p.kinds[bishop]
	if own := bishops & p.sides[0]; own&(own-1) != 0 {
		s += bishopPair
	}
	if own := bishops & p.sides[1]; own&(own-1) != 0 {
		s -= bishopPair
	}
	return s
}

// pieceScore returns what a piece adds to the score on a square; 0 for an empty one.
func pieceScore(piece, sq uint8) score { return pieceScores[piece&31][sq&127] }
