package chess

import (
	"math/bits"

	"selfplay/engine"
)

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

// structure is what depends on pawns and kings alone. It changes rarely during a search, so
// Evaluate keeps structures in a table of the position.
type structure struct {
	pawns, kings [2]uint64 // by side; without kings the entry is unused
	closed       [2]uint64 // whole files with pawns of the side
	score        score     // White's minus Black's
}

// structureCount is the size of the table: 14 KiB stay in the first cache.
const structureCount = 256

// structureHere returns the structure of the position. It is valid until the next call.
func (p *Position) structureHere() *structure {
	white, black := p.sides[0], p.sides[1]
	pawns := [2]uint64{p.kinds[pawn] & white, p.kinds[pawn] & black}
	kings := [2]uint64{p.kinds[king] & white, p.kinds[king] & black}
	key := pawns[0] ^ bits.RotateLeft64(pawns[1], 24) ^ kings[0] ^ bits.RotateLeft64(kings[1], 12)
	const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio spreads the keys
	s := &p.structures[key*golden>>56]
	if s.pawns != pawns || s.kings != kings {
		s.pawns, s.kings = pawns, kings
		s.compute()
	}
	return s
}

// compute fills in what follows from pawns and kings.
func (s *structure) compute() {
	white, black := s.pawns[0], s.pawns[1]
	s.closed = [2]uint64{fillUp(fillDown(white)), fillUp(fillDown(black))}
	// Black's pawns in White's place: ranks in reverse order.
	enemy, own := bits.ReverseBytes64(white), bits.ReverseBytes64(black)
	s.score = pawnScore(white, black, s.kings[0]) - pawnScore(own, enemy, bits.ReverseBytes64(s.kings[1]))
}

// pawnScore returns the score of pawns that advance towards cell 0, and of those before
// their king.
func pawnScore(pawns, enemy, king uint64) (s score) {
	behind, guarded := fillDown(pawns<<8), fillDown(enemy<<8)
	for passed := pawns &^ (guarded | beside(guarded) | behind); passed != 0; passed &= passed - 1 {
		s += passedPawn[firstCell(passed)>>3&7]
	}
	s += count(pawns&^beside(fillUp(behind))) * isolatedPawn
	s += count(pawns&behind) * doubledPawn
	s += count(pawns&pawnAttacks(pawns)) * defendedPawn
	s += count(pawns&(pawns&^fileH<<1)) * phalanxPawn
	front := (king | beside(king)) >> 8
	s += count(pawns&front) * shelterNear
	return s + count(pawns&(front>>8))*shelterFar
}

// pawnAttacks returns the targets of pawns that advance towards cell 0.
func pawnAttacks(pawns uint64) uint64 { return pawns&^fileA>>9 | pawns&^fileH>>7 }

func count(set uint64) score { return score(bits.OnesCount64(set)) }

// beside returns the neighbours of cells on their ranks.
func beside(set uint64) uint64 { return set&^fileA>>1 | set&^fileH<<1 }

// fillDown adds the cells between a set and the last cells of its files, fillUp those
// between it and the first ones.
func fillDown(set uint64) uint64 {
	set |= set << 8
	set |= set << 16
	return set | set<<32
}

func fillUp(set uint64) uint64 {
	set |= set >> 8
	set |= set >> 16
	return set | set>>32
}

// tuning is from stochastic approximation (SPSA) by score and CPU time, then rounded: over 28,800 games with
// the hand-written score and 1,000 nodes a move, and from there over 12,300 games with the network
// chess-g7, 1,000 nodes and a table that a game keeps.
var tuning = engine.Tuning{
	ReverseFutility: 114, ReverseFutilityDepth: 7,
	Razoring: 389, RazoringDepth: 3,
	Futility: 121, FutilityDepth: 6,
	LateMoves: 4, LateMoveDepth: 2,
	HangingDepth: 4,
	Losing:       259,
	Delta:        190,

	NullMove:        4,
	ReductionFactor: 33, ReduceFrom: 3, ReductionHistory: 11_400, MoreReductions: 143,
	InternalReduction: 4,

	Aspiration:   108,
	HistoryBonus: 43,
	CheckBonus:   2_140,
	Placement:    9,

	Recurrence: true, TableScores: true, Stability: true,
	KeepFrom: 2_000, // at equal CPU time +4 Elo (-9 to +17) with 1,000 nodes, +16 (0 to +32) with 2,000, +41 (+13 to +69) with 10,000

	MeanNodes: [5]int{270, 600, 1_550, 3_750, 10_700},
}

// Tuning returns the margins of the search.
func (p *Position) Tuning() *engine.Tuning { return &tuning }
