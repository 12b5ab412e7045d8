package search

import (
	"slices"

	"selfplay/engine"
)

// Sort keys. Captures use their gain, quiet moves their history from 1 on, losing moves their gain
// (-maxGain to -1).
const (
	maxGain   = 1 << 22
	quietBase = 1 << 17 // added to histories, which may be negative
)

// beginList prepares a new list: one key per move, nothing picked yet.
func (f *frame) beginList() {
	if cap(f.keys) < len(f.moves) {
		f.keys = make([]int32, cap(f.moves))
	}
	f.keys = f.keys[:len(f.moves)]
	f.next, f.sorted, f.untested = 0, false, false
}

// listCaptures lists the captures with a positive gain, except the table move.
func (s *AlphaBeta) listCaptures(f *frame) {
	if s.lister != nil {
		s.listCandidates(f, 1)
		f.drop(f.tableMove)
		return
	}
	f.moves = s.p.Captures(f.moves[:0])
	f.beginList()
	n := 0
	for _, m := range f.moves {
		if gain := s.p.Gain(m); gain > 0 && !f.isTableMove(m) {
			f.moves[n], f.keys[n] = m, int32(gain)
			n++
		}
	}
	f.moves, f.keys = f.moves[:n], f.keys[:n]
}

// listCandidates lists the captures that gain at least least. Which of them are legal is tested when
// they are picked.
func (s *AlphaBeta) listCandidates(f *frame, least int) {
	f.moves, f.keys = s.lister.AppendCaptures(f.moves[:0], f.keys[:0], least)
	f.next, f.sorted, f.untested = 0, false, true
}

// drop removes a move from the list, if it is there and not 0.
func (f *frame) drop(m engine.Move) {
	if m == 0 {
		return
	}
	if i := slices.Index(f.moves, m); i >= 0 {
		f.remove(i)
	}
}

// remove removes move i from the list.
func (f *frame) remove(i int) {
	f.moves, f.keys = slices.Delete(f.moves, i, i+1), slices.Delete(f.keys, i, i+1)
}

// listRemaining lists the moves that no earlier stage returned.
func (s *AlphaBeta) listRemaining(f *frame, us engine.Side) {
	f.moves = s.p.Moves(f.moves[:0])
	f.beginList()
	n := 0
	for _, m := range f.moves {
		gain := s.gain(m)
		if gain > 0 || f.isTableMove(m) || gain == 0 && f.isKiller(m) {
			continue
		}
		key := int32(max(gain, -maxGain))
		if gain == 0 {
			key = s.quietKey(f, us, m)
		}
		f.moves[n], f.keys[n] = m, key
		n++
	}
	f.moves, f.keys = f.moves[:n], f.keys[:n]
}

// keyByGain sets the keys for quiescence, by gain. It removes the moves that gain less than least.
func (s *AlphaBeta) keyByGain(f *frame, least int) {
	f.beginList()
	n := 0
	for _, m := range f.moves {
		gain := s.p.Gain(m)
		if gain < least {
			continue
		}
		f.moves[n], f.keys[n] = m, int32(gain)
		n++
	}
	f.moves, f.keys = f.moves[:n], f.keys[:n]
	f.sorted = n < 2 || !s.on(Gains)
}

// listGaining lists the captures for quiescence that gain at least least, as keyByGain does.
func (s *AlphaBeta) listGaining(f *frame, least int) {
	if s.lister == nil {
		f.moves = s.p.Captures(f.moves[:0])
		s.keyByGain(f, least)
		return
	}
	s.listCandidates(f, least)
	f.sorted = len(f.moves) < 2 || !s.on(Gains)
}

// sortByGain sorts root moves by gain and keeps the order of equal gains. It overwrites
// their scores.
func sortByGain(moves []RootMove, p engine.Evaluator) {
	for i := range moves {
		moves[i].Score = p.Gain(moves[i].Move)
	}
	sortStable(moves)
}

// sortStable sorts root moves by descending score and keeps the order of equal scores. Few of them
// differ from 0, so most moves stay where they are.
func sortStable(moves []RootMove) {
	for i := 1; i < len(moves); i++ {
		m, j := moves[i], i
		for ; j > 0 && moves[j-1].Score < m.Score; j-- {
			moves[j] = moves[j-1]
		}
		if j < i {
			moves[j] = m
		}
	}
}
