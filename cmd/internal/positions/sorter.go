package positions

import "math/bits"

// sorter sorts different action numbers. It marks them in a set of bits and reads the set in order, which costs less than
// comparisons: a position has 30 to 130 actions.
type sorter struct {
	words   []uint64 // a bit for each action
	summary []uint64 // a bit for each word that is not 0
}

// newSorter returns a sorter of numbers below count.
func newSorter(count int) sorter {
	words := (count + 63) / 64
	return sorter{make([]uint64, words), make([]uint64, (words+63)/64)}
}

// add marks a number.
func (s *sorter) add(action uint16) {
	word := action >> 6
	s.words[word] |= 1 << (action & 63)
	s.summary[word>>6] |= 1 << (word & 63)
}

// appendTo appends the marked numbers in ascending order and forgets them.
func (s *sorter) appendTo(dst []uint16) []uint16 {
	for i, summary := range s.summary {
		s.summary[i] = 0
		for ; summary != 0; summary &= summary - 1 {
			word := i<<6 + bits.TrailingZeros64(summary)
			marked := s.words[word]
			s.words[word] = 0
			for ; marked != 0; marked &= marked - 1 {
				dst = append(dst, uint16(word<<6+bits.TrailingZeros64(marked)))
			}
		}
	}
	return dst
}
