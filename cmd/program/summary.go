package program

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
	"selfplay/workers"
)

// describe tells a progress the facts of the run that do not change.
func (j *runJob) describe(p *meter, hash string) {
	p.Set(func(r *status.Run) {
		r.Game, r.PlanHash, r.Seed, r.ShardGames = j.plan.Game, hash, j.plan.Seed, uint64(j.plan.ShardGames)
		r.Out, r.Workers = absolutePath(j.out), j.workers
		if j.task.Count > 0 {
			r.TaskCount, r.TaskIndex = j.task.Count, &j.task.Index
		}
	})
}

// endedRun is a run after its end, with what only the dataset knows.
type endedRun struct {
	status.Run
	info datasets.Info // zero if it was not wanted or cannot be read
	err  error         // why it cannot be read
}

// finish ends a run with an error and an exit code. whole also reads what only the dataset knows. What
// cannot be read stays as the run counted it; verify explains why.
func (j *runJob) finish(p *meter, made making.Summary, err error, code int, whole bool) endedRun {
	e := endedRun{Run: p.Look()}
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
func (e *endedRun) add(known *datasets.Info, out string) (err error) {
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
func (e *endedRun) countEndings() {
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

// summary is printed at the end of a run, on one screen.
type summary struct {
	*runJob
	endedRun
	c   *cli.Context
	why error // why the run ended, nil at its target
}

func (s *summary) print(w io.Writer) error {
	if s.err != nil {
		return s.err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	s.printDefault(t)
	s.printTotals(t)
	s.printEndings(t)
	fmt.Fprintf(t, "plan\t%.16s\n", s.PlanHash)
	fmt.Fprintf(t, "dataset\t%s\n", s.out)
	fmt.Fprintf(t, "next\t%s\n", s.next())
	return t.Flush()
}

// printDefault says who played if no flag did.
func (s *summary) printDefault(t io.Writer) {
	switch {
	case !s.preset.byDefault:
	case s.preset.name != "":
		fmt.Fprintf(t, "preset\t%s: %s\n", s.preset.name, s.preset.why())
	default:
		fmt.Fprintf(t, "player\t%s: %s\n", defaultPlayer, s.preset.why())
	}
}

// printTotals prints games, and what the shards hold if there are any.
func (s *summary) printTotals(t io.Writer) {
	fmt.Fprintf(t, "games\t%s of %s, %s played by this run, seed %d\n",
		human.Number(s.GamesDone), human.Number(s.Target), human.Number(s.Played), s.Seed)
	if s.Journaled > 0 {
		fmt.Fprintf(t, "journals\t%s of unfinished shards; their rows are not counted here\n", human.Count(s.Journaled, "finished game"))
	}
	if errors.Is(s.why, datasets.ErrIncomplete) {
		fmt.Fprintf(t, "counts\t%s\n", s.counts())
	}
	if s.Asked < s.Target {
		fmt.Fprintf(t, "requested\t%s; the dataset keeps the games it has\n", human.Count(s.Asked, "game"))
	}
	if s.ShardsDone > 0 {
		s.printRows(t)
	}
}

// printRows prints what the shards hold.
func (s *summary) printRows(t io.Writer) {
	fmt.Fprintf(t, "rows\t%s, %s of them new, %s per second\n",
		human.Number(s.Rows), human.Number(s.RowsNew), human.Number(uint64(s.PerSecond(s.RowsNew))))
	if s.Searches > 0 {
		fmt.Fprintf(t, "searches\t%s\n", searchText(&s.Run))
	}
	for _, m := range s.Models {
		fmt.Fprintf(t, "model %s\t%s\n", m.Name, modelText(&m))
	}
	for _, d := range s.info.Dropped {
		fmt.Fprintf(t, "dropped\t%s, %s\n", human.Count(d.Rows, "row"), d.Filter)
	}
	fmt.Fprintf(t, "bytes\t%s in %s, %.2f per row of positions\n",
		human.Number(s.Bytes), human.Count(s.ShardsDone, "shard"), s.info.BytesPerRow())
	fmt.Fprintf(t, "validation\t%s\n", s.validation())
}

// printEndings prints how the games ended. Another task may commit games after the totals were read, so
// the shares are of the games whose endings were read.
func (s *summary) printEndings(t io.Writer) {
	all := uint64(0)
	for _, e := range s.Endings {
		all += e.Games
	}
	for _, e := range s.Endings {
		fmt.Fprintf(t, "%s\t%s, %.1f %%\n", e.Name, human.Count(e.Games, "game"), 100*float64(e.Games)/float64(all))
	}
}

// searchText says what a decision cost.
func searchText(r *status.Run) string {
	return fmt.Sprintf("%s nodes per decision on average", human.Number(uint64(math.Round(r.MeanNodes()))))
}

// modelText says how much a model was asked.
func modelText(m *status.Model) string {
	full := ""
	if m.FullBatches > 0 {
		full = fmt.Sprintf(" (%.1f until the last games)", m.FullBatch)
	}
	return fmt.Sprintf("%s, %s per second, mean batch %.1f of %d%s, %.1f s of CPU, busy %.0f %% of the time",
		human.Count(m.Evaluations, "evaluation"), human.Number(uint64(m.PerS)), m.MeanBatch, m.Batch, full, m.EvaluatorCPU, 100*m.Busy)
}

// validation returns the share of the games that is in the validation split.
func (s *summary) validation() string {
	i := slices.IndexFunc(s.info.Splits, func(t record.SplitTotals) bool { return t.Split == plan.Validation })
	requested := float64(s.plan.Validation) / 10
	switch {
	case i >= 0:
		games := s.info.Splits[i].Games
		return fmt.Sprintf("%s, %.1f %% of all; %.1f %% requested", human.Count(games, "game"),
			100*float64(games)/float64(s.info.Games), requested)
	case s.plan.Validation > 0:
		return fmt.Sprintf("no game yet; %.1f %% requested", requested)
	}
	return "no validation split"
}

// counts says what a stopped dataset has, and how it is complete with that.
func (s *summary) counts() string {
	text := fmt.Sprintf("%s with %s in shards", human.Count(s.Games, "game"), human.Count(s.Rows, "row"))
	switch {
	case s.canEnd():
		return text + "; finalize completes the dataset with them"
	case s.Games == 0:
		return "nothing before a shard is whole"
	case s.Games < s.info.End:
		return text + fmt.Sprintf("; games before the last one are missing, and --games %d makes only these", s.info.End)
	}
	return text
}

// canEnd reports whether finalize can complete the dataset with the games that count.
func (s *summary) canEnd() bool { return s.Games > 0 && s.Games == s.info.End && s.task.Count == 0 }

// next returns the next step for the user.
func (s *summary) next() string {
	switch {
	case errors.Is(s.why, datasets.ErrIncomplete) && s.canEnd():
		return "the same command resumes; to end here: " + ownLine(s.c, "finalize", "--as-it-stands", s.out)
	case errors.Is(s.why, datasets.ErrIncomplete):
		return "the same command resumes"
	case errors.Is(s.why, datasets.ErrNoSpace):
		return "free space on the disk; then the same command resumes"
	case s.why != nil:
		return ownLine(s.c, "verify", s.out)
	case s.task.Count > 0:
		return fmt.Sprintf("when all %s are done: %s", human.Count(s.task.Count, "task"), ownLine(s.c, "finalize", s.out))
	}
	return ownLine(s.c, "head", s.out)
}
