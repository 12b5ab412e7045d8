package program

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/datasets"
)

// summary is printed at the end of a run, on one screen.
type summary struct {
	*job
	c       *cli.Context
	made    datasets.Summary
	resumed datasets.Event // what the dataset had before
	took    time.Duration
	err     error // why the run ended, nil at its target
}

func (s *summary) print(w io.Writer) error {
	ds, err := datasets.Open(s.out)
	if err != nil {
		return err
	}
	info, err := ds.Info()
	if err != nil {
		return err
	}
	endings, err := endingsOf(ds)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	s.printTotals(t, info)
	for _, e := range endings {
		fmt.Fprintf(t, "%s\t%s, %.1f %%\n", e.Name, human.Count(e.Games, "game"), 100*float64(e.Games)/float64(s.made.Games))
	}
	fmt.Fprintf(t, "plan\t%.16s\n", s.made.PlanHash)
	fmt.Fprintf(t, "dataset\t%s\n", s.out)
	fmt.Fprintf(t, "next\t%s\n", s.next())
	return t.Flush()
}

// printTotals prints games, rows and bytes.
func (s *summary) printTotals(t io.Writer, info datasets.Info) {
	m := &s.made
	rows := m.Rows - min(m.Rows, s.resumed.Rows)
	fmt.Fprintf(t, "games\t%s of %s, %s of them new, seed %d\n",
		human.Number(m.Games), human.Number(m.Target), human.Number(m.Games-min(m.Games, s.resumed.Games)), s.plan.Seed)
	if s.games < m.Target {
		fmt.Fprintf(t, "requested\t%s; the dataset keeps the games it has\n", human.Count(s.games, "game"))
	}
	fmt.Fprintf(t, "rows\t%s, %s of them new, %s per second\n",
		human.Number(m.Rows), human.Number(rows), human.Number(uint64(rate(rows, s.took))))
	for _, d := range info.Dropped {
		fmt.Fprintf(t, "dropped\t%s, %s\n", human.Count(d.Rows, "row"), d.Filter)
	}
	fmt.Fprintf(t, "bytes\t%s in %s, %.2f per row of positions\n",
		human.Number(m.Bytes), human.Count(m.Shards, "shard"), info.BytesPerRow())
	fmt.Fprintf(t, "validation\t%s\n", s.validation(info))
}

// validation returns the share of the games that is in the validation split.
func (s *summary) validation(info datasets.Info) string {
	i := slices.IndexFunc(info.Splits, func(t datasets.SplitTotals) bool { return t.Split == datasets.Validation })
	switch {
	case i >= 0:
		games := info.Splits[i].Games
		return fmt.Sprintf("%s, %.1f %% of all; %.1f %% requested", human.Count(games, "game"),
			100*float64(games)/float64(info.Games), float64(s.plan.Validation)/10)
	case s.plan.Validation > 0 && info.Shards <= 1:
		return "no validation split: all games are in one shard; choose a smaller --shard-games"
	}
	return "no validation split"
}

// next returns the next step for the user.
func (s *summary) next() string {
	switch {
	case errors.Is(s.err, datasets.ErrIncomplete):
		return "the same command resumes"
	case errors.Is(s.err, datasets.ErrNoSpace):
		return "free space on the disk; then the same command resumes"
	case s.err != nil:
		return app.ExportLine(s.c, "verify", s.out)
	case s.task.Count > 0:
		return fmt.Sprintf("when all %s are done: %s finalize %s", human.Count(s.task.Count, "task"), s.c.App.Name, s.out)
	}
	return app.ExportLine(s.c, "head", s.out)
}

// ending is a result with its reason, and the number of games that ended so.
type ending struct {
	Name  string `json:"ending"`
	Games uint64 `json:"games"`
}

// endingsOf counts the games by ending, the most common first.
func endingsOf(ds *datasets.Dataset) (list []ending, err error) {
	games, names := map[string]uint64{}, ds.Description()
	for c, err := range ds.EachCommit() {
		if err != nil {
			return nil, err
		}
		for _, n := range c.Results {
			games[human.Ending(names.ResultName(n.Result), names.ReasonName(n.Reason))] += n.Games
		}
	}
	for _, name := range slices.Sorted(maps.Keys(games)) {
		list = append(list, ending{name, games[name]})
	}
	slices.SortStableFunc(list, func(a, b ending) int { return cmp.Compare(b.Games, a.Games) })
	return list, nil
}
