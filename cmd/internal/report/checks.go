package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"selfplay/cmd/internal/human"
)

// State is the verdict of a check.
type State string

// The states.
const (
	OK      State = "ok"
	Warning State = "warning" // worth a look
	Alarm   State = "alarm"   // find the cause before you train on the dataset
	Unknown State = "not measured"
)

// Class returns the style class of the state in page.css.
func (s State) Class() string {
	if s == Unknown {
		return "none"
	}
	return string(s)
}

// Result is the result of a check on a dataset.
type Result struct {
	Check string  `json:"check"`
	State State   `json:"level"` // ok, warning, alarm or not measured
	Value float64 `json:"value"` // in the unit of the check; 0 if it is not measured
	Why   string  `json:"why,omitempty"`

	// Of is the number of things that were measured, 0 if none were. Measured says what they are,
	// such as "1,000 games".
	Of       uint64 `json:"of"`
	Measured string `json:"measured,omitempty"`
	Limit    string `json:"limit"` // such as "warning over 5 %, alarm over 10 %"
}

// check compares a number with two thresholds.
type check struct {
	name    string // in JSON; never renamed
	what    string // description of the number
	unit    unit
	below   bool    // low values are bad; else high values
	warning float64 // values beyond it are a warning; NaN: none
	alarm   float64 // values beyond it are an alarm; NaN: none
	advice  string  // one sentence
	read    func(*Dataset) reading
	counts  bool // what the dataset has: also measured without games
}

// reading is the value of a check, and what it was measured of.
type reading struct {
	value   float64
	of      uint64 // how many things were measured
	what    string // one of them, such as "game"
	how     string // they were measured, "" if there is nothing to say
	cause   string // of a value beyond a limit, "" if it is not known
	chance  string // why a value beyond a limit may be chance, "" if it is not
	missing string // why nothing was measured, "" if the value is measured
}

// notMeasured returns a reading without a value.
func notMeasured(why string, args ...any) reading {
	return reading{missing: fmt.Sprintf(why, args...)}
}

// measured says what was measured.
func (r *reading) measured() string {
	text := human.Count(r.of, r.what)
	if r.how != "" {
		text += ", " + r.how
	}
	return text
}

// unit is the unit of a value: how values and thresholds are written. Values are rounded, thresholds are
// not.
type unit struct{ value, threshold func(v float64) string }

var (
	ofAll = unit{
		human.Percent,
		func(v float64) string { return strconv.FormatFloat(100*v, 'g', 6, 64) + " %" },
	}
	bits = unit{
		func(v float64) string { return decimal(v) + " bits" },
		func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) + " bits" },
	}
	amount = unit{count, count}
)

// count formats a whole number.
func count(v float64) string { return human.Number(uint64(v)) }

// Minimum sample sizes: below them the result would be mostly chance.
const (
	enoughGames   = 100
	enoughResults = 20 // expected with an outcome and without it, in a range of scores: below, errors are too small
	openingPlies  = 8  // length of the lines that are checked
)

var never = math.NaN()

// checks is the table of thresholds, in the order of the page.
var checks = []check{
	{"complete", "committed games, of the target", ofAll, true, 1, never,
		"Run the same command again to make the missing games.", complete, true},
	{"train", "rows of the train split", amount, true, 1000, 1,
		"Play more games, or drop fewer rows.", train, true},
	{"validation", "rows of the validation split", amount, true, 1, never,
		"Play more games, or ask for a larger share of them (--validation).", validation, false},
	{"split", "difference of the share of validation games from that of the plan", ofAll, false, 0.01, never,
		"Draw another split with selfplay rows --validation.", splitShare, true},
	{"side", "decisive games won by the stronger side", ofAll, false, 0.55, 0.6,
		"Use more or other opening plies, or players of equal strength.", stronger, false},
	{"cut_off", "games cut off by the ply limit", ofAll, false, 0.2, 0.5,
		"Raise --max-plies, or adjudicate won and drawn games: games that are cut off have no result to learn from.", cutOff, false},
	{"draws", "drawn games", ofAll, false, 0.6, 0.95,
		"Use players that can win, use unequal openings, or drop rows of drawn games.", draws, false},
	{"drawn_won", "games drawn from a won position", ofAll, false, 0.05, 0.1,
		"Use players that can win, adjudicate wins (--adjudicate-win), or drop rows of drawn games.", drawnWon, false},
	{"duplicates", "rows that repeat the position of an earlier row", ofAll, false, 0.15, 0.3,
		"Play more random opening plies, explore, or run selfplay dedup.", duplicates, false},
	{"leakage", "validation rows with a position of the train split", ofAll, false, 0.05, 0.1,
		"Run selfplay dedup, or validate on positions after the opening.", leakage, false},
	{"entropy", "entropy of the lines after 8 plies", bits, true, 5, 3,
		"Play more random opening plies, or use a larger book.", entropy, false},
	{"common_line", "games with the most common line of 8 plies", ofAll, false, 0.1, 0.2,
		"Play more random opening plies, or explore in the first moves.", commonLine, false},
	{"calibration", "largest difference between the model and the shares of wins, draws and losses", ofAll, false, 0.05, 0.1,
		"Fit the model to these games (selfplay wdl) before you convert scores to probabilities.", calibration, false},
	{"searched", "searched plies", ofAll, true, 0.5, 0.1,
		"Drop the others with --where '!unsearched', or give the searching player a larger share.", searched, false},
	{"no_moves", "plies without a legal move, in a sample", amount, false, 0, 0,
		"Report this as a bug: a game without legal moves is over.", noMoves, false},
}

// check runs all checks.
func (d *Dataset) check() (list []Result) {
	for i := range checks {
		c := &checks[i]
		r := c.read(d)
		if d.Info.Games == 0 && !c.counts {
			r = notMeasured("there are no games yet")
		}
		list = append(list, c.result(&r))
	}
	return list
}

// result judges a reading.
func (c *check) result(r *reading) Result {
	result := Result{Check: c.name, State: Unknown, Why: r.missing, Limit: c.limit()}
	if r.missing == "" {
		result.State, result.Value, result.Of, result.Measured = c.judge(r.value), r.value, r.of, r.measured()
		switch {
		case result.State == OK:
		case r.chance != "":
			result.State, result.Why = OK, r.chance
		default:
			result.Why = r.cause
		}
	}
	return result
}

// Count returns the number of checks with a state, over all datasets.
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

// judge compares a value with the thresholds. A value at a threshold is not beyond it.
func (c *check) judge(v float64) State {
	beyond := func(threshold float64) bool {
		return c.below && v < threshold || !c.below && v > threshold // false for NaN
	}
	switch {
	case beyond(c.alarm):
		return Alarm
	case beyond(c.warning):
		return Warning
	}
	return OK
}

// threshold formats a threshold.
func (c *check) threshold(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return c.side() + c.unit.threshold(v)
}

// limit describes both thresholds.
func (c *check) limit() string {
	switch {
	case c.warning == c.alarm:
		return "alarm " + c.threshold(c.alarm)
	case math.IsNaN(c.alarm):
		return "warning " + c.threshold(c.warning)
	}
	return "warning " + c.threshold(c.warning) + ", alarm " + c.threshold(c.alarm)
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
	b.WriteString("| what is checked | warning | alarm | what to do |\n|---|---|---|---|\n")
	for i := range checks {
		c := &checks[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", c.what, c.threshold(c.warning), c.threshold(c.alarm), c.advice)
	}
	return b.String()
}
