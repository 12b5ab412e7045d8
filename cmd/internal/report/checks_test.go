package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/stats"
	"selfplay/datasets/wdl"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// sound returns an invented dataset on which all checks are OK.
func sound() *Dataset {
	return &Dataset{
		Plan: plan.Plan{Validation: 50, Columns: []string{"policy_action"}},
		Info: datasets.Info{Counts: record.Counts{Target: 1000, Games: 1000}, Rows: 95_000, Splits: []record.SplitTotals{
			{Split: plan.Train, Totals: record.Totals{Games: 950, Rows: 90_000}}, {Split: plan.Validation, Totals: record.Totals{Games: 50, Rows: 5000}},
		}},
		Stats: stats.Summary{
			Games: 1000, Plies: 95_000,
			Endings: []stats.Ending{
				{Result: engine.FirstWins, Reason: "checkmate", Games: 420}, {Result: engine.SecondWins, Reason: "checkmate", Games: 400},
				{Result: engine.Draw, Reason: "fifty", Games: 130, Led: 20}, {Reason: "ply_limit", Games: 50},
			},
			Openings:  []stats.Opening{{Plies: openingPlies, Games: 1000, Lines: 900, Entropy: 9.5, Common: 0.01}},
			Positions: stats.Positions{Share: 0.95, Validation: 5000, Leakage: 0.01},
			Choices:   stats.Choices{Searched: 0.9},
			Legal:     &stats.Legal{Plies: 1000},
			Scores: &stats.Scores{Lead: 400, Model: &encode.WDL{A: 1, B: 1}, Buckets: []wdl.Bucket{{
				Plies: 2000, Predicted: [3]float64{0.3, 0.2, 0.5}, Seen: [3]float64{0.32, 0.2, 0.48}, Results: 200, Error: [3]float64{0.03, 0.03, 0.03},
			}}},
		},
	}
}

func TestChecksReactAtTheirThresholds(t *testing.T) {
	endings := func(first, second, draw, none uint64) func(*Dataset) {
		return func(d *Dataset) {
			for i, n := range []uint64{first, second, draw, none} {
				d.Stats.Endings[i].Games = n
			}
		}
	}
	rows := func(train, validation uint64) func(*Dataset) {
		return func(d *Dataset) { d.Info.Splits[0].Rows, d.Info.Splits[1].Rows = train, validation }
	}
	// games have many plies each in one range of scores, and a share of wins where the model expects half.
	games := func(n int, won float64) func(*Dataset) {
		return func(d *Dataset) {
			c, tally := wdl.NewCalibration(wdl.Model{B: 1}), wdl.Tally{}
			for game := range n {
				outcome := int8(-1)
				if float64(game) < won*float64(n) {
					outcome = 1
				}
				for range 50 {
					c.Add(0, outcome)
					tally.Add(0, outcome)
				}
				c.EndGame()
			}
			d.Stats.Scores.Buckets = c.Buckets(tally)
		}
	}
	led := func(n uint64) func(*Dataset) { return func(d *Dataset) { d.Stats.Endings[2].Led = n } }
	sampled := func(d *Dataset) { d.Sampled = true }
	for _, c := range []struct {
		check  string
		name   string
		change func(*Dataset)
		want   State
	}{
		{"complete", "all games", func(*Dataset) {}, OK},
		{"complete", "one game is missing", func(d *Dataset) { d.Info.Games-- }, Warning},
		{"complete", "no target", func(d *Dataset) { d.Info.Target = 0 }, Unknown},
		{"train", "enough rows", rows(1000, 5000), OK},
		{"train", "few rows", rows(999, 5000), Warning},
		{"train", "no rows", rows(0, 5000), Alarm},
		{"validation", "a row", rows(90_000, 1), OK},
		{"validation", "empty", rows(90_000, 0), Warning},
		{"validation", "not planned", func(d *Dataset) { d.Plan.Validation = 0 }, Unknown},
		{"side", "level", endings(420, 400, 130, 50), OK},
		{"side", "first wins more", endings(580, 420, 0, 0), Warning},
		{"side", "first wins much more", endings(610, 390, 0, 0), Alarm},
		{"side", "second wins much more", endings(300, 700, 0, 0), Alarm},
		{"side", "only a few games, so chance", endings(7, 3, 990, 0), OK},
		{"side", "no winner", endings(0, 0, 1000, 0), Unknown},
		{"cut_off", "a fifth", endings(400, 400, 0, 200), OK},
		{"cut_off", "many", endings(395, 395, 0, 210), Warning},
		{"cut_off", "most", endings(240, 240, 0, 520), Alarm},
		{"draws", "some", endings(200, 200, 600, 0), OK},
		{"draws", "as random players", endings(110, 110, 780, 0), Warning},
		{"draws", "most", endings(50, 50, 900, 0), Warning},
		{"draws", "nearly all", endings(20, 20, 960, 0), Alarm},
		{"drawn_won", "few", led(50), OK},
		{"drawn_won", "more", led(51), Warning},
		{"drawn_won", "many", led(101), Alarm},
		{"drawn_won", "no model", func(d *Dataset) { d.Stats.Scores.Lead = 0 }, Unknown},
		{"drawn_won", "nothing was searched", func(d *Dataset) { d.Stats.Scores = nil }, Unknown},
		{"duplicates", "few", func(d *Dataset) { d.Stats.Positions.Share = 0.86 }, OK},
		{"duplicates", "more", func(d *Dataset) { d.Stats.Positions.Share = 0.8 }, Warning},
		{"duplicates", "many", func(d *Dataset) { d.Stats.Positions.Share = 0.69 }, Alarm},
		{"duplicates", "the exact number counts", func(d *Dataset) { d.Overlap = &dedup.Overlap{Rows: 100, Duplicates: 0.31} }, Alarm},
		{"duplicates", "the exact number is smaller", func(d *Dataset) { d.Stats.Positions.Share, d.Overlap = 0.1, &dedup.Overlap{} }, OK},
		{"leakage", "little", func(d *Dataset) { d.Stats.Positions.Leakage = 0.04 }, OK},
		{"leakage", "more", func(d *Dataset) { d.Stats.Positions.Leakage = 0.06 }, Warning},
		{"leakage", "much", func(d *Dataset) { d.Stats.Positions.Leakage = 0.11 }, Alarm},
		{"split", "one game more than asked for", func(d *Dataset) { d.Info.Splits[1].Games = 51 }, OK},
		{"split", "half of the games", func(d *Dataset) { d.Info.Splits[1].Games = 500 }, Warning},
		{"split", "no validation game", func(d *Dataset) { d.Info.Splits[1].Games = 0 }, Warning},
		{"leakage", "much, exactly", func(d *Dataset) { d.Overlap = &dedup.Overlap{Validation: 10, Leakage: 0.2} }, Alarm},
		{"leakage", "nothing to leak into", rows(90_000, 0), Unknown},
		{"leakage", "nothing to leak from", rows(0, 5000), Unknown},
		{"leakage", "of a sample of the games", sampled, Unknown},
		{"duplicates", "of a sample of the games", sampled, Unknown},
		{"leakage", "of dropped rows", func(d *Dataset) { d.Plan.Filter = []string{"keep=0.5"} }, Unknown},
		{"duplicates", "of dropped rows", func(d *Dataset) { d.Plan.Filter = []string{"unique"} }, Unknown},
		{"duplicates", "of rows, exactly", func(d *Dataset) { d.Plan.Filter, d.Overlap = []string{"unique"}, &dedup.Overlap{Duplicates: 0.2} }, Warning},
		{"entropy", "many lines", func(d *Dataset) { d.Stats.Openings[0].Entropy = 5 }, OK},
		{"entropy", "fewer", func(d *Dataset) { d.Stats.Openings[0].Entropy = 4 }, Warning},
		{"entropy", "few", func(d *Dataset) { d.Stats.Openings[0].Entropy = 2.9 }, Alarm},
		{"entropy", "few games", func(d *Dataset) { d.Stats.Openings[0].Games = 99 }, Unknown},
		{"common_line", "rare", func(d *Dataset) { d.Stats.Openings[0].Common = 0.1 }, OK},
		{"common_line", "common", func(d *Dataset) { d.Stats.Openings[0].Common = 0.15 }, Warning},
		{"common_line", "too common", func(d *Dataset) { d.Stats.Openings[0].Common = 0.21 }, Alarm},
		{"calibration", "near", games(2000, 0.54), OK},
		{"calibration", "off", games(2000, 0.56), Warning},
		{"calibration", "far off", games(2000, 0.61), Alarm},
		{"calibration", "far off by the many plies of few games", games(150, 0.61), OK},
		{"calibration", "beyond chance", games(150, 0.64), Alarm},
		{"calibration", "few games, however many plies", games(39, 1), Unknown},
		{"calibration", "a rare result", func(d *Dataset) {
			d.Stats.Scores.Buckets = []wdl.Bucket{{Plies: 9000, Predicted: [3]float64{0.9, 0.1, 0}, Seen: [3]float64{1, 0, 0}, Results: 190, Error: [3]float64{0.01, 0.01, 0}}}
		}, Unknown},
		{"calibration", "nothing was searched", func(d *Dataset) { d.Stats.Scores = nil }, Unknown},
		{"searched", "half", func(d *Dataset) { d.Stats.Choices.Searched = 0.5 }, OK},
		{"searched", "less", func(d *Dataset) { d.Stats.Choices.Searched = 0.4 }, Warning},
		{"searched", "hardly any", func(d *Dataset) { d.Stats.Choices.Searched = 0.05 }, Alarm},
		{"searched", "no player searches", func(d *Dataset) { d.Plan.Columns = nil }, Unknown},
		{"no_moves", "never", func(*Dataset) {}, OK},
		{"no_moves", "once", func(d *Dataset) { d.Stats.Legal.None = 1 }, Alarm},
		{"no_moves", "not looked", func(d *Dataset) { d.Stats.Legal = nil }, Unknown},
	} {
		d := sound()
		c.change(d)
		if got := resultOf(t, d, c.check); got.State != c.want {
			t.Errorf("%s, %s: %+v, want %s", c.check, c.name, got, c.want)
		}
	}
	for _, r := range sound().check() {
		if r.State != OK {
			t.Errorf("the sound dataset: %+v", r)
		}
	}
}

// TestChecksWithoutGamesAreUnknown but for those that count games and rows.
func TestChecksWithoutGamesAreUnknown(t *testing.T) {
	for _, r := range (&Dataset{Info: datasets.Info{Counts: record.Counts{Target: 10}}}).check() {
		if r.Check == "train" && r.State != Alarm || r.Check == "complete" && r.State != Warning {
			t.Errorf("%+v", r)
		}
		if r.Check != "train" && r.Check != "complete" && r.State != Unknown {
			t.Errorf("%+v", r)
		}
	}
}

// TestChecksSayWhatTheyMeasured: of how much, where the limits are, why a value beyond a limit may
// be chance, what makes draws, and why something is not measured.
func TestChecksSayWhatTheyMeasured(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		name   string
		change func(*Dataset)
	}{
		{"a sound dataset", func(*Dataset) {}},
		{"all rows are compared", func(d *Dataset) {
			d.Overlap = &dedup.Overlap{Rows: 95_000, Validation: 5000, Leaked: 50, Leakage: 0.01}
		}},
		{"a sample of a large dataset, few games", func(d *Dataset) {
			d.Sampled = true
			d.Stats.Scores.Buckets[0].Seen = [3]float64{0.381, 0.2, 0.419}
			d.Stats.Endings[0].Games, d.Stats.Endings[1].Games = 7, 3
		}},
		{"won positions are drawn", func(d *Dataset) { d.Stats.Endings[2].Led = 110 }},
		{"random players, one split", func(d *Dataset) {
			d.Plan.Validation, d.Plan.Columns, d.Stats.Scores = 0, nil, nil
			d.Info.Splits = d.Info.Splits[:1]
			d.Stats.Endings[0].Games, d.Stats.Endings[1].Games, d.Stats.Endings[3].Games = 90, 90, 40
			d.Stats.Endings[2] = stats.Ending{Result: engine.Draw, Reason: "fifty_moves", Games: 780}
		}},
		{"no games", func(d *Dataset) { *d = Dataset{} }},
	} {
		d := sound()
		c.change(d)
		fmt.Fprintf(&b, "# %s\n", c.name)
		for _, r := range d.check() {
			must.Do(t, encode.NewRoundedJSON(&b).Encode(r))
		}
	}
	enginetest.Golden(t, "testdata/checks.txt", b.String(), "Scripts read these members, and people these texts")
}

func resultOf(t *testing.T, d *Dataset, name string) Result {
	t.Helper()
	for _, r := range d.check() {
		if r.Check == name {
			return r
		}
	}
	t.Fatalf("no check %s", name)
	return Result{}
}

// TestChecksAreWellFormed: the alarm is beyond the warning, and the advice is a sentence.
func TestChecksAreWellFormed(t *testing.T) {
	for _, c := range checks {
		if !strings.HasSuffix(c.advice, ".") || c.what == "" {
			t.Errorf("%s: what %q, advice %q", c.name, c.what, c.advice)
		}
		if !math.IsNaN(c.alarm) && (c.below && c.alarm > c.warning || !c.below && c.alarm < c.warning) {
			t.Errorf("%s: warning beyond %v, alarm beyond %v", c.name, c.warning, c.alarm)
		}
	}
	if strings.Count(CheckTable(), "\n") != len(checks)+2 {
		t.Error(CheckTable())
	}
}

// TestDocsHaveTheChecks compares the table of docs/report.md with the checks; -update rewrites
// it.
func TestDocsHaveTheChecks(t *testing.T) {
	enginetest.Tables(t, "../../../docs/report.md", map[string]string{"checks of a report": CheckTable()})
}
