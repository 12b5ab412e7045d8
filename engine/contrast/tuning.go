package contrast

import "selfplay/engine"

// tuning is from stochastic approximation (SPSA) over 16,640 games with 1,000 nodes a move,
// by score and CPU time, then rounded, and from matches with 2,000 nodes a move. The
// second generation is from SPSA over 12,000 games and from matches, with a network and some
// 900 nodes a move.
var tuning = engine.Tuning{
	ReverseFutility: 80, ReverseFutilityDepth: 3,
	Futility: 170, FutilityDepth: 4,
	LateMoves: 10, LateMoveDepth: 4,

	ReductionFactor: 32, ReduceFrom: 3, ReductionHistory: 10_000,

	Aspiration:   50,
	HistoryBonus: 32,
	Placement:    10,

	MeanNodes: [5]int{230, 610, 2_700, 5_900, 16_300},
}.WithSecond(func(t *engine.Tuning) {
	t.ReverseFutility, t.LateMoves, t.ReductionFactor, t.Aspiration = 35, 12, 35, 110
	t.MeanNodes = [5]int{305, 710, 2_220, 5_220, 13_500}
})

// Tuning returns the margins of the selective search.
func (p *Position) Tuning() *engine.Tuning { return &tuning }
