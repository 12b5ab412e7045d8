package search

import "selfplay/engine"

// softLimits are the node limits whose mean costs a game knows: see engine.Tuning.MeanNodes.
var softLimits = [...]int{100, 300, 1_000, 3_000, 10_000}

// SoftLimit returns the node limit of an alpha-beta search whose mean cost is a number of nodes. The
// limit is soft: the iteration that reaches it is completed, so a search costs two to four times as
// much. It lies on straight lines between the measured limits. It returns 0 if the game knows no costs.
func SoftLimit(t *engine.Tuning, mean int) int {
	limit, cost := 0, 0
	for i, next := range t.MeanNodes {
		if next <= cost {
			return 0
		}
		if mean <= next || i == len(softLimits)-1 {
			return max(1, limit+(mean-cost)*(softLimits[i]-limit)/(next-cost))
		}
		limit, cost = softLimits[i], next
	}
	return 0
}
