package workers

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"selfplay/engine"
)

// Besides the players of the two sides there are some that decide for neither. What
// they do is in the games, so a plan names them, with their versions.
const (
	openingPlayer = "random"         // draws the plies of an opening
	explorePlayer = "random:uniform" // draws where every legal move may be explored
	openingJudge  = "ab:depth=2"     // weighs starts
)

// neutral returns one of these players. It panics if the game has none: random ones
// are there always, and only what has a static score can be asked for a start by score.
func neutral(g *engine.Game, name string) PlayerSpec {
	spec, err := ParsePlayer(g, name)
	if err != nil {
		panic("workers: " + err.Error())
	}
	return spec
}

// make returns a player; of a mixture the first.
func (s PlayerSpec) make() Player { return s.parts[0].maker.make() }

// versioned names the player and the version of its play.
func (s PlayerSpec) versioned() string { return fmt.Sprintf("%s v%d", s.name, s.version) }

// Validate returns what is wrong with the rules, with each of them or with one beside
// another that makes nothing of it; nil if nothing is. A plan that an earlier program
// made may have the latter, so Restore does not ask for it.
func (s *Series) Validate() error {
	o, e, a := &s.Opening, &s.Exploration, &s.Adjudication
	for _, rule := range []interface{ Validate() error }{o, e, a} {
		if err := rule.Validate(); err != nil {
			return err
		}
	}
	if most := cmp.Or(s.MaxPlies, s.Game.MaxPlies); most <= o.MaxPlies {
		return fmt.Errorf("max-plies %d: want more than the %d of an opening", most, o.MaxPlies)
	}
	if a.PlayOut > 0 && a.Win.Plies == 0 && a.Draw.Plies == 0 {
		return fmt.Errorf("play out %v of the games: all are, without a rule that ends them (adjudicate-win, adjudicate-draw)", a.PlayOut)
	}
	if e.Moves == 0 || e.Among <= 1 {
		return nil
	}
	for _, p := range slices.Concat(s.Players[0].parts, s.Players[1].parts) {
		if p.maker.single {
			return fmt.Errorf("explore among %d moves: player %s tells only its best one apart, want multi=%d", e.Among, p.name, e.Among)
		}
	}
	return nil
}

// Settings returns what the games depend on besides the game, the players of the two
// sides, the seed and the limit of plies: the rules that are in force, each as a text
// that is equal exactly if the rule is, always in this order.
func (s *Series) Settings() []string {
	return s.settings(func(name string) PlayerSpec { return neutral(&s.Game.Game, name) })
}

// settings is Settings with some source of the neutral players.
func (s *Series) settings(player func(name string) PlayerSpec) (list []string) {
	o, a := &s.Opening, &s.Adjudication
	add := func(when bool, text func() string) {
		if when {
			list = append(list, text())
		}
	}
	add(o.MaxPlies > 0, func() string {
		return fmt.Sprintf("opening-plies=%d-%d by %s", o.MinPlies, o.MaxPlies, player(openingPlayer).versioned())
	})
	add(o.MaxScore > 0, func() string {
		return fmt.Sprintf("opening-max-score=%d by %s", o.MaxScore, player(openingJudge).versioned())
	})
	add(len(o.Book) > 0, func() string { return "book=" + sumOf(o.Book) })
	add(s.Exploration.Moves > 0, func() string { return s.exploreSetting(player) })
	add(a.Win.Plies > 0, func() string { return fmt.Sprintf("adjudicate-win=%d,%d", a.Win.Score, a.Win.Plies) })
	add(a.Draw.Plies > 0, func() string {
		return fmt.Sprintf("adjudicate-draw=%d,%d,%d", a.Draw.Score, a.Draw.Plies, a.Draw.From)
	})
	add(a.PlayOut > 0, func() string { return "play-out=" + a.PlayOut.String() })
	return list
}

// exploreSetting names the random player only if it may be asked: by those who have no
// opinion of moves, or by all.
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
	if !s.Players[0].alwaysSearches() || !s.Players[1].alwaysSearches() {
		text += " or by " + player(explorePlayer).versioned()
	}
	return text
}

// alwaysSearches reports whether every decision comes from a search.
func (s PlayerSpec) alwaysSearches() bool {
	return !slices.ContainsFunc(s.parts, func(p part) bool { return !p.maker.searches })
}

// sumOf returns the SHA-256 of the lines of a book in hexadecimal.
func sumOf(book []string) string {
	hash := sha256.New()
	for _, text := range book {
		io.WriteString(hash, text+"\n")
	}
	return hex.EncodeToString(hash.Sum(nil))
}
