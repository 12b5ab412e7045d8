package encode

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
)

// Catalog is a list of games, the main one first. It is a value that is passed to whatever
// needs games by name, so a program may have games that this module does not know.
type Catalog []Game

// Games returns the games of this module. Each has its rules in a package below engine, the
// files that build its entry here, and one line in this list.
func Games() Catalog {
	return Catalog{
		CoTuLenh(),
		Chess(),
		Contrast(),
	}
}

// Names returns the names of the games.
func (c Catalog) Names() (names []string) {
	for i := range c {
		names = append(names, c[i].Name)
	}
	return names
}

// Find returns the game with the given name.
func (c Catalog) Find(name string) (Game, error) {
	for i := range c {
		if c[i].Name == name {
			return c[i], nil
		}
	}
	return Game{}, fmt.Errorf("unknown game %q: want one of %s", name, strings.Join(c.Names(), ", "))
}

// Check returns an error if the catalog is empty, or if names cannot be told apart: those of
// its games, or those of the reasons of a game.
func (c Catalog) Check() error {
	if len(c) == 0 {
		return errors.New("the catalog has no games")
	}
	for i := range c {
		g := &c[i]
		if g.Name == "" || strings.Trim(g.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			return fmt.Errorf("game %q: want a name of lower-case letters, digits and _", g.Name)
		}
		if slices.Contains(c[:i].Names(), g.Name) {
			return fmt.Errorf("game %q: two games of the catalog have this name", g.Name)
		}
		if err := g.checkReasons(); err != nil {
			return fmt.Errorf("game %q: %w", g.Name, err)
		}
	}
	return nil
}

// Game is the catalog entry of a game: its rules and every fact that the rest of the
// program needs about it. Package encodetest checks an entry.
type Game struct {
	engine.Game
	// Engines are the implementations of the rules, the default first; nil if there is only
	// one. All of them play the same games and give the same bytes, so no plan names one.
	Engines []Engine
	Layouts []Layout // the default first
	Actions Actions
	// Reasons are the reasons for which the rules end a game, ascending. Any
	// game may also be adjudicated or cut off.
	Reasons []engine.Reason
	// OwnReasons names the reasons that only this game has, ascending from
	// engine.FirstOwnReason. Datasets store their numbers: append, never renumber.
	OwnReasons []NamedReason
	// Repetitions is the number of earlier occurrences of a position with which the rules
	// end a game by engine.Repetition; 0 if they have no such rule.
	Repetitions int
	// HasCheck is set if Position.Check can be true. Otherwise the condition check never
	// holds.
	HasCheck bool
	// Models say what scores are worth, one for each kind of games that it was fitted to.
	// The first is of games of ab:depth=3, played to the end.
	Models  []Model
	Board   Board
	Presets []Preset
	// Samples are texts of positions with special rules that random play seldom reaches,
	// without the start. Tests, golden files and fuzzing use them.
	Samples []string
	// FlipText returns the text of a position with the sides exchanged: the same position
	// as Layout.Flip, made from the text alone, so that each can check the other. The rules
	// must treat the sides alike.
	FlipText func(text string) string
}

// Engine is one implementation of a game's rules.
type Engine struct {
	Name string // value of --engine
	New  func(variant string) engine.Position
}

// UseEngine makes the game play on the engine with the given name.
func (g *Game) UseEngine(name string) error {
	var names []string
	for _, e := range g.Engines {
		if e.Name == name {
			g.New = e.New
			return nil
		}
		names = append(names, e.Name)
	}
	if names == nil {
		return fmt.Errorf("engine %q: %s has only one engine", name, g.Name)
	}
	return fmt.Errorf("unknown engine %q of %s: want one of %s", name, g.Name, strings.Join(names, ", "))
}

// Results returns the names of the results by number: the sides' own names for a win.
func (g *Game) Results() []string {
	return []string{
		engine.NoResult:   "",
		engine.FirstWins:  g.Sides[engine.First],
		engine.SecondWins: g.Sides[engine.Second],
		engine.Draw:       "draw",
	}
}

// Layout returns the layout with the given name.
func (g *Game) Layout(name string) (*Layout, error) {
	var names []string
	for i := range g.Layouts {
		if g.Layouts[i].Name == name {
			return &g.Layouts[i], nil
		}
		names = append(names, g.Layouts[i].Name)
	}
	return nil, fmt.Errorf("unknown layout %q of %s: want one of %s", name, g.Name, strings.Join(names, ", "))
}
