package chess

import "math/bits"

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
