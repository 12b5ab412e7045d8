package cotulenh

import "selfplay/engine"

// tuning is from stochastic approximation (SPSA) over 14,400 games with 500 nodes a move and
// from matches at depth 3. Skipping captures that lose material costs 60 Elo at depth 3: an
// air force is worth giving up for what opens the way to the commander. Skipping
// late moves gains nothing at depths that a data generator reaches.
var tuning = engine.Tuning{
	ReverseFutility: 100, ReverseFutilityDepth: 3,
	Futility: 200, FutilityDepth: 5,
	Delta: 130,

	ReductionFactor: 24, ReduceFrom: 3, ReductionHistory: 9_500,
	InternalReduction: 5,

	Aspiration:   75,
	HistoryBonus: 60,
	Placement:    4,

	Recurrence: true, TableScores: true, Stability: true,

	MeanNodes: [5]int{640, 1_380, 5_750, 11_600, 30_000},
}

// Tuning returns the margins of the search.
func (p *Position) Tuning() *engine.Tuning { return &tuning }

// Tuning returns the margins of the search, for other engines of the game.
func Tuning() *engine.Tuning { return &tuning }
