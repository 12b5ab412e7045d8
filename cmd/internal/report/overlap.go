package report

import (
	"context"
	"errors"

	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
)

// Limits of the datasets whose positions are compared without being asked. Plies bound the time
// where a filter keeps few rows, and the memory where it keeps unique ones.
const (
	comparedRows  = 1_000_000
	comparedPlies = 4 << 20
)

// Comparison compares the positions of all rows of a dataset.
type Comparison struct {
	Dataset *datasets.Dataset
	Shape   *rows.Shape
	Commits []*record.Commit
}

// ByDefault reports whether the dataset is small enough to be compared without being asked, and its
// rows are known.
func (c *Comparison) ByDefault() (bool, error) {
	if rows, plies := c.rows(), c.plies(); rows == 0 || rows >= comparedRows || plies > comparedPlies {
		return false, nil
	}
	err := c.Check()
	if errors.Is(err, datasets.ErrUnfinished) {
		return false, nil
	}
	return err == nil, err
}

// Check refuses an unfinished dataset of unique rows, with datasets.ErrUnfinished: which rows it
// has depends on all games.
func (c *Comparison) Check() error {
	if !c.Shape.Unique {
		return nil
	}
	_, _, err := c.Dataset.FinishedCommits()
	return err
}

// Games returns the number of games that Measure reads.
func (c *Comparison) Games() (n uint64) {
	for _, commit := range c.Commits {
		n += commit.Games
	}
	if c.Shape.Unique { // first to find the unique rows, then to compare them
		n *= 2
	}
	return n
}

// Measure compares the positions. For memory and errors see dedup.Find.
func (c *Comparison) Measure(ctx context.Context, memory int64, n *scan.Counter) (*dedup.Overlap, error) {
	size := dedup.Size{Rows: c.rows()}
	if c.Shape.Unique {
		size.Rows = c.plies()
	}
	for _, commit := range c.Commits {
		size.Games += commit.Games
	}
	o, err := dedup.Measure(ctx, c.Shape, c.games, size, memory, n)
	return &o, err
}

// games yields the games with their splits.
func (c *Comparison) games(yield func(dedup.Split, error) bool) {
	splits := c.Dataset.Plan().Splits()
	for _, commit := range c.Commits {
		for r, err := range c.Dataset.Games(commit.Parts()...) {
			if !yield(dedup.Split{Record: r, Validation: err == nil && splits.Validation(r.Game)}, err) {
				return
			}
		}
	}
}

func (c *Comparison) rows() (n uint64) {
	for _, commit := range c.Commits {
		n += commit.Rows
	}
	return n
}

func (c *Comparison) plies() (n uint64) {
	for _, commit := range c.Commits {
		n += commit.Plies()
	}
	return n
}
