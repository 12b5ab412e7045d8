package program

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
)

// summary is printed at the end of a run, on one screen.
type summary struct {
	*job
	ended
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

// printTotals prints games, rows and bytes.
func (s *summary) printTotals(t io.Writer) {
	fmt.Fprintf(t, "games\t%s of %s, %s of them new, seed %d\n",
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
	case s.Games < s.end:
		return text + fmt.Sprintf("; games before the last one are missing, and --games %d makes only these", s.end)
	}
	return text
}

// canEnd reports whether finalize can complete the dataset with the games that count.
func (s *summary) canEnd() bool { return s.Games > 0 && s.Games == s.end && s.task.Count == 0 }

// next returns the next step for the user.
func (s *summary) next() string {
	switch {
	case errors.Is(s.why, datasets.ErrIncomplete) && s.canEnd():
		return fmt.Sprintf("the same command resumes; to end here: %s finalize --as-it-stands %s", s.c.App.Name, human.Quoted(s.out))
	case errors.Is(s.why, datasets.ErrIncomplete):
		return "the same command resumes"
	case errors.Is(s.why, datasets.ErrNoSpace):
		return "free space on the disk; then the same command resumes"
	case s.why != nil:
		return app.ExportLine(s.c, "verify", s.out)
	case s.task.Count > 0:
		return fmt.Sprintf("when all %s are done: %s finalize %s", human.Count(s.task.Count, "task"), s.c.App.Name, s.out)
	}
	return app.ExportLine(s.c, "head", s.out)
}
