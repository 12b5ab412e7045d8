package encode

import (
	"fmt"
	"strings"

	"selfplay/engine"
)

// Game is an entry of the catalog: the rules of a game and its numbers.
type Game struct {
	engine.Game
	Layouts []Layout // the default first
	Actions Actions
	WDL     WDL // what scores are worth
}

// Games returns the catalog, the main game first. A new game is added here; besides, its
// board is drawn by an entry of boards in cmd/internal/board, and presets in cmd/selfplay
// has those of its runs. Tests of both miss them.
func Games() []Game {
	return []Game{CoTuLenh(), Chess(), Contrast()}
}

// Names returns the names of the games, in the order of the catalog.
func Names() (names []string) {
	for _, g := range Games() {
		names = append(names, g.Name)
	}
	return names
}

// Find returns the game of this name.
func Find(name string) (Game, error) {
	for _, g := range Games() {
		if g.Name == name {
			return g, nil
		}
	}
	return Game{}, fmt.Errorf("unknown game %q: want one of %s", name, strings.Join(Names(), ", "))
}

// Results returns the names of the results, by number.
func (g *Game) Results() []string {
	return []string{
		engine.NoResult:   "",
		engine.FirstWins:  g.Sides[engine.First],
		engine.SecondWins: g.Sides[engine.Second],
		engine.Draw:       "draw",
	}
}

// Layout returns the layout of this name.
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
