// Package playback turns the plan of a dataset back into games that can be played again: its
// players, seed, openings and book.
package playback

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/models"
	"selfplay/cmd/internal/networks"
	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/encode/chessdata"
	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/workers"
)

// Series returns the games of the dataset in dir, which has plan p, with the rules and players of a catalog. bookPath is the file of
// its opening book, "" if it has none. Series refuses a plan that this program would play
// differently, one that needs another book, and one whose games come from other datasets. It checks
// the book until ctx ends.
func Series(ctx context.Context, known workers.Catalog, dir string, p plan.Plan, bookPath string, set *models.Set) (s workers.Series, err error) {
	if p.Imported() != nil {
		return s, app.Usage("read %s: its games were imported from files: there is nothing to play again; "+
			"verify --deep checks the rows against the games, and the same import into another directory the games against the files", dir)
	}
	if plans := sourcePlans(p); plans != nil {
		return s, app.Usage("read %s: its games come from other datasets: replay them there: plan %s", dir, strings.Join(plans, ", "))
	}
	if s, err = seriesOf(ctx, known, dir, p, bookPath, set); err != nil && ctx.Err() == nil {
		return s, app.Usage("read %s: %v", dir, err)
	}
	return s, err
}

// sourcePlans returns the hashes of the plans whose games export dedup joined, nil if the
// games were played for this dataset.
func sourcePlans(p plan.Plan) (hashes []string) {
	for _, text := range p.Play {
		if from, ok := strings.CutPrefix(text, plan.FromPart); ok {
			hash, _, _ := strings.Cut(from, ":")
			hashes = append(hashes, hash)
		}
	}
	return hashes
}

// bookOf reads the opening book of a plan.
func bookOf(ctx context.Context, p plan.Plan, path string, s *workers.Series) ([]string, error) {
	switch {
	case !slices.ContainsFunc(p.Play, func(text string) bool { return strings.HasPrefix(text, "book=") }):
		return nil, nil
	case path == "":
		return nil, errors.New("the book is missing: pass the file that the games started from with --book FILE")
	}
	return ReadBook(ctx, path, s)
}

func seriesOf(ctx context.Context, known workers.Catalog, dir string, p plan.Plan, bookPath string, set *models.Set) (s workers.Series, err error) {
	shape, err := rows.Of(known.Games, p)
	if err != nil {
		return s, err
	}
	if played, own := strings.Join(p.StaticScores, " and "), shape.StaticFingerprint(); played != own {
		return s, fmt.Errorf("another static score of %s played the games: its fingerprint of fixed positions begins with %.12s, that of this program with %.12s: "+
			"use the program that made the dataset: %w", p.Game, played, own, datasets.ErrUnsupported)
	}
	s = workers.Series{Game: shape.Game, Variant: p.Variant, Seed: p.Seed, MaxPlies: p.MaxPlies}
	find := workers.Sources{Networks: networks.Finder(dir)}
	if set != nil {
		find = set.Sources(s.Game, s.Variant, find.Networks)
	}
	for side, player := range p.Players {
		if s.Players[side], err = known.Players.ParseFrom(&s.Game.Game, player.Spec, find); err != nil {
			return s, err
		}
		if v := s.Players[side].Version(); v != player.Version {
			return s, fmt.Errorf("version %d of player %s, this program has %d: %w", player.Version, player.Spec, v, datasets.ErrUnsupported)
		}
	}
	if set != nil {
		if err := set.Matches(p); err != nil {
			return s, err
		}
	}
	book, err := bookOf(ctx, p, bookPath, &s)
	if err != nil {
		return s, err
	}
	return s, s.Restore(p.Play, book)
}

// ReadBook reads the positions of a file, one per line; in chess also in EPD. It skips empty lines. It refuses a
// position that is invalid or ends the game, and one that --opening-max-score would reject
// again and again because no random plies follow. It checks them until ctx ends.
func ReadBook(ctx context.Context, path string, s *workers.Series) (book []string, err error) {
	data, err := disk.ReadRegular(path, disk.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("read book: %w", err)
	}
	_, isChess := s.Game.New(s.Variant).(*chess.Position)
	check := bookCheck(ctx, s)
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		if isChess {
			text = chessdata.FENOfEPD(text)
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
