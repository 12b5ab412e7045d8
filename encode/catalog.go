package encode

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/encode/internal/testgames"
	"selfplay/engine"
)

// Game is the catalog entry of a game: its rules and every fact that the rest of the
// program needs about it. A new game needs its rules (a package below engine), the files
// that build its entry here, and one line in Games. Package encodetest checks an entry.
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

// Games returns the catalog, the main game first.
func Games() []Game {
	games := []Game{
		CoTuLenh(),
		Chess(),
		Contrast(),
	}
	for _, entry := range testgames.Entries {
		games = append(games, entry().(Game))
	}
	return games
}

// Names returns the names of the games, in the order of the catalog.
func Names() (names []string) {
	for _, g := range Games() {
		names = append(names, g.Name)
	}
	return names
}

// Find returns the game with the given name.
func Find(name string) (Game, error) {
	for _, g := range Games() {
		if g.Name == name {
			return g, nil
		}
	}
	return Game{}, fmt.Errorf("unknown game %q: want one of %s", name, strings.Join(Names(), ", "))
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

// AllReasons returns every reason for which a game can end, ascending: those of its rules,
// adjudication and the ply limit.
func (g *Game) AllReasons() []engine.Reason {
	all := append(slices.Clone(g.Reasons), engine.Adjudicated, engine.PlyLimit)
	slices.Sort(all)
	return all
}

// ReasonNames returns the names of AllReasons, indexed by engine.Reason. Numbers that the
// game does not use have an empty name, so a reason that is added for another game changes
// nothing here.
func (g *Game) ReasonNames() []string {
	all := g.AllReasons()
	names := make([]string, all[len(all)-1]+1)
	for _, r := range all {
		names[r] = r.String()
	}
	return names
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
