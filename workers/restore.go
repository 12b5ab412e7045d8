package workers

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
)

// Restore sets the rules of the series from the texts that Settings returned: the way
// back from a plan. The players are set already. A book is not in the texts, only its
// hash; it is given again. What this program does differently, in a later version or
// with another book, is an error that names it.
func (s *Series) Restore(settings, book []string) error {
	s.Opening, s.Exploration, s.Adjudication = Opening{}, Exploration{}, Adjudication{}
	for _, text := range settings {
		if err := s.restore(text, book); err != nil {
			return fmt.Errorf("setting %q: %w", text, err)
		}
	}
	for _, rule := range []interface{ Validate() error }{&s.Opening, &s.Exploration, &s.Adjudication} {
		if err := rule.Validate(); err != nil {
			return err
		}
	}
	if again := s.Settings(); !slices.Equal(again, settings) {
		return fmt.Errorf("settings %q: this program has %q", settings, again)
	}
	return nil
}

// restore sets one rule. What it does not look at is compared as a whole.
func (s *Series) restore(text string, book []string) (err error) {
	o, e, a := &s.Opening, &s.Exploration, &s.Adjudication
	name, value, _ := strings.Cut(text, "=")
	switch name {
	case "opening-plies":
		_, err = fmt.Sscanf(value, "%d-%d", &o.MinPlies, &o.MaxPlies)
	case "opening-max-score":
		_, err = fmt.Sscanf(value, "%d", &o.MaxScore)
	case "book":
		if len(book) == 0 {
			return fmt.Errorf("the book has to be given again")
		}
		if sum := sumOf(book); sum != value {
			return fmt.Errorf("the book that was given is another one, %.12s", sum)
		}
		o.Book = book
	case "explore":
		_, err = fmt.Sscanf(value, "%d moves in plies %d-%d", &e.Moves, &e.First, &e.Last)
		if _, rest, ok := strings.Cut(value, " among "); ok && err == nil {
			_, err = fmt.Sscanf(rest, "%d", &e.Among)
		}
		if _, rest, ok := strings.Cut(value, " within "); ok && err == nil {
			_, err = fmt.Sscanf(rest, "%d", &e.Window)
		}
	case "adjudicate-win":
		_, err = fmt.Sscanf(value, "%d,%d", &a.Win.Score, &a.Win.Plies)
	case "adjudicate-draw":
		_, err = fmt.Sscanf(value, "%d,%d,%d", &a.Draw.Score, &a.Draw.Plies, &a.Draw.From)
	case "play-out":
		a.PlayOut, err = engine.ParseFraction(value)
	default:
		return fmt.Errorf("this program does not know it")
	}
	return err
}
