package encode

import (
	"fmt"
	"strings"
)

// Preset is a name for flags of `selfplay run` that suit a game. A dataset knows only the
// flags, so a preset may change when better values are known.
type Preset struct {
	Name  string `json:"name"`
	Doc   string `json:"doc"`   // one line
	Flags string `json:"flags"` // as written on a command line, without quotes
}

// PresetNames returns the names of the presets that every game has, the cheapest first.
func PresetNames() []string { return []string{"bulk", "balanced", "strong"} }

// Presets returns the presets that every game has. The arguments are their flags for
// players, openings and adjudication. Rows without a search have no score to learn from, so
// they are left out.
func Presets(bulk, balanced, strong string) []Preset {
	const searchedRows = " --where !limit,!unsearched"
	return []Preset{
		{"bulk", "shallow games with some random moves: many rows in a short time", bulk + searchedRows},
		{"balanced", "searched games from balanced openings, with policies of four moves", balanced + searchedRows},
		{"strong", "the deepest search that fits a night", strong + searchedRows},
	}
}

// Flags that presets share. Presets adjudicate a lead that the players hold for six plies:
// 1000 centi-units in chess, 1500 in CoTuLenh, where scores of won games are higher. One of
// ten games is played out. Scores near 0 do not predict a draw, so no preset adjudicates
// draws.
const (
	adjudicateChess    = " --adjudicate-win 1000,6 --play-out 0.1"
	adjudicateCoTuLenh = " --adjudicate-win 1500,6 --play-out 0.1"
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
