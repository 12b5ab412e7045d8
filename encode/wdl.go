package encode

import "fmt"

// WDL is a model of wins, draws and losses in games between equal players. A score in
// centi-units, from the view of the side to move, gives
//
//	P(win)  = 1 / (1 + exp((A - score) / B))
//	P(loss) = 1 / (1 + exp((A + score) / B))
//	P(draw) = 1 - P(win) - P(loss)
//
// The coefficients of each game are fitted to games of ab:depth=3 against itself, played
// to the end from random openings. Plies whose score is a proven end are left out.
//
//	go run ./cmd/selfplay run --game GAME --player ab:depth=3,hash=4 --games N --seed 2026 --out DIR
//	go run ./cmd/selfplay export wdl DIR
//
// N is 300 for CoTuLenh and 600 for the other games.
//
// ab:depth=2 is too weak: in CoTuLenh it cannot convert its wins, and two of three games
// end by the fifty-move rule whatever the score.
//
// The model is in the plan and in every file of searched games. A new fit is a new version
// and another plan.
type WDL struct {
	Version int
	A, B    int // centi-units
}

// Metadata returns the file metadata about scores: the whole model with its formulas, so
// that readers do not need this program.
func (w WDL) Metadata() KeyValue {
	return KeyValue{Key: "wdl", Value: fmt.Sprintf(`{"version":%d,"a":%d,"b":%d,`+
		`"win":"1/(1+exp((a-score)/b))","loss":"1/(1+exp((a+score)/b))","draw":"1-win-loss",`+
		`"fitted_to":"ab:depth=3 against itself"}`, w.Version, w.A, w.B)}
}
