package export

import (
	"errors"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/progress"
	"selfplay/cmd/internal/report"
	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/datasets/spill"
	"selfplay/datasets/stats"
	"selfplay/encode"
)

func statsCommand() *cli.Command {
	return &cli.Command{
		Name:      "stats",
		Usage:     "print statistics of the games: results, lengths, openings, positions, scores",
		ArgsUsage: "DIR",
		Description: "Replays all committed games. Duplicates and leakage are of all rows below a million\n" +
			"rows, and beyond with --exact; --exact=false leaves them out.\n\nExamples:\n  export stats data/demo\n  export stats --exact --json data/demo",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "exact", Usage: "compare the positions of all rows, for duplicates and leakage between the splits", DefaultText: "below a million rows"},
			memoryFlag(comparingMemory),
			app.JSONFlag(),
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
		err = app.Usage("compare positions: %v: run %s to finish it", err, app.ExportLine(c, "dedup"))
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
	return total, readGames(c, ds, record.PartsOf(commits), total)
}

// measureOverlap compares the positions of all rows of a dataset.
func measureOverlap(c *cli.Context, compared *report.Comparison, memory int64) (*dedup.Overlap, error) {
	n := new(scan.Counter)
	defer progress.New(comparing, compared.Games(), app.Log(c), c.App.ErrWriter, app.Quiet(c)).Watch(n)()
	o, err := compared.Measure(c.Context, memory, n)
	if errors.Is(err, spill.ErrMemory) {
		err = app.Usage("compare positions: %v", err)
	}
	return o, err
}
