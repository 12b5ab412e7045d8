package program

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/report"
	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/datasets/spill"
	"selfplay/datasets/stats"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/nnue/nets"
)

func statsCommand() *cli.Command {
	return &cli.Command{
		Name:      "stats",
		Usage:     "print statistics of the games: results, lengths, openings, positions, scores",
		ArgsUsage: "DIR",
		Description: "Replays all committed games. Duplicates and leakage are of all rows below a million\n" +
			"rows, and beyond with --exact; --exact=false leaves them out.\n\nExamples:\n  selfplay stats data/demo\n  selfplay stats --exact --json data/demo",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "exact", Usage: "compare the positions of all rows, for duplicates and leakage between the splits", DefaultText: "below a million rows"},
			memoryFlag(comparingMemory),
			jsonFlag(),
		},
		Action: onDataset(runStats),
	}
}

// gameStats is the JSON that stats prints.
type gameStats struct {
	Game    string    `json:"game"`
	Players [2]string `json:"players"`
	stats.Summary
	Overlap *dedup.Overlap `json:"overlap,omitempty"`
}

func runStats(c *cli.Context, dir string) error {
	memory, err := memoryFrom(c, dedup.MinMemory)
	if err != nil {
		return err
	}
	s, err := readStats(c, dir, memory)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return encode.NewRoundedJSON(c.App.Writer).Encode(s)
	}
	return s.print(c.App.Writer)
}

// readStats reads all committed games of the dataset in dir.
func readStats(c *cli.Context, dir string, memory int64) (*gameStats, error) {
	ds, shape, err := openKnown(c, dir)
	if err != nil {
		return nil, err
	}
	all, overlap, err := measureGames(c, ds, shape, memory)
	if err != nil {
		return nil, err
	}
	p := ds.Plan()
	return &gameStats{
		Game: p.Game, Players: [2]string{p.Players[0].Spec, p.Players[1].Spec},
		Summary: all.Summary(all.Scale()), Overlap: overlap,
	}, nil
}

// measureGames reads all committed games of a dataset. With --exact, and by default in a small
// dataset, it also compares the positions of all rows; else the overlap is nil.
func measureGames(c *cli.Context, ds *datasets.Dataset, shape *rows.Shape, memory int64) (*stats.Collector, *dedup.Overlap, error) {
	commits, err := ds.Commits()
	if err != nil {
		return nil, nil, err
	}
	compared := &report.Comparison{Dataset: ds, Shape: shape, Commits: commits}
	exact, err := compares(c, compared)
	if err != nil {
		return nil, nil, err
	}
	all, err := collectStats(c, ds, shape, commits)
	if err != nil || !exact {
		return all, nil, err
	}
	overlap, err := measureOverlap(c, compared, memory)
	return all, overlap, err
}

// compares reports whether the positions of all rows are compared.
func compares(c *cli.Context, compared *report.Comparison) (bool, error) {
	if !c.IsSet("exact") {
		return compared.ByDefault()
	}
	if !c.Bool("exact") {
		return false, nil
	}
	err := compared.Check()
	if errors.Is(err, datasets.ErrUnfinished) {
		err = usagef("compare positions: %v: run %s to finish it", err, ownLine(c, "dedup"))
	}
	return true, err
}

// legalPlies is about the number of plies whose legal moves are counted. They take a second
// or less, for any size of the dataset.
const legalPlies = 200_000

// collectStats reads all games of shards.
func collectStats(c *cli.Context, ds *datasets.Dataset, shape *rows.Shape, commits []*record.Commit) (*stats.Collector, error) {
	plies := uint64(0)
	for _, commit := range commits {
		plies += commit.Plies()
	}
	total := stats.New(shape.Game, shape.Variant, shape.WDL, max(1, plies/legalPlies))
	return total, scanGames(c, ds, record.PartsOf(commits), total)
}

// measureOverlap compares the positions of all rows of a dataset.
func measureOverlap(c *cli.Context, compared *report.Comparison, memory int64) (*dedup.Overlap, error) {
	n := new(scan.Counter)
	defer newMeter(comparingWord, compared.Games(), logOf(c), c.App.ErrWriter, isQuiet(c)).Watch(n)()
	o, err := compared.Measure(c.Context, memory, n)
	if errors.Is(err, spill.ErrMemory) {
		err = usagef("compare positions: %v", err)
	}
	return o, err
}

// print prints the statistics as text.
func (s *gameStats) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "game\t%s, %s against %s\n", human.Quoted(s.Game), human.Quoted(nets.Shown(s.Players[0])), human.Quoted(nets.Shown(s.Players[1])))
	s.printGames(t)
	s.printPositions(t)
	s.printMoves(t)
	if s.Scores != nil {
		printScores(t, s.Scores)
	}
	return t.Flush()
}

func (s *gameStats) printGames(t io.Writer) {
	fmt.Fprintf(t, "games\t%s, %.1f %% decisive\n", human.Number(s.Games), 100*s.Decisive)
	l := s.Lengths
	fmt.Fprintf(t, "plies\t%s; %.1f per game, %d to %d, median %d, 90th percentile %d\n", human.Number(s.Plies), l.Mean, l.Least, l.Most, l.Median, l.P90)
	for _, e := range s.Endings {
		fmt.Fprintf(t, "ended\t%.2f %% %s\n", 100*float64(e.Games)/float64(s.Games), endingText(e))
	}
	for _, o := range s.Openings {
		fmt.Fprintf(t, "after %d plies\t%s, entropy %.1f bits, the most common in %.2f %% of the games\n",
			o.Plies, human.Count(o.Lines, "line"), o.Entropy, 100*o.Common)
	}
}

func endingText(e stats.Ending) string {
	if e.Result == engine.Draw {
		return human.Ending("draw", human.Quoted(e.Reason))
	}
	return human.Ending(human.Quoted(e.Winner), human.Quoted(e.Reason))
}

func (s *gameStats) printPositions(t io.Writer) {
	about := ""
	if s.Positions.Estimated {
		about = "about "
	}
	fmt.Fprintf(t, "positions\t%s%s distinct, %.2f %% of all plies\n", about, human.Number(s.Positions.Distinct), 100*s.Positions.Share)
	if o := s.Overlap; o != nil {
		fmt.Fprintf(t, "rows\t%s with %s; %.2f %% are duplicates of earlier rows\n",
			human.Number(o.Rows), human.Count(o.Distinct, "position"), 100*o.Duplicates)
		s.printLeakage(t)
	} else {
		fmt.Fprint(t, "leakage\tnot measured: --exact compares all rows of a finished dataset\n")
	}
}

func (s *gameStats) printLeakage(t io.Writer) {
	o := s.Overlap
	switch o.Validation {
	case 0:
		fmt.Fprint(t, "leakage\tnot measured: the dataset has no validation rows\n")
		return
	case o.Rows:
		fmt.Fprint(t, "leakage\tnot measured: the dataset has no rows in the train split\n")
		return
	}
	fmt.Fprintf(t, "leakage\t%s of %s, %.2f %%, have a position of the train split\n",
		human.Number(o.Leaked), human.Count(o.Validation, "validation row"), 100*o.Leakage)
}

func (s *gameStats) printMoves(t io.Writer) {
	fmt.Fprintf(t, "moves\t%.2f %% random, %.2f %% best, %.2f %% other; %s of %s occur\n",
		100*s.Choices.Random, 100*s.Choices.Best, 100*s.Choices.Other, human.Number(s.Actions.Seen), human.Count(s.Actions.Possible, "action"))
	l := s.Legal
	if l != nil {
		fmt.Fprintf(t, "legal moves\t%.1f per ply in %s, %d to %d, median %d, 90th percentile %d\n",
			l.Mean, human.Count(l.Games, "game"), l.Least, l.Most, l.Median, l.P90)
	}
	p := s.Policy
	if p != nil {
		fmt.Fprintf(t, "policies\t%s, mean %.1f moves and %.2f bits of entropy\n", human.Number(p.Plies), p.Moves, p.Entropy)
	}
}

func printScores(t io.Writer, s *stats.Scores) {
	fmt.Fprintf(t, "scores\t%s searched, %s of them with a proven end\n", human.Count(s.Plies, "ply"), human.Number(s.Proven))
	loss := "the files have no model"
	if s.Model != nil {
		loss = fmt.Sprintf("log loss %.4f", s.Loss)
	}
	fmt.Fprintf(t, "model\tAUC %.3f in %s other plies of games with a result; %s, without scores %.4f\n",
		s.AUC, human.Number(s.Judged), loss, s.ConstantLoss)
	for _, b := range s.Buckets {
		fmt.Fprintf(t, "%d to %d\t%s; won %.3f drawn %.3f lost %.3f", b.Low, b.High, human.Count(b.Plies, "ply"), b.Seen[0], b.Seen[1], b.Seen[2])
		if s.Model != nil {
			fmt.Fprintf(t, ", model %.3f %.3f %.3f", b.Predicted[0], b.Predicted[1], b.Predicted[2])
		}
		fmt.Fprintln(t)
	}
}
