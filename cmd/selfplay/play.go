package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/engine"
	"selfplay/workers"
)

// playFlags say how games go besides what the players decide.
func playFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "opening-plies", Usage: "draw the first `A-B` plies at random; 4-10 if a player searches, else 0"},
		&cli.IntFlag{Name: "opening-max-score", Usage: "begin again where one side is ahead by more than `CENTIUNITS` after the opening"},
		&cli.StringFlag{Name: "book", Usage: "begin at the positions in `FILE`, one text a line, each once before any again"},
		&cli.IntFlag{Name: "explore-moves", Usage: "leave the best move at `N` plies of a game"},
		&cli.StringFlag{Name: "explore-plies", Value: "0-30", Usage: "the plies `A-B` after the opening that these are drawn from"},
		&cli.IntFlag{Name: "explore-among", Usage: "draw among the `N` best moves then; 0 for all legal ones"},
		&cli.IntFlag{Name: "explore-window", Usage: "and only among those within `CENTIUNITS` of the best; 0 for any"},
		&cli.StringFlag{Name: "adjudicate-win", Usage: "end a game won when both sides think so: `SCORE,PLIES` on end"},
		&cli.StringFlag{Name: "adjudicate-draw", Usage: "end a game drawn when both sides think so: `SCORE,PLIES,FROM`"},
		&cli.StringFlag{Name: "play-out", Value: "0", Usage: "play this `SHARE` of the games out all the same"},
	}
}

// defaultOpening is how games of players that search begin, so that they differ.
var defaultOpening = workers.Opening{MinPlies: 4, MaxPlies: 10}

// choosePlay reads the flags into s, whose players are known, and returns what a
// plan keeps of them.
func choosePlay(c *cli.Context, s *workers.Series) (settings []string, err error) {
	if s.Searches() {
		s.Opening = defaultOpening
	}
	o, e, a := &s.Opening, &s.Exploration, &s.Adjudication
	o.MaxScore = c.Int("opening-max-score")
	e.Moves, e.Among, e.Window = c.Int("explore-moves"), c.Int("explore-among"), c.Int("explore-window")
	for _, f := range []struct {
		name string
		into []*int
		sep  string
	}{
		{"opening-plies", []*int{&o.MinPlies, &o.MaxPlies}, "-"},
		{"explore-plies", []*int{&e.First, &e.Last}, "-"},
		{"adjudicate-win", []*int{&a.Win.Score, &a.Win.Plies}, ","},
		{"adjudicate-draw", []*int{&a.Draw.Score, &a.Draw.Plies, &a.Draw.From}, ","},
	} {
		if text := c.String(f.name); text != "" {
			if err := parseNumbers(text, f.sep, f.into); err != nil {
				return nil, app.Usage("%s %v", f.name, err)
			}
		}
	}
	if a.PlayOut, err = engine.ParseFraction(c.String("play-out")); err != nil {
		return nil, app.Usage("play-out %v", err)
	}
	if path := c.String("book"); path != "" {
		if o.Book, err = readBook(path, s); err != nil {
			return nil, app.Usage("%v", err)
		}
	}
	if err := s.Validate(); err != nil {
		return nil, app.Usage("%v", err)
	}
	if err := refuseDecidedStart(s); err != nil {
		return nil, err
	}
	return s.Settings(), nil
}

// refuseDecidedStart refuses a start of the game that the opening may not begin at,
// where no plies are drawn that could lead away from it. Those of a book are looked at
// where it is read.
func refuseDecidedStart(s *workers.Series) error {
	o := &s.Opening
	if o.MaxScore == 0 || o.MaxPlies > 0 || len(o.Book) > 0 {
		return nil
	}
	if score := workers.NewOpeningScorer(&s.Game.Game)(s.Game.New(s.Variant)); score > o.MaxScore {
		return app.Usage("opening-max-score %d: the game starts with a score of %d, and no opening-plies are drawn", o.MaxScore, score)
	}
	return nil
}

// parseNumbers reads as many numbers as there are places for. For a range A-B one
// number is both ends.
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
			return fmt.Errorf("%q: %q is no number", text, part)
		}
		*into[i] = int(n)
	}
	return nil
}

// readBook reads the positions of a file. Empty lines do not count; every other line
// must be a position that a game may lead to and that is not the end of one. Where no
// plies are drawn, a position that is worth too much would be tried again for ever.
func readBook(path string, s *workers.Series) (book []string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read book: %w", err)
	}
	pos := s.Game.New(s.Variant)
	decided := func() bool { return false }
	if o := &s.Opening; o.MaxScore > 0 && o.MaxPlies == 0 {
		judge := workers.NewOpeningScorer(&s.Game.Game)
		decided = func() bool { return judge(pos) > o.MaxScore }
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		if err := engine.Begin(pos, text); err != nil {
			return nil, fmt.Errorf("read book: %s line %d: %w", path, n, err)
		}
		if pos.Outcome() != engine.Ongoing {
			return nil, fmt.Errorf("read book: %s line %d: the game is over there", path, n)
		}
		if decided() {
			return nil, fmt.Errorf("read book: %s line %d: one side is ahead by more than opening-max-score %d, and no opening-plies are drawn",
				path, n, s.Opening.MaxScore)
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
