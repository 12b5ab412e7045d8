package stats

import (
	"maps"
	"slices"

	"selfplay/datasets/wdl"
)

// auc returns the area under the curve of true against false positives that one gets
// by calling every score above a threshold a win: the chance that a ply of a winner
// scores better than one of a loser, equal scores counting half. 0.5 where nobody won.
func auc(t wdl.Tally) float64 {
	var won, lost, above float64 // above: pairs in which the winner scores better
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
