package report

import (
	"fmt"
	"math"
	"strings"

	"selfplay/cmd/internal/human"
	"selfplay/datasets/plan"
	"selfplay/datasets/stats"
	"selfplay/engine"
)

// The values of the checks. Each is the read function of an entry of checks.

// inSample says that a value is of a sample of the games.
const inSample = "sampled"

// read returns a reading of the games that were read.
func (d *Dataset) read(value float64, of uint64, what string) reading {
	r := reading{value: value, of: of, what: what}
	if d.Sampled {
		r.how = inSample
	}
	return r
}

func complete(d *Dataset) reading {
	if d.Info.Target == 0 {
		return notMeasured("the target is not known")
	}
	return reading{value: share(d.Info.Games, d.Info.Target), of: d.Info.Target, what: "game"}
}

func train(d *Dataset) reading { return d.rowsOf(plan.Train) }

func validation(d *Dataset) reading {
	if d.validationShare() == 0 {
		return notMeasured("the plan has no validation split")
	}
	return d.rowsOf(plan.Validation)
}

// splitShare returns by how much the share of the validation games differs from that of the plan. A
// difference of one game is none.
func splitShare(d *Dataset) reading {
	if d.Info.Games == 0 {
		return notMeasured("no game is committed")
	}
	n := float64(d.Info.Games)
	off := math.Abs(float64(d.gamesOf(plan.Validation)) - d.validationShare()*n)
	return reading{value: max(0, off-1) / n, of: d.Info.Games, what: "game"}
}

// validationShare returns the share of the games that the plan gives to validation.
func (d *Dataset) validationShare() float64 {
	if games := d.Info.Games; len(d.Plan.Split) > 0 {
		return float64(d.Plan.Splits().Count(0, games)) / float64(max(1, games))
	}
	return float64(d.Plan.Validation) / 1000
}

// gamesOf returns the number of games of a split.
func (d *Dataset) gamesOf(split string) uint64 {
	for _, s := range d.Info.Splits {
		if s.Split == split {
			return s.Games
		}
	}
	return 0
}

func (d *Dataset) rowsOf(split string) reading {
	return reading{value: float64(d.rows(split)), of: d.Info.Rows, what: "row"}
}

// stronger returns the share of decisive games that the stronger side won. A difference of
// up to three standard deviations is within chance.
func stronger(d *Dataset) reading {
	first := d.games(with(engine.FirstWins))
	second := d.games(with(engine.SecondWins))
	if first+second == 0 {
		return notMeasured("no game was won")
	}
	n := float64(first + second)
	r := d.read(float64(max(first, second))/n, first+second, "decisive game")
	if margin := 3 * math.Sqrt(n) / 2 / n; r.value-0.5 <= margin {
		r.chance = fmt.Sprintf("within chance: so few games give up to %s for equal sides (3 standard deviations)", human.Percent(min(1, 0.5+margin)))
	}
	return r
}

func cutOff(d *Dataset) reading {
	return d.ended(engine.NoResult)
}

func draws(d *Dataset) reading {
	r := d.ended(engine.Draw)
	r.cause = d.drawn()
	return r
}

// ended returns the share of games with a result.
func (d *Dataset) ended(result engine.Result) reading {
	return d.read(share(d.games(with(result)), d.Stats.Games), d.Stats.Games, "game")
}

// drawnWon returns the share of games that were drawn though a side had a won position.
func drawnWon(d *Dataset) reading {
	s := d.Stats.Scores
	if s == nil {
		return notMeasured("no position was searched")
	}
	if s.Lead == 0 {
		return notMeasured("the game has no model of scores, which says what is won")
	}
	r := d.read(share(d.games(led), d.Stats.Games), d.Stats.Games, "game")
	r.how = strings.TrimPrefix(fmt.Sprintf("%s, a lead of %s in %d plies is won", r.how, human.Number(s.Lead), stats.LeadPlies), ", ")
	r.cause = d.mostBy(led)
	return r
}

// drawn names the most common reason of draws, and players that do not look for a win.
func (d *Dataset) drawn() string {
	text := d.mostBy(with(engine.Draw))
	if !d.searches() {
		text += "; no player searches, so wins are missed"
	}
	return text
}

// mostBy names the most common reason of draws that are counted by of.
func (d *Dataset) mostBy(of func(stats.Ending) uint64) string {
	var most stats.Ending
	for _, e := range d.Stats.Endings {
		if of(e) > of(most) {
			most = e
		}
	}
	return fmt.Sprintf("most draws by %s: %s of %s", strings.ReplaceAll(most.Reason, "_", " "), human.Number(of(most)), human.Number(d.games(of)))
}

// notCompared says why the positions of all rows were not compared, and what does it. It is empty
// if the statistics of plies describe the rows as well.
func (d *Dataset) notCompared() string {
	const compare = "selfplay report --exact compares all rows"
	switch {
	case d.Sampled:
		return "only a sample of the games was read: " + compare
	case len(d.Plan.Filter) > 0:
		return "rows are filtered: " + compare + " of a finished dataset"
	}
	return ""
}

// duplicates returns the exact share if the rows were compared, else that of the plies.
func duplicates(d *Dataset) reading {
	if o := d.Overlap; o != nil {
		return reading{value: o.Duplicates, of: o.Rows, what: "row", how: "all compared"}
	}
	if why := d.notCompared(); why != "" {
		return notMeasured("%s", why)
	}
	return reading{value: 1 - d.Stats.Positions.Share, of: d.Stats.Plies, what: "ply", how: d.byPlies()}
}

func leakage(d *Dataset) reading {
	if d.rows(plan.Validation) == 0 {
		return notMeasured("there are no validation rows")
	}
	if d.rows(plan.Train) == 0 {
		return notMeasured("there are no rows in the train split")
	}
	if o := d.Overlap; o != nil {
		return reading{value: o.Leakage, of: o.Validation, what: "validation row", how: "all compared"}
	}
	if why := d.notCompared(); why != "" {
		return notMeasured("%s", why)
	}
	return reading{value: d.Stats.Positions.Leakage, of: d.Stats.Positions.Validation, what: "validation ply", how: d.byPlies()}
}

// byPlies says how plies were compared.
func (d *Dataset) byPlies() string {
	if d.Stats.Positions.Estimated {
		return "estimated from a sample of the positions"
	}
	return "by hash"
}

func entropy(d *Dataset) reading {
	return d.opening(func(o *stats.Opening) float64 { return o.Entropy })
}

func commonLine(d *Dataset) reading {
	return d.opening(func(o *stats.Opening) float64 { return o.Common })
}

// opening returns a value of the lines of openingPlies plies.
func (d *Dataset) opening(value func(*stats.Opening) float64) reading {
	for i := range d.Stats.Openings {
		if o := &d.Stats.Openings[i]; o.Plies == openingPlies && o.Games >= enoughGames {
			return d.read(value(o), o.Games, "game")
		}
	}
	return notMeasured("fewer than %d games", enoughGames)
}

// calibration returns the largest difference that is beyond chance, or else the largest one.
func calibration(d *Dataset) reading {
	if d.Stats.Scores == nil {
		return notMeasured("no position was searched")
	}
	if d.Stats.Scores.Model == nil {
		return notMeasured("the files have no model of scores")
	}
	r, worst := d.read(0, 0, "searched ply"), 0.0
	for _, b := range d.Stats.Scores.Buckets {
		judged := false
		for i, p := range b.Predicted {
			if b.Results*min(p, 1-p) < enoughResults {
				continue
			}
			judged = true
			difference, margin := math.Abs(b.Seen[i]-p), 3*b.Error[i]
			switch {
			case difference > margin:
				worst = max(worst, difference)
			case difference >= r.value:
				r.value, r.chance = difference, chanceOf(b.Results, margin)
			}
		}
		if judged {
			r.of += b.Plies
		}
	}
	if r.of == 0 {
		return notMeasured("too few games in every range of scores")
	}
	if worst > 0 {
		r.value, r.chance = worst, ""
	}
	return r
}

// chanceOf explains a difference that is within the margin of a number of results.
func chanceOf(results, margin float64) string {
	return fmt.Sprintf("within chance: the plies of a range of scores are worth about %s, which may differ by up to %s (3 standard errors)",
		human.Count(uint64(math.Round(results)), "result"), human.Percent(margin))
}

func searched(d *Dataset) reading {
	if !d.searches() {
		return notMeasured("no player searches")
	}
	return d.read(d.Stats.Choices.Searched, d.Stats.Plies, "ply")
}

func noMoves(d *Dataset) reading {
	if d.Stats.Legal == nil {
		return notMeasured("no game was sampled")
	}
	r := reading{value: float64(d.Stats.Legal.None), of: d.Stats.Legal.Plies, what: "ply"}
	if d.Sampled || r.of < d.Stats.Plies {
		r.how = inSample
	}
	return r
}
