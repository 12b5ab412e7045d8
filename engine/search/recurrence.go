package search

import "slices"

// A game is drawn when a position occurs for the third or fourth time. A shallow search sees that too
// late: with a lead it plays the same moves again and again, until its opponent ends the game. So a
// search counts every position that has occurred before, in the game or on the path, as a draw.

// historian is what a position may know of its game: see engine.Featured.
type historian interface {
	Plies() int
	HashAt(n int) uint64
}

// positionSet holds positions by their hashes. Most positions are in no set, and the counts tell so at
// once.
type positionSet struct {
	hashes []uint64
	counts [1 << 10]uint16 // by the low bits of the hash
}

func (p *positionSet) push(hash uint64) {
	p.hashes = append(p.hashes, hash)
	p.counts[hash%uint64(len(p.counts))]++
}

func (p *positionSet) pop() {
	last := len(p.hashes) - 1
	p.counts[p.hashes[last]%uint64(len(p.counts))]--
	p.hashes = p.hashes[:last]
}

func (p *positionSet) has(hash uint64) bool {
	return p.counts[hash%uint64(len(p.counts))] > 0 && slices.Contains(p.hashes, hash)
}

// beginRecurrence notes the positions of the game, the root included.
func (s *AlphaBeta) beginRecurrence() {
	if !s.on(Recurrence) {
		return
	}
	s.earlier = positionSet{hashes: s.earlier.hashes[:0]}
	if p, ok := s.p.(historian); ok {
		for n := range p.Plies() + 1 {
			s.earlier.push(p.HashAt(n))
		}
	}
}
