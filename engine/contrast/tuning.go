package contrast

import "selfplay/engine"

// tuning is from stochastic approximation (SPSA) by score and CPU time, then rounded, and from matches: over
// 16,640 games with the hand-written score and 1,000 nodes a move, and from there over 12,000 games with a
// network and some 900 nodes a move.
var tuning = engine.Tuning{
	ReverseFutility: 35, ReverseFutilityDepth: 3,
	Futility: 170, FutilityDepth: 4,
	LateMoves: 12, LateMoveDepth: 4,

	ReductionFactor: 35, ReduceFrom: 3, ReductionHistory: 10_000,

	Aspiration:   110,
	HistoryBonus: 32,
	Placement:    10,

	Recurrence: true, TableScores: true, Stability: true,

	MeanNodes: [5]int{305, 710, 2_220, 5_220, 13_500},
}

// Tuning returns the margins of the search.
func (p *Position) Tuning() *engine.Tuning { return &tuning }
