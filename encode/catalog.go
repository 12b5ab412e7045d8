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
	// Models say what scores are worth, one for each kind of games that it was fitted to. Reports and pages
	// draw chances by them; a game may have none.
	// The first is of games of ab:depth=3, played to the end.
	Models  []Model
	Board   Board
	Presets []Preset
	// Samples are texts of positions with special rules that random play seldom reaches,
	// without the start. Tests, golden files and fuzzing use them.
	Samples []string
	// FlipText returns the text of a position with the sides exchanged, where Layout.Flip does not
	// say it all: texts have clocks, or the flip is so large that a second one, made from the text
	// alone, should check it. Nil: the text that Layout.Flip and Decode give. Only laws ask for it.
	FlipText func(text string) string
}

// HasStaticScore reports whether positions are engine.Evaluators: ab, searches without a model and the column static_score
// need one.
func (g *Game) HasStaticScore() bool {
	if g.New == nil {
		return false
	}
	_, ok := g.New("").(engine.Evaluator)
	return ok
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

// NamedReason is a reason that only one game has, and its name.
type NamedReason struct {
	Reason engine.Reason
	Name   string // lower case, words separated by _
}

// AllReasons returns every reason for which a game can end, ascending: those of its rules,
// adjudication and the ply limit.
func (g *Game) AllReasons() []engine.Reason {
	all := append(slices.Clone(g.Reasons), engine.Adjudicated, engine.PlyLimit)
	slices.Sort(all)
	return all
}

// AllReasonNames returns the names of AllReasons.
func (g *Game) AllReasonNames() (names []string) {
	for _, r := range g.AllReasons() {
		names = append(names, g.ReasonName(r))
	}
	return names
}

// ReasonNames returns the names of the reasons below engine.FirstOwnReason that end games,
// indexed by engine.Reason. Numbers that the game does not use have an empty name, so a
// reason that is added for another game changes nothing here. OwnReasons has the others.
func (g *Game) ReasonNames() []string {
	var names []string
	for _, r := range g.AllReasons() {
		if r < engine.FirstOwnReason {
			names = append(names, make([]string, int(r)+1-len(names))...)
			names[r] = r.String()
		}
	}
	return names
}

// ReasonName returns the name of a reason: "" for engine.NoReason.
func (g *Game) ReasonName(r engine.Reason) string {
	for _, own := range g.OwnReasons {
		if own.Reason == r {
			return own.Name
		}
	}
	return r.String()
}

// Reason returns the reason with the given name, false if no game ends for it.
func (g *Game) Reason(name string) (engine.Reason, bool) {
	for _, r := range g.AllReasons() {
		if g.ReasonName(r) == name {
			return r, true
		}
	}
	return engine.NoReason, false
}

// numShared is the number of reasons that all games share.
var numShared = len(engine.Reasons())

// hasReason reports whether datasets of the game may hold a reason.
func (g *Game) hasReason(r engine.Reason) bool {
	return int(r) < numShared || slices.ContainsFunc(g.OwnReasons, func(own NamedReason) bool { return own.Reason == r })
}

// checkReasons returns an error if numbers or names of the game's own reasons are wrong.
func (g *Game) checkReasons() error {
	names := engine.Reasons()
	for i, own := range g.OwnReasons {
		switch {
		case own.Reason < engine.FirstOwnReason || i > 0 && own.Reason <= g.OwnReasons[i-1].Reason:
			return fmt.Errorf("reason %d: want ascending numbers from %d", own.Reason, engine.FirstOwnReason)
		case slices.Contains(names, own.Name):
			return fmt.Errorf("reason %d: the name %q is taken or empty", own.Reason, own.Name)
		}
		names = append(names, own.Name)
	}
	for _, r := range g.Reasons {
		if !g.hasReason(r) {
			return fmt.Errorf("reason %d: OwnReasons does not name it", r)
		}
	}
	return nil
}

// Preset is a name for flags of `selfplay run` that suit a game. A dataset knows only the
// flags, so a preset may change when better values are known.
type Preset struct {
	Name  string `json:"name"`
	Doc   string `json:"doc"`   // one line
	Flags string `json:"flags"` // as written on a command line, without quotes
	// RowsPerCPUSecond is about what a core makes, 0 if unknown.
	RowsPerCPUSecond int `json:"rows_per_cpu_second,omitempty"`
}

// PresetNames returns the names of the presets that every game has, the cheapest first.
func PresetNames() []string { return []string{"bulk", "balanced", "strong"} }

// Presets returns the presets that every game has. The arguments are their flags for
// players, openings and adjudication. Rows without a search have no score to learn from, so
// they are left out.
func Presets(bulk, balanced, strong string) []Preset {
	const searchedRows = " --where !limit,!unsearched"
	return []Preset{
		{"bulk", "for a network that begins at random, and for statistics: shallow games with some random moves", bulk + searchedRows, 0},
		{"balanced", "for policies: games of a deeper search from level openings, with policies of four moves", balanced + searchedRows, 0},
		{"strong", "for labels: the deepest search that fits into a night", strong + searchedRows, 0},
	}
}

// withRows states the rows per second of CPU time of the presets, in their order, as make presets measures them.
func withRows(presets []Preset, rows ...int) []Preset {
	for i := range presets {
		presets[i].RowsPerCPUSecond = rows[i]
	}
	return presets
}

// Flags that presets share. Presets adjudicate a lead that the players hold for six plies. One of
// ten games is played out. Scores near 0 do not predict a draw, so no preset adjudicates draws.
// In CoTuLenh a leader by 1500 wins 92 of 100 games of bulk that are played out; a leader by 1000 wins, or
// leads by 1500 later, in 86. Bulk adjudicates 1000 all the same: its rows teach more, and fewer games are
// drawn from a won position.
const (
	adjudicate1000 = " --adjudicate-win 1000,6 --play-out 0.1"
	adjudicate1500 = " --adjudicate-win 1500,6 --play-out 0.1"
)

// Games returns what the games of the preset are to a model of scores, network being the name of that
// of the game, "" without one. It returns false if no model is fitted to such games: the players are
// not ab against itself, or draws are adjudicated.
func (p *Preset) Games(network string) (games SearchedGames, ok bool) {
	games.Network = network
	words := strings.Fields(p.Flags)
	for i := 0; i+1 < len(words); i += 2 {
		switch value := words[i+1]; words[i] {
		case "--player":
			ok = games.readPlayer(value)
		case "--player-first", "--player-second", "--adjudicate-draw":
			return SearchedGames{}, false
		case "--explore-moves":
			games.Explored = value != "0"
		case "--adjudicate-win":
			_, _ = fmt.Sscanf(value, "%d,%d", &games.WinScore, &games.WinPlies)
		}
	}
	return games, ok
}

// readPlayer sets what the player of both sides determines. It returns false for other
// players than ab, and for exact searches.
func (s *SearchedGames) readPlayer(text string) bool {
	params, isAB := strings.CutPrefix(text, "ab:")
	for _, param := range strings.Split(params, ",") {
		switch name, value, _ := strings.Cut(param, "="); name {
		case "depth":
			_, _ = fmt.Sscan(value, &s.Depth)
		case "nodes":
			_, _ = fmt.Sscan(value, &s.Nodes)
		case "temp":
			_, _ = fmt.Sscan(value, &s.Temp)
		case "net":
			s.Network = strings.TrimPrefix(value, "none")
		case "exact":
			return false
		}
	}
	return isAB && s.Depth+s.Nodes > 0
}
