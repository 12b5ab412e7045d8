package program

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/networks"
	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/encode/chessdata"
	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/nnue/nets"
	"selfplay/workers"
)

// playFlags set openings, exploration and adjudication. readPlay reads them.
func playFlags() []cli.Flag {
	text := func(name, value, usage string) *cli.StringFlag {
		return &cli.StringFlag{Name: name, Category: groupOpenings, Value: value, Usage: usage}
	}
	number := func(name, usage string) cli.Flag {
		return &cli.IntFlag{Name: name, Category: groupOpenings, Usage: usage}
	}
	opening := text("opening-plies", "", "draw the first `A-B` plies at random")
	opening.DefaultText = "4-10 if a player searches, else 0"
	start := text("opening-start", "", "chess960: begin at a `START`: random, double (one for each side) or a number from 0 to 959")
	start.DefaultText = "random in chess960, without a book"
	return []cli.Flag{
		start,
		opening,
		number("opening-max-score", "draw another opening if one side leads by more than `SCORE` after it; 0 sets no limit"),
		text("book", "", "begin at the positions in `FILE`, one per line, in chess also EPD; each is used once before any is used again"),
		number("explore-moves", "play another move than the best at `N` plies of a game"),
		text("explore-plies", "0-30", "draw these plies from the plies `A-B` after the opening"),
		number("explore-among", "draw the explored move from the `N` best ones; 0 draws from all legal moves"),
		number("explore-window", "draw it only from moves within `SCORE` of the best; 0 sets no limit"),
		text("adjudicate-win", "", "`SCORE,PLIES`: end a game as won when both sides agree on a lead of SCORE or more for PLIES plies; 100 is about a pawn"),
		text("adjudicate-draw", "", "`SCORE,PLIES,FROM`: end a game as drawn when both scores stay within SCORE for PLIES plies, from ply FROM on"),
		text("play-out", "0", "do not adjudicate this `FRACTION` of the games"),
	}
}

// defaultOpening returns the opening of games without flags. Without random plies all games of players
// that search would be the same.
func defaultOpening(s *workers.Series) (o workers.Opening) {
	if s.Searches() {
		o = workers.Opening{MinPlies: 4, MaxPlies: 10}
	}
	starts := s.Game.StartsOf(s.Variant)
	if starts != nil {
		o.Start = starts.Ways[0]
	}
	return o
}

// readPlay reads playFlags into s, which has its players already.
func readPlay(c *cli.Context, s *workers.Series) error {
	s.Opening = defaultOpening(s)
	for _, read := range []func(*cli.Context, *workers.Series) error{readNumbers, readPlayOut, readOpeningStart, readOpeningBook} {
		if err := read(c, s); err != nil {
			return err
		}
	}
	if err := s.Validate(); err != nil {
		return usagef("%v", err)
	}
	return refuseDecidedStart(s)
}

// readNumbers reads the flags with numbers and ranges.
func readNumbers(c *cli.Context, s *workers.Series) error {
	o, e, a := &s.Opening, &s.Exploration, &s.Adjudication
	o.MaxScore = c.Int("opening-max-score")
	if o.MaxScore > 0 && !s.Game.HasStaticScore() {
		return usagef("opening-max-score %d: %s has no static score", o.MaxScore, s.Game.Name)
	}
	e.Moves, e.Among, e.Window = c.Int("explore-moves"), c.Int("explore-among"), c.Int("explore-window")
	for _, name := range []string{"explore-plies", "explore-among", "explore-window"} {
		if c.IsSet(name) && !c.IsSet("explore-moves") {
			return usagef("flag --%s has no effect without --explore-moves", name)
		}
	}
	for _, f := range []struct {
		name      string
		into      []*int
		separator string
	}{
		{"opening-plies", []*int{&o.MinPlies, &o.MaxPlies}, "-"},
		{"explore-plies", []*int{&e.First, &e.Last}, "-"},
		{"adjudicate-win", []*int{&a.Win.Score, &a.Win.Plies}, ","},
		{"adjudicate-draw", []*int{&a.Draw.Score, &a.Draw.Plies, &a.Draw.From}, ","},
	} {
		text := c.String(f.name)
		if text == "" {
			continue
		}
		if err := parseNumbers(text, f.separator, f.into); err != nil {
			return usagef("%s %v", f.name, err)
		}
	}
	return nil
}

// parseNumbers parses one number for each target. A single number is a range A-B with equal
// ends.
func parseNumbers(text, separator string, into []*int) error {
	parts := strings.Split(text, separator)
	if len(parts) == 1 && separator == "-" {
		parts = append(parts, parts[0])
	}
	if len(parts) != len(into) {
		return fmt.Errorf("%q: want %d numbers with %q between them", text, len(into), separator)
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil {
			return fmt.Errorf("%q: %q is not a number", text, part)
		}
		*into[i] = int(n)
	}
	return nil
}

func readPlayOut(c *cli.Context, s *workers.Series) (err error) {
	if s.Adjudication.PlayOut, err = engine.ParseFraction(c.String("play-out")); err != nil {
		return usagef("play-out %v", err)
	}
	return nil
}

// readOpeningStart reads --opening-start. A book is in place of the default.
func readOpeningStart(c *cli.Context, s *workers.Series) error {
	if c.IsSet("opening-start") {
		s.Opening.Start = c.String("opening-start")
	} else if c.String("book") != "" {
		s.Opening.Start = ""
	}
	return nil
}

func readOpeningBook(c *cli.Context, s *workers.Series) (err error) {
	path := c.String("book")
	if path != "" {
		if s.Opening.Book, err = readBook(c.Context, path, s); err != nil && c.Context.Err() == nil {
			return usagef("%v", err)
		}
	}
	return err
}

// refuseDecidedStart refuses --opening-max-score if the start of the game already exceeds
// it and no random plies could change that. readBook checks the positions of a book.
func refuseDecidedStart(s *workers.Series) error {
	o := &s.Opening
	if o.MaxScore == 0 || o.MaxPlies > 0 || len(o.Book) > 0 {
		return nil
	}
	pos := s.Game.New(s.Variant)
	if o.Start != "" {
		starts := s.Game.StartsOf(s.Variant)
		_, isOne := starts.Number(o.Start)
		if !isOne {
			return nil
		}
		err := engine.Begin(pos, starts.Draw(o.Start, nil))
		if err != nil {
			return err
		}
	}
	score := workers.NewOpeningScorer(&s.Game.Game, nil)(pos)
	if score > o.MaxScore {
		return usagef("opening-max-score %d: the game starts with a score of %d, and no opening-plies are drawn", o.MaxScore, score)
	}
	return nil
}

// seriesOfPlan returns the games of the dataset in dir, which has plan p, with the rules and players of a catalog. bookPath is the file of
// its opening book, "" if it has none. seriesOfPlan refuses a plan that this program would play
// differently, one that needs another book, and one whose games come from other datasets. It checks
// the book until ctx ends.
func seriesOfPlan(ctx context.Context, known workers.Catalog, dir string, p plan.Plan, bookPath string, set *modelSet) (s workers.Series, err error) {
	if p.Imported() != nil {
		return s, usagef("read %s: its games were imported from files: there is nothing to play again; "+
			"verify --deep checks the rows against the games, and the same import into another directory the games against the files", dir)
	}
	plans := sourcePlans(p)
	if plans != nil {
		return s, usagef("read %s: its games come from other datasets: replay them there: plan %s", dir, strings.Join(plans, ", "))
	}
	if s, err = seriesOf(ctx, known, dir, p, bookPath, set); err != nil && ctx.Err() == nil {
		return s, usagef("read %s: %v", dir, err)
	}
	return s, err
}

// sourcePlans returns the hashes of the plans whose games dedup joined, nil if the
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
	return readBook(ctx, path, s)
}

func seriesOf(ctx context.Context, known workers.Catalog, dir string, p plan.Plan, bookPath string, set *modelSet) (s workers.Series, err error) {
	shape, err := rows.Of(known.Games, p)
	if err != nil {
		return s, err
	}
	played, own := strings.Join(p.StaticScores, " and "), shape.StaticFingerprint()
	if played != own {
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
		v := s.Players[side].Version()
		if v != player.Version {
			return s, fmt.Errorf("version %d of player %s, this program has %d: %w", player.Version, nets.Shown(player.Spec), v, datasets.ErrUnsupported)
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

// readBook reads the positions of a file, one per line, in chess also in EPD. It skips empty lines. It refuses a
// position that is invalid or ends the game, and one that --opening-max-score would reject
// again and again because no random plies follow. It checks them until ctx ends.
func readBook(ctx context.Context, path string, s *workers.Series) (book []string, err error) {
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
