package stats

import (
	"maps"
	"slices"

	"selfplay/datasets/wdl"
)

// AUC returns the area under the ROC curve of scores as predictors of the winner: the
// probability that a ply of a winner has a higher score than a ply of a loser, with equal
// scores counting half. Without decisive games it is 0.5.
func AUC(t wdl.Tally) float64 {
	var won, lost, above float64 // above: pairs in which the winner has the higher score
	for _, score := range slices.Sorted(maps.Keys(t)) {
		c := t[score]
		above += float64(c.Wins) * (lost + float64(c.Losses)/2)
		won += float64(c.Wins)
		lost += float64(c.Losses)
	}
	if won == 0 || lost == 0 {
		return 0.5
	}
	return above / (won * lost)
}
