package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/program"
	"selfplay/cmd/internal/stats"
	"selfplay/cmd/internal/unique"
	"selfplay/datasets"
)

func statsCommand() *cli.Command {
	return &cli.Command{
		Name:      "stats",
		Usage:     "tell what the games of a dataset are like: ends, lengths, openings, scores",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "exact", Usage: "also compare the positions of all rows: duplicates, and what of the validation split is in the train split"},
			memoryFlag(),
			jsonFlag("print one line of JSON"),
		},
		Action: func(c *cli.Context) error {
			dir, err := program.Dir(c)
			if err != nil {
				return err
			}
			memory, err := chosenMemory(c)
			if err != nil {
				return err
			}
			s, err := collect(dir)
			if err == nil && c.Bool("exact") {
				s.Overlap, err = overlap(c.Context, dir, memory)
			}
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return program.JSON(c.App.Writer).Encode(s)
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
	Overlap *unique.Overlap `json:"overlap,omitempty"`
}

// collect sums up all committed games in a directory.
func collect(dir string) (*sums, error) {
	ds, k, err := openKnown(dir)
	if err != nil {
		return nil, err
	}
	p := ds.Plan()
	all := stats.New(k.game, p.Variant)
	if err := eachGame(ds, all.Add); err != nil {
		return nil, err
	}
	return &sums{p.Game, [2]string{p.Players[0].Spec, p.Players[1].Spec}, all.Summary(), nil}, nil
}

// overlap compares the positions of all rows of a dataset.
func overlap(ctx context.Context, dir string, memory int64) (*unique.Overlap, error) {
	ds, k, err := openKnown(dir)
	if err != nil {
		return nil, err
	}
	commits, err := ds.Commits()
	if err != nil {
		return nil, err
	}
	var size unique.Size
	for _, c := range commits {
		size.Games += c.Games
		size.Rows += plies(c)
	}
	games := func(yield func(unique.Split, error) bool) {
		for _, c := range commits {
			for r, err := range ds.Games(c) {
				if !yield(unique.Split{Record: r, Validation: c.Split == datasets.Validation}, err) {
					return
				}
			}
		}
	}
	o, err := unique.Measure(ctx, k.shape, games, size, memory)
	if errors.Is(err, unique.ErrMemory) {
		err = program.Usage("compare positions: %v", err)
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
		fmt.Fprintf(t, "rows\t%d of %d positions; %.2f %% are of one that an earlier row has\n", o.Rows, o.Distinct, 100*o.Duplicates)
		fmt.Fprintf(t, "leakage\t%d of %d validation rows, %.2f %%, show a position of the train split\n", o.Leaked, o.Validation, 100*o.Leakage)
	}
	fmt.Fprintf(t, "moves\t%.2f %% drawn, %.2f %% the best, %.2f %% another\n", 100*s.Choices.Drawn, 100*s.Choices.Best, 100*s.Choices.Other)
	if s.Scores != nil {
		printScores(t, s.Scores)
	}
	return t.Flush()
}

// endingText says who won and how.
func endingText(e stats.Ending) string {
	switch winner := [...]string{"", "first wins, ", "second wins, ", "drawn, "}; {
	case int(e.Result) < len(winner):
		return winner[e.Result] + e.Reason
	}
	return e.Reason
}

func printScores(t io.Writer, s *stats.Scores) {
	fmt.Fprintf(t, "scores\t%d plies searched, of %d the end was proven; AUC of the others %.3f, log loss %.4f, without scores %.4f\n", s.Plies, s.Proven, s.AUC, s.Loss, s.ConstantLoss)
	for _, b := range s.Buckets {
		fmt.Fprintf(t, "%d to %d\t%d plies; won %.3f drawn %.3f lost %.3f, the model says %.3f %.3f %.3f\n", b.Low, b.High, b.Plies,
			b.Seen[0], b.Seen[1], b.Seen[2], b.Predicted[0], b.Predicted[1], b.Predicted[2])
	}
}
