package search

import "selfplay/engine"

// reductionTable holds reductions of late moves in hundredths of a turn, by depth and move number.
type reductionTable [32][64]int16

// tune adopts the margins of the game that is searched.
func (s *AlphaBeta) tune(t *engine.Tuning) {
	if s.tuning == t {
		return
	}
	s.tuning, s.off = t, s.options.Off|featuresOff(t)
	if s.options.Exact {
		s.off |= changingScores
	}
	for depth := 1; depth < len(s.reductions); depth++ {
		for number := 1; number < len(s.reductions[0]); number++ {
			logs := float64(log(float64(depth)) * log(float64(number)))
			s.reductions[depth][number] = int16(float64(t.ReductionFactor) * logs)
		}
	}
}

// featuresOff returns the features that a game switches off by a false.
func featuresOff(t *engine.Tuning) (off Feature) {
	if !t.Recurrence {
		off |= Recurrence
	}
	if !t.TableScores {
		off |= TableScores
	}
	if !t.Stability {
		off |= Stability
	}
	return off
}

// on reports whether a feature is enabled.
func (s *AlphaBeta) on(f Feature) bool { return s.off&f == 0 }

// reductionAt returns the reduction of a move by its number, in hundredths of a turn.
func (s *AlphaBeta) reductionAt(depth, number int) int {
	return int(s.reductions[min(depth, len(s.reductions)-1)][min(number, len(s.reductions[0])-1)])
}

// softLimits are the node limits whose mean costs a game knows: see engine.Tuning.MeanNodes.
var softLimits = [...]int{100, 300, 1_000, 3_000, 10_000}

// SoftLimit returns the node limit of an alpha-beta search whose mean cost is a number of nodes. The
// limit is soft: the iteration that reaches it is completed, so a search costs two to four times as
// much. It lies on straight lines between the measured limits. It returns 0 if the game knows no costs.
func SoftLimit(t *engine.Tuning, mean int) int {
	limit, cost := 0, 0
	for i, next := range t.MeanNodes {
		if next <= cost {
			return 0
		}
		if mean <= next || i == len(softLimits)-1 {
			return max(1, limit+(mean-cost)*(softLimits[i]-limit)/(next-cost))
		}
		limit, cost = softLimits[i], next
	}
	return 0
}
