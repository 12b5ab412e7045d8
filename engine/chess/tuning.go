package chess

import "selfplay/engine"

// tuning is from stochastic approximation (SPSA) over 28,800 games with 1,000 nodes a
// move, by score and CPU time, then rounded. The second generation is from the same method with the network
// chess-g7: 12,300 games, search=2,keep=true, with 1,000 nodes.
var tuning = engine.Tuning{
	ReverseFutility: 148, ReverseFutilityDepth: 7,
	Razoring: 360, RazoringDepth: 3,
	Futility: 116, FutilityDepth: 6,
	LateMoves: 5, LateMoveDepth: 2,
	HangingDepth: 4,
	Losing:       190,
	Delta:        140,

	NullMove:        4,
	ReductionFactor: 32, ReduceFrom: 3, ReductionHistory: 10_000,
	InternalReduction: 4,

	Aspiration:   65,
	HistoryBonus: 42,
	CheckBonus:   2_000,
	Placement:    11,

	MeanNodes: [5]int{240, 605, 1_900, 5_480, 17_400},
}.WithSecond(func(t *engine.Tuning) {
	t.ReverseFutility, t.Razoring, t.Futility = 114, 389, 121
	t.LateMoves, t.Losing, t.Delta = 4, 259, 190
	t.ReductionFactor, t.ReductionHistory, t.MoreReductions = 33, 11_400, 143
	t.Aspiration, t.HistoryBonus, t.CheckBonus, t.Placement = 108, 43, 2_140, 9
	t.MeanNodes = [5]int{270, 600, 1_550, 3_750, 10_700}
})

// Tuning returns the margins of the selective search.
func (p *Position) Tuning() *engine.Tuning { return &tuning }
