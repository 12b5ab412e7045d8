package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/stats"
	"selfplay/encode"
	"selfplay/engine"
)

func statsCommand() *cli.Command {
	return &cli.Command{
		Name:      "stats",
		Usage:     "tell what the games of a dataset are like: ends, lengths, openings, scores",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "exact", Usage: "also compare the positions of all rows: duplicates, and what of the validation split is in the train split"},
			memoryFlag(memoryForPositions),
			jsonFlag("print one line of JSON"),
		},
		Action: func(c *cli.Context) error {
			dir, err := app.Dir(c)
			if err != nil {
				return err
			}
			memory, err := chosenMemory(c, dedup.MinMemory)
			if err != nil {
				return err
			}
			s, err := sumUp(c, dir, memory)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return encode.NewJSON(c.App.Writer).Encode(s)
			}
			return printStats(c.App.Writer, s)
		},
	}
}

// sums is what export stats prints.
type sums struct {
	Game    string    `json:"game"`
	Players [2]string `json:"players"`
	stats.Summary
	Overlap *dedup.Overlap `json:"overlap,omitempty"`
}

// sumUp sums up all committed games in a directory.
func sumUp(c *cli.Context, dir string, memory int64) (*sums, error) {
	ds, k, err := openKnown(dir)
	if err != nil {
		return nil, err
	}
	if c.Bool("exact") {
		if err := refuseOverlap(ds, k); err != nil {
			return nil, err
		}
	}
	all, err := collect(c, ds, k)
	if err != nil {
		return nil, err
	}
	p := ds.Plan()
	s := &sums{p.Game, [2]string{p.Players[0].Spec, p.Players[1].Spec}, all.Summary(all.Scale()), nil}
	if c.Bool("exact") {
		s.Overlap, err = overlap(c.Context, ds, k, memory)
	}
	return s, err
}

// legalPlies is about how many plies the legal moves are listed of: so many take a
// second or less, however large the dataset is.
const legalPlies = 200_000

// collect reads all committed games of a dataset.
func collect(c *cli.Context, ds *datasets.Dataset, k known) (*stats.Collector, error) {
	commits, err := ds.Commits()
	if err != nil {
		return nil, err
	}
	all := uint64(0)
	for _, commit := range commits {
		all += plies(commit)
	}
	total := stats.New(k.game, ds.Plan().Variant, max(1, all/legalPlies))
	return total, readInto(c, ds, commits, total)
}

// refuseOverlap refuses to compare positions where that would count rows that are not
// there: which rows a dataset of unique ones has depends on all games.
func refuseOverlap(ds *datasets.Dataset, k known) error {
	if !k.shape.Unique {
		return nil
	}
	_, _, err := ds.Finished()
	if errors.Is(err, datasets.ErrUnfinished) {
		return app.Usage("compare positions: which rows are unique depends on all games: %v: let export dedup finish it first", err)
	}
	return err
}

// overlap compares the positions of all rows of a dataset.
func overlap(ctx context.Context, ds *datasets.Dataset, k known, memory int64) (*dedup.Overlap, error) {
	commits, err := ds.Commits()
	if err != nil {
		return nil, err
	}
	var size dedup.Size
	for _, c := range commits {
		size.Games += c.Games
		size.Rows += plies(c)
	}
	games := func(yield func(dedup.Split, error) bool) {
		for _, c := range commits {
			for r, err := range ds.Games(c) {
				if !yield(dedup.Split{Record: r, Validation: c.Split == datasets.Validation}, err) {
					return
				}
			}
		}
	}
	o, err := dedup.Measure(ctx, k.shape, games, size, memory)
	if errors.Is(err, dedup.ErrMemory) {
		err = app.Usage("compare positions: %v", err)
	}
	return &o, err
}

func printStats(w io.Writer, s *sums) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "game\t%s, %s against %s\n", s.Game, s.Players[0], s.Players[1])
	fmt.Fprintf(t, "games\t%d, %.1f %% of them won by somebody\n", s.Games, 100*s.Decisive)
	l := s.Lengths
	fmt.Fprintf(t, "plies\t%d; %.1f a game, %d to %d, median %d, nine of ten at most %d\n", s.Plies, l.Mean, l.Least, l.Most, l.Median, l.P90)
	for _, e := range s.Endings {
		fmt.Fprintf(t, "ended\t%.2f %% %s\n", 100*float64(e.Games)/float64(s.Games), endingText(e))
	}
	for _, o := range s.Openings {
		fmt.Fprintf(t, "after %d plies\t%d lines, entropy %.1f bits, the most common in %.2f %% of the games\n", o.Plies, o.Lines, o.Entropy, 100*o.Common)
	}
	about := ""
	if s.Positions.Estimated {
		about = "about "
	}
	fmt.Fprintf(t, "positions\t%s%d different, %.2f %% of all\n", about, s.Positions.Distinct, 100*s.Positions.Share)
	if o := s.Overlap; o != nil {
		fmt.Fprintf(t, "rows\t%d, which show %d positions; %.2f %% show one that an earlier row shows\n", o.Rows, o.Distinct, 100*o.Duplicates)
		fmt.Fprintf(t, "leakage\t%d of %d validation rows, %.2f %%, show a position of the train split\n", o.Leaked, o.Validation, 100*o.Leakage)
	} else {
		fmt.Fprint(t, "leakage\t--exact tells it: how many rows are duplicates, and how many of the validation split are in the train split\n")
	}
	fmt.Fprintf(t, "moves\t%.2f %% drawn at random, %.2f %% the best, %.2f %% another; %d of %d actions occur\n",
		100*s.Choices.Random, 100*s.Choices.Best, 100*s.Choices.Other, s.Actions.Seen, s.Actions.Possible)
	if l := s.Legal; l != nil {
		fmt.Fprintf(t, "legal moves\t%.1f a ply in %d games, %d to %d, median %d, nine of ten at most %d\n", l.Mean, l.Games, l.Least, l.Most, l.Median, l.P90)
	}
	if p := s.Policy; p != nil {
		fmt.Fprintf(t, "policies\t%d, of %.1f moves and %.2f bits of entropy\n", p.Plies, p.Moves, p.Entropy)
	}
	if s.Scores != nil {
		printScores(t, s.Scores)
	}
	return t.Flush()
}

// endingText returns the winner and the reason.
func endingText(e stats.Ending) string {
	switch {
	case e.Winner != "":
		return e.Winner + " wins, " + e.Reason
	case e.Result == engine.Draw:
		return "drawn, " + e.Reason
	}
	return e.Reason
}

func printScores(t io.Writer, s *stats.Scores) {
	fmt.Fprintf(t, "scores\t%d plies searched, of %d the end was proven; AUC of %d others in games with a result %.3f, log loss %.4f, without scores %.4f\n", s.Plies, s.Proven, s.Judged, s.AUC, s.Loss, s.ConstantLoss)
	for _, b := range s.Buckets {
		fmt.Fprintf(t, "%d to %d\t%d plies; won %.3f drawn %.3f lost %.3f, the model says %.3f %.3f %.3f\n", b.Low, b.High, b.Plies,
			b.Seen[0], b.Seen[1], b.Seen[2], b.Predicted[0], b.Predicted[1], b.Predicted[2])
	}
}
