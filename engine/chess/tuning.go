package chess

import "selfplay/engine"

// tuning is from stochastic approximation (SPSA) by score and CPU time, then rounded: over 28,800 games with
// the hand-written score and 1,000 nodes a move, and from there over 12,300 games with the network
// chess-g7, 1,000 nodes and a table that a game keeps.
var tuning = engine.Tuning{
	ReverseFutility: 114, ReverseFutilityDepth: 7,
	Razoring: 389, RazoringDepth: 3,
	Futility: 121, FutilityDepth: 6,
	LateMoves: 4, LateMoveDepth: 2,
	HangingDepth: 4,
	Losing:       259,
	Delta:        190,

	NullMove:        4,
	ReductionFactor: 33, ReduceFrom: 3, ReductionHistory: 11_400, MoreReductions: 143,
	InternalReduction: 4,

	Aspiration:   108,
	HistoryBonus: 43,
	CheckBonus:   2_140,
	Placement:    9,

	Recurrence: true, TableScores: true, Stability: true,
	KeepFrom: 2_000, // at equal CPU time +4 Elo (-9 to +17) with 1,000 nodes, +16 (0 to +32) with 2,000, +41 (+13 to +69) with 10,000

	MeanNodes: [5]int{270, 600, 1_550, 3_750, 10_700},
}

// Tuning returns the margins of the search.
func (p *Position) Tuning() *engine.Tuning { return &tuning }
