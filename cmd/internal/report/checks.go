package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/stats"
	"selfplay/engine"
)

// State is what a check says.
type State string

// The states.
const (
	OK      State = "ok"
	Look    State = "look"  // worth a look
	Alarm   State = "alarm" // to be understood before anything is trained on this
	Unknown State = "-"     // there is nothing to judge
)

// Class is the name of the state in page.css.
func (s State) Class() string {
	if s == Unknown {
		return "none"
	}
	return string(s)
}

// Result is what a check says of a dataset.
type Result struct {
	Check string  `json:"check"`
	State State   `json:"state"`
	Value float64 `json:"value"` // in the unit of the check; 0 if Unknown
	Why   string  `json:"why,omitempty"`
}

// check is a number that is compared with two thresholds.
type check struct {
	name   string // in JSON; never renamed
	what   string // is looked at
	unit   unit
	below  bool    // low values are bad, else high ones
	look   float64 // beyond it: worth a look; NaN: never
	alarm  float64 // beyond it: an alarm; NaN: never
	advice string  // one sentence
	value  func(*Dataset) (value float64, unknown string)
}

// unit is what a value is in.
type unit string

const (
	ofAll  unit = "%"
	bits   unit = "bits"
	amount unit = ""
)

// What checks need before they judge: fewer say more about chance than about games.
const (
	enoughGames  = 100
	enoughPlies  = 1000 // in a range of scores
	openingPlies = 8    // of the lines that are judged
)

var never = math.NaN()

// checks is the table of thresholds. The order is that of the page.
var checks = []check{
	{"complete", "games that are there, of those wanted", ofAll, true, 1, never,
		"Run the same command again to make the rest.", complete},
	{"train", "rows of the train split", amount, true, 1000, 1,
		"Play more games, or leave fewer rows out.", func(d *Dataset) (float64, string) { return float64(d.rows(datasets.Train)), "" }},
	{"validation", "rows of the validation split", amount, true, 1, never,
		"Play more shards or smaller ones (--shard-games): whole shards are put aside.", validation},
	{"side", "decisive games won by the stronger side", ofAll, false, 0.55, 0.6,
		"Use more or other opening plies, or players of equal strength.", stronger},
	{"cut_off", "games cut off by the ply limit", ofAll, false, 0.2, 0.5,
		"Raise --max-plies or let won and drawn games be adjudicated: these games have no result to learn from.", cutOff},
	{"drawn", "games drawn", ofAll, false, 0.8, 0.95,
		"Use players that can win, unequal openings, or leave rows of drawn games out.", drawn},
	{"duplicates", "rows with a position that an earlier one has", ofAll, false, 0.15, 0.3,
		"Draw more opening plies, explore, or run export dedup.", duplicates},
	{"leakage", "validation rows with a position of the train split", ofAll, false, 0.05, 0.1,
		"Run export dedup, or judge by positions after the opening.", leakage},
	{"entropy", "entropy of the lines after 8 plies", bits, true, 5, 3,
		"Draw more opening plies or use a larger book.", func(d *Dataset) (float64, string) { o, why := opening(d); return o.Entropy, why }},
	{"common_line", "games with the most common line of 8 plies", ofAll, false, 0.1, 0.2,
		"Draw more opening plies, or explore at the first moves.", func(d *Dataset) (float64, string) { o, why := opening(d); return o.Common, why }},
	{"calibration", "largest difference of a share of wins, draws or losses from the model", ofAll, false, 0.05, 0.1,
		"Fit the model to these games (export wdl) before scores are turned into chances.", calibration},
	{"searched", "decisions that were searched", ofAll, true, 0.5, 0.1,
		"Leave out rows with --skip unsearched, or give the searching player a larger share.", searched},
	{"no_moves", "decisions without a legal move, of those looked at", amount, false, 0, 0,
		"Report this: no game goes on where nothing can be played.", noMoves},
}

func complete(d *Dataset) (float64, string) {
	if d.Info.Target == 0 {
		return 0, "how many are wanted is not known"
	}
	return share(d.Info.Games, d.Info.Target), ""
}

func validation(d *Dataset) (float64, string) {
	if d.Plan.Validation == 0 {
		return 0, "the plan has none"
	}
	return float64(d.rows(datasets.Validation)), ""
}

// stronger returns the share that the stronger side has, and half where the difference
// is one that three of a thousand fair datasets have.
func stronger(d *Dataset) (float64, string) {
	first := d.games(func(e stats.Ending) bool { return e.Result == engine.FirstWins })
	second := d.games(func(e stats.Ending) bool { return e.Result == engine.SecondWins })
	n := float64(first + second)
	if n == 0 {
		return 0, "nobody won"
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

func drawn(d *Dataset) (float64, string) {
	return share(d.games(func(e stats.Ending) bool { return e.Result == engine.Draw }), d.Stats.Games), ""
}

// filtered: what is known of all plies says nothing of the rows.
const filtered = "rows are filtered: --exact compares them"

// duplicates takes the exact number where there is one, else that of all plies.
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
	case d.rows(datasets.Validation) == 0:
		return 0, "there is no validation row"
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
		return 0, "nothing was searched"
	}
	worst, chance, judged := 0.0, 0.0, false // the largest difference, and of those that are no more than chance
	for _, b := range d.Stats.Scores.Buckets {
		if b.Plies < enoughPlies {
			continue
		}
		judged = true
		// Plies of a game have one outcome between them: at worst a game has all of its
		// plies in this range.
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
		return 0, fmt.Sprintf("fewer than %d plies in every range of scores, or than %d games", enoughPlies, enoughGames)
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
		return 0, "no game was looked at"
	}
	return float64(d.Stats.Legal.None), ""
}

// check runs all checks.
func (d *Dataset) check() (list []Result) {
	for i := range checks {
		c := &checks[i]
		v, why := c.value(d)
		r := Result{Check: c.name, State: c.judge(v), Value: v, Why: why}
		switch {
		case d.Info.Games == 0 && c.name != "complete" && c.name != "train":
			r = Result{Check: c.name, State: Unknown, Why: "there is no game yet"}
		case why == withinChance:
			r.State = OK
		case why != "":
			r.State, r.Value = Unknown, 0
		}
		list = append(list, r)
	}
	return list
}

// Count returns how many checks say so, of any dataset.
func (r *Report) Count(s State) (n int) {
	for _, d := range r.Datasets {
		for _, result := range d.Checks {
			if result.State == s {
				n++
			}
		}
	}
	return n
}

// judge compares a value with the thresholds; one that is at a threshold is still well.
func (c *check) judge(v float64) State {
	beyond := func(threshold float64) bool {
		return c.below && v < threshold || !c.below && v > threshold // never, if it is NaN
	}
	switch {
	case beyond(c.alarm):
		return Alarm
	case beyond(c.look):
		return Look
	}
	return OK
}

// text writes a value of the check.
func (c *check) text(v float64) string {
	switch c.unit {
	case ofAll:
		return percent(v)
	case bits:
		return strconv.FormatFloat(v, 'f', 1, 64) + " bits"
	}
	return count(uint64(v))
}

// threshold writes one of the two.
func (c *check) threshold(v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case c.unit == ofAll:
		return c.side() + strconv.FormatFloat(100*v, 'g', 6, 64) + " %"
	case c.unit == bits:
		return c.side() + strconv.FormatFloat(v, 'g', -1, 64) + " bits"
	}
	return c.side() + count(uint64(v))
}

func (c *check) side() string {
	if c.below {
		return "under "
	}
	return "over "
}

// CheckTable returns a Markdown table of the thresholds.
func CheckTable() string {
	var b strings.Builder
	b.WriteString("| what is looked at | look | alarm | what to do |\n|---|---|---|---|\n")
	for i := range checks {
		c := &checks[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.what, c.threshold(c.look), c.threshold(c.alarm), c.advice)
	}
	return b.String()
}
