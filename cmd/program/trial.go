package program

import (
	"fmt"
	"math"
	"time"

	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/workers"
)

// A trial plays rounds of games, each at most twice as long as the one before. It ends when
// it has played for trialTime and has trialGames games, or when a round of one more game in
// each open shard would take it beyond maxTrialTime.
const (
	trialTime    = 2 * time.Second
	maxTrialTime = 30 * time.Second
	trialGames   = 32
)

// trial is what the games of a trial took.
type trial struct {
	making.Estimate                 // of all rounds
	last            making.Estimate // the last round, which has the largest files
	rounds          int
	elapsed, took   time.Duration // of all rounds and of the last one
	timing          workers.Timing
}

// next returns the games per shard of the round after one of n, 0 if the trial is over. A
// trial plays no game twice and no more games than the run.
func (t *trial) next(n uint64, p plan.Plan, games uint64) uint64 {
	if t.elapsed > trialTime && t.Games >= trialGames {
		return 0
	}
	shards := t.last.Games / n
	fitting := uint64(float64(max(0, maxTrialTime-t.elapsed)) / float64(max(1, t.took)) * float64(n))
	if t.Games >= trialGames { // a longer round only makes the estimate better
		fitting = uint64(float64(max(0, trialTime-t.elapsed))/float64(max(1, t.took))*float64(n)) + 1
	}
	return min(2*n, fitting, uint64(p.ShardGames), (games-min(games, t.Games))/shards)
}

func (t *trial) rowsPerGame() float64 { return float64(t.Rows) / float64(t.Games) }

// perGame returns the time from one game to the next when all workers have games to play.
// At the end of a round workers wait for the longest game; in a run they do not, so this
// time does not count.
func (t *trial) perGame(workers int) time.Duration {
	idle := t.elapsed - t.timing.Total/time.Duration(workers)
	waits := time.Duration(t.rounds) * t.timing.Longest
	return (t.elapsed - max(0, min(idle, waits))) / time.Duration(max(1, t.Games))
}

// timeSpread returns the half width of the 95 % interval of perGame, as a share of it.
func (t *trial) timeSpread() float64 {
	return spread(t.timing.Mean().Seconds(), t.timing.Deviation(), t.timing.Games)
}

// rowSpread returns the half width of the 95 % interval of the rows per game, as a share.
func (t *trial) rowSpread() float64 {
	n, rows := float64(t.Games), float64(t.Rows)
	if n < 2 {
		return spread(rows, 0, t.Games)
	}
	return spread(rows/n, math.Sqrt(max(0, t.SquaredRows-rows*rows/n)/(n-1)), t.Games)
}

// spread returns the half width of the 95 % interval of a mean, as a share of it. It is NaN
// if n values are too few or the mean is 0.
func spread(mean, deviation float64, n uint64) float64 {
	if n < 2 || mean == 0 {
		return math.NaN()
	}
	return quantile(n-1) * deviation / math.Sqrt(float64(n)) / mean
}

// quantile returns the 97.5 % quantile of Student's t distribution, to within 4 % for 3
// degrees of freedom and more (Abramowitz and Stegun 26.7.5).
func quantile(degrees uint64) float64 {
	switch degrees {
	case 1:
		return 12.71
	case 2:
		return 4.30
	}
	const z = 1.96
	d := float64(degrees)
	return z + (z*z*z+z)/(4*d) + (5*math.Pow(z, 5)+16*z*z*z+3*z)/(96*d*d)
}

// within writes a spread: ± 7 %. A wider one than the number itself says nothing.
func within(spread float64) string {
	if !(spread < 1) { // also if it is NaN
		return " (a guess from too few games)"
	}
	return fmt.Sprintf(" ± %.0f %%", max(1, 100*spread))
}
