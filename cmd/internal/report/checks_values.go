package report

import (
	"fmt"
	"math"

	"selfplay/datasets/plan"
	"selfplay/datasets/stats"
	"selfplay/engine"
)

// The values of the checks. Each is the value function of an entry of checks.

func complete(d *Dataset) (float64, string) {
	if d.Info.Target == 0 {
		return 0, "the target is not known"
	}
	return share(d.Info.Games, d.Info.Target), ""
}

func validation(d *Dataset) (float64, string) {
	if d.Plan.Validation == 0 {
		return 0, "the plan has no validation split"
	}
	return float64(d.rows(plan.Validation)), ""
}

// stronger returns the share of decisive games that the stronger side won. A difference of
// up to three standard deviations is within chance.
func stronger(d *Dataset) (float64, string) {
	first := d.games(func(e stats.Ending) bool { return e.Result == engine.FirstWins })
	second := d.games(func(e stats.Ending) bool { return e.Result == engine.SecondWins })
	n := float64(first + second)
	if n == 0 {
		return 0, "no game was won"
	}
	won := float64(max(first, second))
	if won-n/2 <= 3*math.Sqrt(n)/2 {
		return won / n, withinChance
	}
	return won / n, ""
}

const withinChance = "within chance"

func cutOff(d *Dataset) (float64, string) {
	return share(d.games(func(e stats.Ending) bool { return e.Result == engine.NoResult }), d.Stats.Games), ""
}

func draws(d *Dataset) (float64, string) {
	return share(d.games(func(e stats.Ending) bool { return e.Result == engine.Draw }), d.Stats.Games), ""
}

// filtered is the reason why statistics of plies do not describe the rows.
const filtered = "rows are filtered: use --exact"

// duplicates returns the exact share with --exact, else the estimate by plies.
func duplicates(d *Dataset) (float64, string) {
	switch {
	case d.Overlap != nil:
		return d.Overlap.Duplicates, ""
	case len(d.Plan.Filter) > 0:
		return 0, filtered
	}
	return 1 - d.Stats.Positions.Share, ""
}

func leakage(d *Dataset) (float64, string) {
	switch {
	case d.rows(plan.Validation) == 0:
		return 0, "there are no validation rows"
	case d.Overlap != nil:
		return d.Overlap.Leakage, ""
	case len(d.Plan.Filter) > 0:
		return 0, filtered
	}
	return d.Stats.Positions.Leakage, ""
}

func opening(d *Dataset) (stats.Opening, string) {
	for _, o := range d.Stats.Openings {
		if o.Plies == openingPlies && o.Games >= enoughGames {
			return o, ""
		}
	}
	return stats.Opening{}, fmt.Sprintf("fewer than %d games", enoughGames)
}

func calibration(d *Dataset) (float64, string) {
	if d.Stats.Scores == nil {
		return 0, "no position was searched"
	}
	if d.Stats.Scores.Model == nil {
		return 0, "the files have no model of scores"
	}
	worst, chance, judged := 0.0, 0.0, false // largest significant and insignificant difference
	for _, b := range d.Stats.Scores.Buckets {
		if b.Plies < enoughPlies {
			continue
		}
		judged = true
		// The plies of a game share one outcome. In the worst case all plies of a game are in
		// this range, so the sample size is the number of games.
		games := float64(b.Plies) / max(1, d.Stats.Lengths.Mean)
		for i, p := range b.Predicted {
			difference := math.Abs(b.Seen[i] - p)
			if difference > 3*math.Sqrt(max(p*(1-p), 0.01)/games) {
				worst = max(worst, difference)
			} else {
				chance = max(chance, difference)
			}
		}
	}
	if !judged || d.Stats.Games < enoughGames {
		return 0, fmt.Sprintf("fewer than %d plies in every range of scores, or fewer than %d games", enoughPlies, enoughGames)
	}
	if worst == 0 {
		return chance, withinChance
	}
	return worst, ""
}

func searched(d *Dataset) (float64, string) {
	if !d.searches() {
		return 0, "no player searches"
	}
	return d.Stats.Choices.Searched, ""
}

func noMoves(d *Dataset) (float64, string) {
	if d.Stats.Legal == nil {
		return 0, "no game was sampled"
	}
	return float64(d.Stats.Legal.None), ""
}
