package encode

import "fmt"

// WDL says what a score is worth in games between equals. A score in centi-units,
// seen by the side to move, stands for
//
//	P(win)  = 1 / (1 + exp((A - score) / B))
//	P(loss) = 1 / (1 + exp((A + score) / B))
//	P(draw) = 1 - P(win) - P(loss)
//
// The coefficients of each game are fitted to games of ab:depth=3 against itself from
// drawn openings, played to their end, to all plies whose score proves nothing:
//
//	go run ./cmd/selfplay run --game GAME --player ab:depth=3,hash=4 --games N --seed 2026 --out DIR
//	go run ./cmd/export wdl DIR
//
// N is 300 for CoTuLenh and 600 for the others.
//
// Not of ab:depth=2, which in CoTuLenh cannot win what it has won: two of three of its
// games end by the fifty-move rule, whatever the score.
//
// The model stands in the plan and in every file of games that were searched. Fitting
// it anew is a new version, and another plan.
type WDL struct {
	Version int
	A, B    int // centi-units
}

// The coefficients of the games.
var (
	cotulenhWDL = WDL{Version: 1, A: 130, B: 364}
	chessWDL    = WDL{Version: 1, A: 103, B: 184}
	contrastWDL = WDL{Version: 1, A: 43, B: 161}
)

// Metadata returns what files say about scores: the whole model, so that readers need
// not know this program.
func (w WDL) Metadata() KeyValue {
	return KeyValue{Key: "wdl", Value: fmt.Sprintf(`{"version":%d,"a":%d,"b":%d,`+
		`"win":"1/(1+exp((a-score)/b))","loss":"1/(1+exp((a+score)/b))","draw":"1-win-loss",`+
		`"fitted_to":"ab:depth=3 against itself"}`, w.Version, w.A, w.B)}
}
