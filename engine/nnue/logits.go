package nnue

import "selfplay/engine"

// partLogit is the logit of a part of moves, which many moves of a position share.
type partLogit struct {
	value int64
	round uint32 // the call of AppendLogits that computed it
}

// AppendLogits appends the logits of legal moves of the position as it is now, in hundredths. The
// probability of a move is the softmax of them. It panics if the network has no policy head. In a
// position with more active features than any position of a game, all logits are 0.
func (s *Scorer) AppendLogits(dst []int32, moves []engine.Move) []int32 {
	if !s.net.HasPolicy() {
		panic("nnue: the network has no policy head")
	}
	e := s.current()
	s.beginRound()
	us := s.p.Turn() & 1
	own, other := e.views[us], e.views[us^1]
	for _, m := range moves {
		if e.size > s.net.features.Most {
			dst = append(dst, 0)
			continue
		}
		parts := s.moves.MoveParts(m)
		dst = append(dst, logit(s.partLogit(own, other, parts[0]), s.partLogit(own, other, parts[1])))
	}
	return dst
}

// beginRound forgets the logits of parts.
func (s *Scorer) beginRound() {
	if s.round++; s.round == 0 {
		clear(s.parts)
		s.round = 1
	}
}

// partLogit returns the logit of a part and computes it once a round.
func (s *Scorer) partLogit(own, other []uint64, part uint16) int64 {
	p := &s.parts[part]
	if p.round != s.round {
		p.value, p.round = s.net.partLogit(own, other, int(part)), s.round
	}
	return p.value
}
