package program

import (
	"context"
	"fmt"
	"math"
	"os"
	"sync"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// A trial plays rounds of games. Each round is a dataset in a temporary folder, so that it costs what a run costs. The
// trial ends when it has taken trialTime of CPU time and knows the effort of a game well enough, or after maxTrialTime. All
// games are whole: those that end first are short. A small round mostly begins and ends a dataset, so it does not count
// beside a larger one.
const (
	trialTime    = 4 * time.Second  // of CPU time
	modelTime    = 16 * time.Second // the same with a model: the last games of a round, which do not fill its batches, must be few
	maxTrialTime = 30 * time.Second
	enoughSpread = 0.05
	growth       = 8 // at most, from one round to the next: few rounds begin few datasets
)

// trial is what the games of a trial took.
type trial struct {
	Games, Rows   uint64        // of all rounds
	first, large  record.Totals // of the first and of the largest round
	plies         uint64
	elapsed, took time.Duration // of all rounds and of the last one
	tookCPU       time.Duration // the same in CPU time

	played    uint64        // games of the rounds that count
	cpu       time.Duration // of these rounds, those of evaluators as if all batches had been full
	endCPU    time.Duration // that evaluators took beyond it: the last games of a round do not fill their batches
	evaluator time.Duration // in which the busiest model had batches, by its number of evaluators

	mu       sync.Mutex  // of the fields below
	rows     trialSample // of each game
	effort   trialSample // nodes of each game, or plies without searches: its CPU time, and a busy machine changes nothing
	rowBytes int         // of a row in memory
}

// play plays rounds of games, the first one of n games. The caller adds the CPU time of UCI engines.
func (t *trial) play(ctx context.Context, pool *workers.Pool, n uint64, p plan.Plan, games uint64, o making.Options, expect func(games uint64)) error {
	begin, mark, play := time.Now(), processTime(), o.Play
	o.Rows = t.count(o.Rows)
	for ; n > 0; n = t.next(n, games) {
		expect(t.Games + n)
		o.Play = shifted(play, t.Games)
		before := pool.Models()
		if err := t.round(ctx, p, n, o); err != nil {
			return err
		}
		if n > t.played {
			t.cpu, t.evaluator, t.played = 0, 0, 0
		}
		spent := t.cpu
		t.cpu += processTime() - mark
		mark = processTime()
		for i, m := range pool.Models() {
			t.addModel(before[i], m)
		}
		t.played, t.tookCPU = t.played+n, t.cpu-spent
		_, t.plies = pool.Progress()
		t.elapsed, t.took = time.Since(begin), time.Since(begin)-t.elapsed
	}
	return nil
}

// round makes a dataset of n games and removes it.
func (t *trial) round(ctx context.Context, p plan.Plan, n uint64, o making.Options) error {
	dir, err := os.MkdirTemp("", "selfplay-trial-")
	if err != nil {
		return fmt.Errorf("play a trial in the folder for temporary files: %w", err)
	}
	defer os.RemoveAll(dir)
	made, err := making.Make(ctx, dir, p, n, o)
	if err != nil {
		return err
	}
	if t.Games == 0 {
		t.first = made.Totals
	}
	if made.Games >= t.large.Games {
		t.large = made.Totals
	}
	t.Games += made.Games
	t.Rows += made.Rows
	return nil
}

// shifted returns a Play whose games are those that are by numbers later: each round has others.
func shifted(play datasets.Play, by uint64) datasets.Play {
	return func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		later := make([]uint64, len(games))
		for i, game := range games {
			later[i] = game + by
		}
		return play(ctx, later, journal, func(r *engine.Record) error {
			r.Game -= by
			return sink(r)
		})
	}
}

// count returns row functions that also count the rows and the effort of each game, and the size of a row.
func (t *trial) count(rowFuncs func() datasets.RowFunc) func() datasets.RowFunc {
	return func() datasets.RowFunc {
		appendRows := rowFuncs()
		return func(r *engine.Record, table *encode.Table, dropped []uint64) error {
			before := table.Rows
			err := appendRows(r, table, dropped)
			size, nodes := 0, uint64(0)
			for _, n := range r.Nodes {
				nodes += uint64(n)
			}
			if nodes == 0 {
				nodes = uint64(len(r.Actions))
			}
			for _, data := range table.Data {
				size += len(data)
			}
			t.mu.Lock()
			defer t.mu.Unlock()
			t.rows.add(float64(table.Rows - before))
			t.effort.add(float64(nodes))
			t.rowBytes = size / max(1, table.Rows)
			return err
		}
	}
}

// addModel adds the evaluations of a round. The evaluators of a model report their CPU time, which is not of this process.
func (t *trial) addModel(before, after workers.ModelCounts) {
	cpu, busy := float64(after.CPU-before.CPU), float64(after.Busy-before.Busy)
	steady := cpu
	full := float64(after.FullEvaluations) - float64(before.Evaluations)
	if full > 0 {
		share := float64(after.Evaluations-before.Evaluations) / full
		steady = share * float64(after.FullCPU-before.CPU)
		busy = share * float64(after.FullBusy-before.Busy)
	}
	t.cpu += time.Duration(steady)
	t.endCPU = time.Duration(max(0, cpu-steady))
	t.evaluator += time.Duration(busy) / time.Duration(after.Evaluators)
}

// next returns the games of the round after one of n, 0 if the trial is over. A trial plays no more games than the run.
func (t *trial) next(n, games uint64) uint64 {
	fit := func(left, took time.Duration) float64 {
		return float64(n) * float64(max(0, left)) / float64(max(1, took))
	}
	whole := trialTime
	if t.evaluator > 0 {
		whole = modelTime
	}
	needed := fit(whole-t.cpu, t.tookCPU)
	if s := t.effort.spread(); math.IsNaN(s) {
		needed = math.MaxUint32
	} else if s > enoughSpread {
		needed = max(needed, float64(t.Games)*(s*s/(enoughSpread*enoughSpread)-1)+1)
	}
	fitting := min(needed, fit(maxTrialTime-t.elapsed, t.took), float64(growth*n))
	if fitting < float64(t.played)/4 {
		return 0
	}
	return min(uint64(fitting), games-min(games, t.Games))
}

func (t *trial) rowsPerGame() float64 { return float64(t.Rows) / float64(t.Games) }

// perGame returns the time of a game if parallel of them take CPU time at once. Evaluators may be slower than that: on a
// GPU, or in a process with one thread.
func (t *trial) perGame(parallel int) float64 {
	return max(t.cpu.Seconds()/float64(parallel), t.evaluator.Seconds()) / float64(t.played)
}

// bytes returns the size of a number of shards with a number of rows. Files have metadata, whatever their rows.
func (t *trial) bytes(shards int, rows float64) float64 {
	size := func(of record.Totals) (rows, bytes float64) {
		return float64(of.Rows) / float64(of.Shards), float64(of.Bytes) / float64(of.Shards)
	}
	few, small := size(t.first)
	many, large := size(t.large)
	if many < 2*few || few == many {
		return float64(shards)*large + (rows-float64(shards)*many)*large/max(1, many)
	}
	perRow := (large - small) / (many - few)
	return float64(shards)*(small-few*perRow) + rows*perRow
}

// trialSample holds the sums of some values.
type trialSample struct {
	n            uint64
	sum, squares float64
}

func (s *trialSample) add(x float64) { s.n, s.sum, s.squares = s.n+1, s.sum+x, s.squares+x*x }

// spread returns the half width of the 95 % interval of the mean, as a share of it. It is NaN
// if the values are too few or the mean is 0.
func (s *trialSample) spread() float64 {
	if s.n < 2 || s.sum == 0 {
		return math.NaN()
	}
	n := float64(s.n)
	deviation := math.Sqrt(max(0, s.squares-s.sum*s.sum/n) / (n - 1))
	return quantile(s.n-1) * deviation * math.Sqrt(n) / s.sum
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
