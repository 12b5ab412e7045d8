package workers

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
)

// Validate checks each rule and the combination of rules. It returns an error for a value
// out of range, or for a rule that another rule or a player makes useless.
func (s *Series) Validate() error {
	o, e, a := &s.Opening, &s.Exploration, &s.Adjudication
	if err := cmp.Or(o.Validate(), e.Validate(), a.Validate()); err != nil {
		return err
	}
	if err := s.checkStart(); err != nil {
		return err
	}
	if limit := cmp.Or(s.MaxPlies, s.Game.MaxPlies); limit <= o.MaxPlies {
		return fmt.Errorf("max-plies %d: want more than the %d opening plies", limit, o.MaxPlies)
	}
	if a.PlayOut > 0 && a.Win.Plies == 0 && a.Draw.Plies == 0 {
		return fmt.Errorf("play-out %v: want adjudicate-win or adjudicate-draw, without them all games are played out", a.PlayOut)
	}
	if e.Moves == 0 || e.Among == 0 {
		return nil
	}
	for _, c := range slices.Concat(s.Players[0].components, s.Players[1].components) {
		if c.Searches && !c.rates {
			return fmt.Errorf("explore among %d moves: player %s does not say which moves it likes, want 0, which draws from all legal moves", e.Among, c.name)
		}
		if c.OnlyBest && e.Among > 1 {
			return fmt.Errorf("explore among %d moves: player %s scores only its best move exactly, want multi=%d", e.Among, c.name, e.Among)
		}
	}
	return nil
}

// checkStart returns an error if the games cannot begin as the opening says.
func (s *Series) checkStart() error {
	switch starts := s.Game.StartsOf(s.Variant); {
	case s.Opening.Start == "":
		return nil
	case starts == nil:
		return fmt.Errorf("opening-start %q: all games of %s begin at the same position", s.Opening.Start, strings.TrimSpace(s.Game.Name+" "+s.Variant))
	case len(s.Opening.Book) > 0:
		return fmt.Errorf("opening-start %q: the games begin at the positions of the book", s.Opening.Start)
	default:
		if err := starts.Check(s.Opening.Start); err != nil {
			return fmt.Errorf("opening-start %w", err)
		}
	}
	return nil
}

// Settings returns the rules in force as texts: everything that the games depend on
// besides game, variant, players, seed and ply limit. Two series have the same rules if
// and only if their texts are equal; the order is fixed. Plans store the texts.
func (s *Series) Settings() []string {
	return s.settings(func(name string) PlayerSpec { return auxiliary(&s.Game.Game, name) })
}

// settings is Settings with a given source of the auxiliary players.
func (s *Series) settings(player func(name string) PlayerSpec) (list []string) {
	o, a := &s.Opening, &s.Adjudication
	add := func(inForce bool, text func() string) {
		if inForce {
			list = append(list, text())
		}
	}
	add(o.Start != "", func() string { return "opening-start=" + o.Start })
	add(o.MaxPlies > 0, func() string {
		return fmt.Sprintf("opening-plies=%d-%d by %s", o.MinPlies, o.MaxPlies, player(openingPlayer).versioned())
	})
	add(o.MaxScore > 0, func() string {
		return fmt.Sprintf("opening-max-score=%d by %s", o.MaxScore, player(scoringPlayer).versioned())
	})
	add(len(o.Book) > 0, func() string { return "book=" + bookHash(o.Book) })
	add(s.Exploration.Moves > 0, func() string { return s.exploreSetting(player) })
	add(a.Win.Plies > 0, func() string { return fmt.Sprintf("adjudicate-win=%d,%d", a.Win.Score, a.Win.Plies) })
	add(a.Draw.Plies > 0, func() string {
		return fmt.Sprintf("adjudicate-draw=%d,%d,%d", a.Draw.Score, a.Draw.Plies, a.Draw.From)
	})
	add(a.PlayOut > 0, func() string { return "play-out=" + a.PlayOut.String() })
	return list
}

// exploreSetting names the random player only if it may be used: for all explored plies,
// or for those of players that do not search.
func (s *Series) exploreSetting(player func(name string) PlayerSpec) string {
	e := &s.Exploration
	text := fmt.Sprintf("explore=%d moves in plies %d-%d", e.Moves, e.First, e.Last)
	if e.Among == 0 {
		return text + " by " + player(explorePlayer).versioned()
	}
	text += fmt.Sprintf(" among %d", e.Among)
	if e.Window > 0 {
		text += fmt.Sprintf(" within %d", e.Window)
	}
	if !s.Players[0].AlwaysSearches() || !s.Players[1].AlwaysSearches() {
		text += " or by " + player(explorePlayer).versioned()
	}
	return text
}

// bookHash returns the SHA-256 of the lines of a book in hexadecimal.
func bookHash(book []string) string {
	hash := sha256.New()
	for _, text := range book {
		hash.Write([]byte(text + "\n"))
	}
	return hex.EncodeToString(hash.Sum(nil))
}

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
	if err := cmp.Or(s.checkStart(), s.Opening.Validate(), s.Exploration.Validate(), s.Adjudication.Validate()); err != nil {
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
	case "opening-start":
		o.Start = value
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
