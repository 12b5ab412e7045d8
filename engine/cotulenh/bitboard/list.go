package bitboard

// The list of a side's stacks. A removal moves the last entry, so the order depends on the
// steps played; Undo restores it.

// setCandidates changes the number of candidate steps of a listed stack.
func (s *sideState) setCandidates(i, n uint8) {
	s.candidatesTotal += uint32(n) - uint32(s.candidates[i])
	s.candidates[i] = n
}

// enlist appends a square to a side's list.
func (p *Position) enlist(side, sq, candidates uint8) {
	s := &p.sides[side&1]
	s.squares[s.n] = sq
	s.candidates[s.n] = candidates
	p.index[sq] = s.n
	s.n++
	s.candidatesTotal += uint32(candidates)
}

// unlist removes a square from a side's list; the last entry takes its place.
func (p *Position) unlist(side, sq uint8) {
	s := &p.sides[side&1]
	i := p.index[sq]
	s.n--
	s.candidatesTotal -= uint32(s.candidates[i])
	last := s.squares[s.n]
	s.squares[i] = last
	s.candidates[i] = s.candidates[s.n]
	p.index[last] = i
}

// relist is the inverse of unlist: the square gets its old place back, and the entry there
// returns to the end.
func (p *Position) relist(side, sq, i, candidates uint8) {
	s := &p.sides[side&1]
	if i != s.n {
		other := s.squares[i]
		s.squares[s.n] = other
		s.candidates[s.n] = s.candidates[i]
		p.index[other] = s.n
	}
	s.squares[i] = sq
	s.candidates[i] = candidates
	p.index[sq] = i
	s.n++
	s.candidatesTotal += uint32(candidates)
}
