package export

import (
	"errors"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/datasets/spill"
	"selfplay/datasets/stats"
	"selfplay/encode"
)

func statsCommand() *cli.Command {
	return &cli.Command{
		Name:        "stats",
		Usage:       "print statistics of the games: results, lengths, openings, positions, scores",
		ArgsUsage:   "DIR",
		Description: "Replays all committed games.\n\nExamples:\n  export stats data/demo\n  export stats --exact --json data/demo",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "exact", Usage: "also compare the positions of all rows: duplicates, and leakage between the splits"},
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

// measureGames reads all committed games of a dataset. With --exact it also compares the
// positions of all rows; without, the overlap is nil.
func measureGames(c *cli.Context, ds *datasets.Dataset, shape *rows.Shape, memory int64) (*stats.Collector, *dedup.Overlap, error) {
	exact := c.Bool("exact")
	if exact {
		if err := checkOverlap(c, ds, shape); err != nil {
			return nil, nil, err
		}
	}
	all, err := collectStats(c, ds, shape)
	if err != nil || !exact {
		return all, nil, err
	}
	overlap, err := measureOverlap(c, ds, shape, memory)
	return all, overlap, err
}

// legalPlies is about the number of plies whose legal moves are counted. They take a second
// or less, for any size of the dataset.
const legalPlies = 200_000

// collectStats reads all committed games of a dataset.
func collectStats(c *cli.Context, ds *datasets.Dataset, shape *rows.Shape) (*stats.Collector, error) {
	commits, err := ds.Commits()
	if err != nil {
		return nil, err
	}
	plies := uint64(0)
	for _, commit := range commits {
		plies += commit.Plies()
	}
	total := stats.New(shape.Game, shape.Variant, max(1, plies/legalPlies))
	total.Model = shape.WDL
	return total, readGames(c, ds, commits, total)
}

// checkOverlap refuses to compare positions of an unfinished dataset of unique rows: which
// rows it has depends on all games.
func checkOverlap(c *cli.Context, ds *datasets.Dataset, shape *rows.Shape) error {
	if !shape.Unique {
		return nil
	}
	_, _, err := ds.FinishedCommits()
	if errors.Is(err, datasets.ErrUnfinished) {
		return app.Usage("compare positions: %v: run %s to finish it", err, app.ExportLine(c, "dedup"))
	}
	return err
}

// measureOverlap compares the positions of all rows of a dataset.
func measureOverlap(c *cli.Context, ds *datasets.Dataset, shape *rows.Shape, memory int64) (*dedup.Overlap, error) {
	commits, err := ds.Commits()
	if err != nil {
		return nil, err
	}
	var size dedup.Size
	for _, commit := range commits {
		size.Games += commit.Games
		size.Rows += commit.Plies()
	}
	toRead := size.Games
	if shape.Unique { // first to find the unique rows, then to compare them
		toRead *= 2
	}
	n := new(scan.Counter)
	defer progress.New(comparing, toRead, app.Log(c), c.App.ErrWriter, app.Quiet(c)).Watch(n)()
	games := func(yield func(dedup.Split, error) bool) {
		for _, commit := range commits {
			for r, err := range ds.Games(commit) {
				if !yield(dedup.Split{Record: r, Validation: commit.Split == plan.Validation}, err) {
					return
				}
			}
		}
	}
	o, err := dedup.Measure(c.Context, shape, games, size, memory, n)
	if errors.Is(err, spill.ErrMemory) {
		err = app.Usage("compare positions: %v", err)
	}
	return &o, err
}
