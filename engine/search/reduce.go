package search

import "selfplay/engine"

// Late-move reductions: later moves probably fail low, so they are searched to a smaller
// depth first. See chessprogramming.org/Late_Move_Reductions.

// reductionTable holds reductions in hundredths of a turn, by depth and move number.
type reductionTable [32][64]int16

// tune adopts the margins of the game that is searched.
func (s *AlphaBeta) tune(t *engine.Tuning) {
	if t = t.Generation(s.on(SecondTuning)); s.tuning == t {
		return
	}
	s.tuning = t
	for depth := 1; depth < len(s.reductions); depth++ {
		for number := 1; number < len(s.reductions[0]); number++ {
			logs := float64(log(float64(depth)) * log(float64(number)))
			s.reductions[depth][number] = int16(float64(t.ReductionFactor) * logs)
		}
	}
}

// reductionAt returns the reduction of a move by its number, in hundredths of a turn.
func (s *AlphaBeta) reductionAt(depth, number int) int {
	return int(s.reductions[min(depth, len(s.reductions)-1)][min(number, len(s.reductions[0])-1)])
}

// reduction returns by how much to reduce the depth of a move.
func (s *AlphaBeta) reduction(f *frame, n *selectiveState, us engine.Side, m engine.Move, searched int) int {
	t := s.tuning
	if !s.on(LateMoveReductions) || n.check || searched < t.ReduceFrom || !f.quiet {
		return 0
	}
	r := s.reductionAt(n.depth, searched) + t.MoreReductions
	if n.pv {
		r -= 100
	}
	if t.ReductionHistory > 0 {
		r -= s.history.sum(us, f.previous, m) * 100 / t.ReductionHistory
	}
	return max(r/100, 0)
}

// rootReduction returns by how much to reduce the depth of root move i.
func (s *AlphaBeta) rootReduction(m engine.Move, i, depth int, later bool) int {
	if !s.options.Selective || !later || i < s.tuning.ReduceFrom || !s.on(LateMoveReductions) || s.gain(m) != 0 {
		return 0
	}
	return max(s.reductionAt(depth, i)-100, 0) / 100
}
