package report

import (
	"slices"

	"selfplay/cmd/internal/replay"
	"selfplay/datasets/stats"
	"selfplay/encode"
	"selfplay/engine"
)

// Choices of games.
const (
	FirstGame      = "first"
	LongestGame    = "longest"
	SurprisingGame = "surprising" // see stats.Notable
)

// maxSteps is the maximum number of plies of a game on the page.
const maxSteps = 1000

// Game is a whole game to step through.
type Game struct {
	Choices []string     `json:"choices"` // why it was chosen
	Game    uint64       `json:"game"`
	Players [2]string    `json:"players"`
	Start   string       `json:"start,omitempty"` // first position; "" for the start of the game
	Plies   int          `json:"plies"`
	Result  string       `json:"result"`
	Reason  string       `json:"reason"`
	Missed  *Missed      `json:"missed,omitempty"` // of the most surprising game
	played  *replay.Game // up to maxSteps plies
}

// Missed is the highest score of a side that did not win.
type Missed struct {
	Ply    int     `json:"ply"` // earlier plies
	Side   string  `json:"side"`
	Score  int     `json:"score"`
	Chance float64 `json:"win_chance,omitempty"` // by the model of the files, 0 without one; 1 for a proven end
}

// gamesOf returns the notable games, each once. model is that of the files, or nil.
func gamesOf(g *encode.Game, variant string, n stats.Notable, model *encode.WDL) (games []Game, err error) {
	for _, c := range []struct {
		choice string
		record *engine.Record
	}{{FirstGame, n.First}, {LongestGame, n.Longest}, {SurprisingGame, n.Upset.Game()}} {
		if c.record == nil {
			continue
		}
		i := slices.IndexFunc(games, func(k Game) bool { return k.Game == c.record.Game })
		if i < 0 {
			game, err := newGame(g, variant, c.record, model)
			if err != nil {
				return nil, err
			}
			i, games = len(games), append(games, game)
		}
		games[i].Choices = append(games[i].Choices, c.choice)
		if c.choice == SurprisingGame {
			games[i].Missed = missedOf(g, n.Upset, model)
		}
	}
	return games, nil
}

func missedOf(g *encode.Game, u *stats.Upset, model *encode.WDL) *Missed {
	return &Missed{Ply: u.Ply, Side: g.Sides[u.Side], Score: u.Score, Chance: replay.WinChance(model, u.Score)}
}

// newGame replays a record.
func newGame(g *encode.Game, variant string, r *engine.Record, model *encode.WDL) (Game, error) {
	played, err := replay.New(g, variant, r, maxSteps, model)
	return Game{
		Game: r.Game, Players: r.Players, Start: r.Start, Plies: len(r.Actions),
		Result: g.Results()[r.Outcome.Result], Reason: g.ReasonName(r.Outcome.Reason), played: played,
	}, err
}
