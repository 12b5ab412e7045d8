package contrast

import "selfplay/engine"

// tuning is from matches with 2,000 nodes a move.
var tuning = engine.Tuning{
	ReverseFutility: 150, ReverseFutilityDepth: 3,
	Futility: 150, FutilityDepth: 3,

	ReductionFactor: 40, ReduceFrom: 3, ReductionHistory: 10_000,

	Aspiration:   50,
	HistoryBonus: 40,
}

// Hangs returns false: nothing is captured.
func (p *Position) Hangs(engine.Move) bool { return false }

// GivesCheck returns false: there is no check.
func (p *Position) GivesCheck(engine.Move) bool { return false }

// Tuning returns the margins of the selective search.
func (p *Position) Tuning() *engine.Tuning { return &tuning }
