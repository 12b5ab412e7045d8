package playback

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"strings"

	"selfplay/datasets/disk"
	"selfplay/engine"
	"selfplay/workers"
)

// ReadBook reads the positions of a file, one per line. It skips empty lines. It refuses a
// position that is invalid or ends the game, and one that --opening-max-score would reject
// again and again because no random plies follow. It checks them until ctx ends.
func ReadBook(ctx context.Context, path string, s *workers.Series) (book []string, err error) {
	data, err := disk.ReadRegular(path, disk.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("read book: %w", err)
	}
	check := bookCheck(ctx, s)
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		if err := check(text); err != nil {
			return nil, fmt.Errorf("read book: %s line %d: %w", path, n, err)
		}
		book = append(book, text)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read book: %s: %w", path, err)
	}
	if len(book) == 0 {
		return nil, fmt.Errorf("read book: %s: no positions", path)
	}
	return book, nil
}

// bookCheck returns a function that checks one position.
func bookCheck(ctx context.Context, s *workers.Series) func(text string) error {
	pos, judge := s.Game.New(s.Variant), workers.NewOpeningScorer(&s.Game.Game, func() bool { return ctx.Err() != nil })
	limit := s.Opening.MaxScore
	rejects := limit > 0 && s.Opening.MaxPlies == 0
	return func(text string) error {
		switch err := engine.Begin(pos, text); {
		case err != nil:
			return err
		case pos.Outcome() != engine.Ongoing:
			return fmt.Errorf("the game is over in this position")
		case rejects && judge(pos) > limit && ctx.Err() == nil:
			return fmt.Errorf("one side leads by more than opening-max-score %d, and no opening-plies are drawn", limit)
		}
		return context.Cause(ctx) // nil unless the search is aborted
	}
}
