package workers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
)

// Restore sets the rules of the series from the texts of Settings. The players must be
// set already. The texts contain only the hash of a book, so the caller passes the book
// again. Restore returns an error if this version of the program, these players or this
// book do not reproduce the same settings.
func (s *Series) Restore(settings, book []string) error {
	s.Opening, s.Exploration, s.Adjudication = Opening{}, Exploration{}, Adjudication{}
	for _, text := range settings {
		if err := s.restore(text, book); err != nil {
			return fmt.Errorf("setting %q: %w", text, err)
		}
	}
	if err := cmp.Or(s.Opening.Validate(), s.Exploration.Validate(), s.Adjudication.Validate()); err != nil {
		return err
	}
	if restored := s.Settings(); !slices.Equal(restored, settings) {
		return fmt.Errorf("settings %q: this program has %q", settings, restored)
	}
	return nil
}

// restore sets one rule. It ignores the names of auxiliary players: Restore compares the
// complete texts afterwards.
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
			return errors.New("the book is missing: pass the file that the games started from")
		}
		if hash := bookHash(book); hash != value {
			return fmt.Errorf("the book is a different one: its hash begins with %.12s", hash)
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
		return errors.New("unknown setting")
	}
	return err
}
