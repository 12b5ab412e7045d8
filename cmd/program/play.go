package program

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/playback"
	"selfplay/engine"
	"selfplay/workers"
)

// playFlags set openings, exploration and adjudication. readPlay reads them.
func playFlags() []cli.Flag {
	text := func(name, value, usage string) *cli.StringFlag {
		return &cli.StringFlag{Name: name, Category: app.Openings, Value: value, Usage: usage}
	}
	number := func(name, usage string) cli.Flag {
		return &cli.IntFlag{Name: name, Category: app.Openings, Usage: usage}
	}
	opening := text("opening-plies", "", "draw the first `A-B` plies at random")
	opening.DefaultText = "4-10 if a player searches, else 0"
	start := text("opening-start", "", "chess960: begin at a `START`: random, double (one for each side) or a number from 0 to 959")
	start.DefaultText = "random in chess960, without a book"
	return []cli.Flag{
		start,
		opening,
		number("opening-max-score", "draw another opening if one side leads by more than `SCORE` after it"),
		text("book", "", "begin at the positions in `FILE`, one per line; each is used once before any is used again"),
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
	if starts := s.Game.StartsOf(s.Variant); starts != nil {
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
		return app.Usage("%v", err)
	}
	return refuseDecidedStart(s)
}

// readNumbers reads the flags with numbers and ranges.
func readNumbers(c *cli.Context, s *workers.Series) error {
	o, e, a := &s.Opening, &s.Exploration, &s.Adjudication
	o.MaxScore = c.Int("opening-max-score")
	e.Moves, e.Among, e.Window = c.Int("explore-moves"), c.Int("explore-among"), c.Int("explore-window")
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
			return app.Usage("%s %v", f.name, err)
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
		return app.Usage("play-out %v", err)
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
	if path := c.String("book"); path != "" {
		if s.Opening.Book, err = playback.ReadBook(c.Context, path, s); err != nil && c.Context.Err() == nil {
			return app.Usage("%v", err)
		}
	}
	return err
}

// refuseDecidedStart refuses --opening-max-score if the start of the game already exceeds
// it and no random plies could change that. ReadBook checks the positions of a book.
func refuseDecidedStart(s *workers.Series) error {
	o := &s.Opening
	if o.MaxScore == 0 || o.MaxPlies > 0 || len(o.Book) > 0 {
		return nil
	}
	pos := s.Game.New(s.Variant)
	if starts := s.Game.StartsOf(s.Variant); o.Start != "" {
		if _, isOne := starts.Number(o.Start); !isOne {
			return nil
		}
		if err := pos.Set(starts.Draw(o.Start, nil)); err != nil {
			return err
		}
	}
	if score := workers.NewOpeningScorer(&s.Game.Game, nil)(pos); score > o.MaxScore {
		return app.Usage("opening-max-score %d: the game starts with a score of %d, and no opening-plies are drawn", o.MaxScore, score)
	}
	return nil
}
