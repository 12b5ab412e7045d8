package program

import (
	"cmp"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/making"
	"selfplay/datasets/status"
	"selfplay/workers"
)

// describe tells a progress the facts of the run that do not change.
func (j *job) describe(p *progress.Progress, hash string) {
	p.Set(func(r *status.Run) {
		r.Game, r.PlanHash, r.Seed, r.ShardGames = j.plan.Game, hash, j.plan.Seed, uint64(j.plan.ShardGames)
		r.Out, r.Workers = absolute(j.out), j.workers
		if j.task.Count > 0 {
			r.TaskCount, r.TaskIndex = j.task.Count, &j.task.Index
		}
	})
}

// following returns a function that sets what a pool has played.
func following(pool *workers.Pool) func(*status.Run) {
	return func(r *status.Run) {
		r.Played, r.Plies = pool.Progress()
		r.Busy, r.WorkerTime = pool.Busy(), pool.WorkerTime()
		r.Models = modelsOf(pool)
	}
}

// modelsOf returns how much models were asked.
func modelsOf(pool *workers.Pool) (list []status.Model) {
	for _, m := range pool.Models() {
		list = append(list, status.Model{
			Name: m.Name, Evaluations: m.Evaluations, Batch: m.Batch, Batches: m.Batches,
			FullEvaluations: m.FullEvaluations, FullBatches: m.FullBatches, Evaluators: m.Evaluators,
			BusyTime: m.Busy, EvaluatorCPU: seconds(m.CPU),
		})
	}
	return list
}

// ended is a run after its end, with what only the dataset knows.
type ended struct {
	status.Run
	info datasets.Info // zero if it was not wanted or cannot be read
	end  uint64        // the game after the last committed one, as info
	err  error         // why it cannot be read
}

// finish ends a run with an error and an exit code. whole also reads what only the dataset knows. What
// cannot be read stays as the run counted it; verify explains why.
func (j *job) finish(p *progress.Progress, made making.Summary, err error, code int, whole bool) ended {
	e := ended{Run: p.Look()}
	setOutcome(&e.Run, err, code)
	if whole && e.Begun() {
		e.OwnJournaled = made.Journaled
		e.err = e.add(made.Info, j.out)
	}
	p.Set(func(r *status.Run) { *r = e.Run })
	return e
}

// setOutcome sets how a run ended.
func setOutcome(r *status.Run, err error, code int) {
	r.ExitCode, r.State, r.ETA = &code, status.Done, nil
	if err == nil {
		return
	}
	r.Error, r.State = err.Error(), status.Failed
	if errors.Is(err, datasets.ErrIncomplete) && !errors.Is(err, datasets.ErrUnanswered) {
		r.State = status.Stopped
	}
	if panicked := (*workers.PanicError)(nil); errors.As(err, &panicked) {
		r.Failures++
	}
}

// add adds what only the dataset knows. It reads that if the run does not know it.
func (e *ended) add(known *datasets.Info, out string) (err error) {
	if known == nil {
		if known, err = readInfo(out); err != nil {
			return err
		}
	}
	e.info = *known
	i := &e.info
	e.Counts = i.Counts
	e.Finished.Journaled, e.GamesDone = i.Journaled, i.GamesDone
	e.Complete, e.Rows, e.Bytes, e.Splits, e.Dropped = &i.Complete, i.Rows, i.Bytes, i.Splits, i.Dropped
	e.end = i.End
	e.countEndings()
	return nil
}

// readInfo sums up the dataset in out.
func readInfo(out string) (*datasets.Info, error) {
	ds, err := datasets.Open(out)
	if err != nil {
		return nil, err
	}
	info, err := ds.Info()
	return &info, err
}

// countEndings counts the games by ending, the most common first.
func (e *ended) countEndings() {
	games := map[string]uint64{}
	for _, n := range e.info.Results {
		games[human.Ending(n.Result, n.Reason)] += n.Games
	}
	for _, name := range slices.Sorted(maps.Keys(games)) {
		e.Endings = append(e.Endings, status.Ending{Name: name, Games: games[name]})
	}
	slices.SortStableFunc(e.Endings, func(a, b status.Ending) int { return cmp.Compare(b.Games, a.Games) })
}

// attributes returns the members of the final log event.
func attributes(r *status.Run) []any {
	list := []any{
		"state", r.State, "exit_code", *r.ExitCode, "games", r.Games, "games_done", r.GamesDone, "of", r.Target, "games_new", r.GamesNew,
		"rows", r.Rows, "rows_new", r.RowsNew, "shards", r.ShardsDone, "bytes", r.Bytes,
		"elapsed", (time.Duration(r.ElapsedS * float64(time.Second))).Round(time.Millisecond).String(),
	}
	if r.Failures > 0 {
		list = append(list, "failures", r.Failures)
	}
	return append(list, "out", r.Out)
}

// absolute returns the absolute form of a path, or the path itself if the working directory
// is unknown or it is a URL.
func absolute(path string) string {
	if disk.IsURL(path) {
		return path
	}
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
