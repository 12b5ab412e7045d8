package report

import (
	"math"
	"os"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/stats"
	"selfplay/engine"
)

// sound returns a made-up dataset that no check minds.
func sound() *Dataset {
	return &Dataset{
		Plan: datasets.Plan{Validation: 50, Columns: []string{"policy_action"}},
		Info: datasets.Info{Target: 1000, Games: 1000, Splits: []datasets.SplitTotals{{Split: datasets.Train, Rows: 90_000}, {Split: datasets.Validation, Rows: 5000}}},
		Stats: stats.Summary{
			Games: 1000,
			Endings: []stats.Ending{
				{Result: engine.FirstWins, Reason: "checkmate", Games: 420}, {Result: engine.SecondWins, Reason: "checkmate", Games: 400},
				{Result: engine.Draw, Reason: "fifty", Games: 130}, {Reason: "ply_limit", Games: 50},
			},
			Openings:  []stats.Opening{{Plies: openingPlies, Games: 1000, Lines: 900, Entropy: 9.5, Common: 0.01}},
			Positions: stats.Positions{Share: 0.95, Validation: 5000, Leakage: 0.01},
			Choices:   stats.Choices{Searched: 0.9},
			Legal:     &stats.Legal{Plies: 1000},
			Scores:    &stats.Scores{Buckets: []stats.Bucket{{Plies: 2000, Predicted: [3]float64{0.3, 0.2, 0.5}, Seen: [3]float64{0.32, 0.2, 0.48}}}},
		},
	}
}

// TestChecks: each check is set off by what it is there for, and by nothing less.
func TestChecks(t *testing.T) {
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
	bucket := func(plies uint64, seen float64) func(*Dataset) {
		return func(d *Dataset) {
			d.Stats.Scores.Buckets = []stats.Bucket{{Plies: plies, Predicted: [3]float64{0.5, 0.5, 0}, Seen: [3]float64{seen, 1 - seen, 0}}}
		}
	}
	for _, c := range []struct {
		check  string
		name   string
		change func(*Dataset)
		want   State
	}{
		{"complete", "all games", func(*Dataset) {}, OK},
		{"complete", "one game is missing", func(d *Dataset) { d.Info.Games-- }, Look},
		{"complete", "no target", func(d *Dataset) { d.Info.Target = 0 }, Unknown},
		{"train", "enough rows", rows(1000, 5000), OK},
		{"train", "few rows", rows(999, 5000), Look},
		{"train", "no rows", rows(0, 5000), Alarm},
		{"validation", "a row", rows(90_000, 1), OK},
		{"validation", "empty", rows(90_000, 0), Look},
		{"validation", "not planned", func(d *Dataset) { d.Plan.Validation = 0 }, Unknown},
		{"side", "level", endings(420, 400, 130, 50), OK},
		{"side", "first wins more", endings(580, 420, 0, 0), Look},
		{"side", "first wins much more", endings(610, 390, 0, 0), Alarm},
		{"side", "second wins much more", endings(300, 700, 0, 0), Alarm},
		{"side", "only a few games, so chance", endings(7, 3, 990, 0), OK},
		{"side", "nobody won", endings(0, 0, 1000, 0), Unknown},
		{"cut_off", "few", endings(400, 400, 0, 200), OK},
		{"cut_off", "many", endings(395, 395, 0, 210), Look},
		{"cut_off", "most", endings(240, 240, 0, 520), Alarm},
		{"drawn", "some", endings(100, 100, 800, 0), OK},
		{"drawn", "most", endings(50, 50, 900, 0), Look},
		{"drawn", "nearly all", endings(20, 20, 960, 0), Alarm},
		{"duplicates", "few", func(d *Dataset) { d.Stats.Positions.Share = 0.86 }, OK},
		{"duplicates", "more", func(d *Dataset) { d.Stats.Positions.Share = 0.8 }, Look},
		{"duplicates", "many", func(d *Dataset) { d.Stats.Positions.Share = 0.69 }, Alarm},
		{"duplicates", "the exact number counts", func(d *Dataset) { d.Overlap = &dedup.Overlap{Rows: 100, Duplicates: 0.31} }, Alarm},
		{"duplicates", "the exact number is smaller", func(d *Dataset) { d.Stats.Positions.Share, d.Overlap = 0.1, &dedup.Overlap{} }, OK},
		{"leakage", "little", func(d *Dataset) { d.Stats.Positions.Leakage = 0.04 }, OK},
		{"leakage", "more", func(d *Dataset) { d.Stats.Positions.Leakage = 0.06 }, Look},
		{"leakage", "much", func(d *Dataset) { d.Stats.Positions.Leakage = 0.11 }, Alarm},
		{"leakage", "much, exactly", func(d *Dataset) { d.Overlap = &dedup.Overlap{Validation: 10, Leakage: 0.2} }, Alarm},
		{"leakage", "nothing to leak into", rows(90_000, 0), Unknown},
		{"leakage", "of rows that were left out", func(d *Dataset) { d.Plan.Filter = []string{"keep=0.5"} }, Unknown},
		{"duplicates", "of rows that were left out", func(d *Dataset) { d.Plan.Filter = []string{"unique"} }, Unknown},
		{"duplicates", "of rows, exactly", func(d *Dataset) { d.Plan.Filter, d.Overlap = []string{"unique"}, &dedup.Overlap{Duplicates: 0.2} }, Look},
		{"entropy", "many lines", func(d *Dataset) { d.Stats.Openings[0].Entropy = 5 }, OK},
		{"entropy", "fewer", func(d *Dataset) { d.Stats.Openings[0].Entropy = 4 }, Look},
		{"entropy", "few", func(d *Dataset) { d.Stats.Openings[0].Entropy = 2.9 }, Alarm},
		{"entropy", "few games", func(d *Dataset) { d.Stats.Openings[0].Games = 99 }, Unknown},
		{"common_line", "rare", func(d *Dataset) { d.Stats.Openings[0].Common = 0.1 }, OK},
		{"common_line", "common", func(d *Dataset) { d.Stats.Openings[0].Common = 0.15 }, Look},
		{"common_line", "too common", func(d *Dataset) { d.Stats.Openings[0].Common = 0.21 }, Alarm},
		{"calibration", "near", bucket(1000, 0.54), OK},
		{"calibration", "off", bucket(1000, 0.56), Look},
		{"calibration", "far off", bucket(1000, 0.61), Alarm},
		{"calibration", "far off by chance", func(d *Dataset) { bucket(1000, 0.61)(d); d.Stats.Lengths.Mean = 80 }, OK},
		{"calibration", "far off beyond chance", func(d *Dataset) { bucket(80_000, 0.61)(d); d.Stats.Lengths.Mean = 80 }, Alarm},
		{"calibration", "too few plies", bucket(999, 0.9), Unknown},
		{"calibration", "too few games", func(d *Dataset) { d.Stats.Games = 99 }, Unknown},
		{"calibration", "nothing was searched", func(d *Dataset) { d.Stats.Scores = nil }, Unknown},
		{"searched", "half", func(d *Dataset) { d.Stats.Choices.Searched = 0.5 }, OK},
		{"searched", "less", func(d *Dataset) { d.Stats.Choices.Searched = 0.4 }, Look},
		{"searched", "hardly any", func(d *Dataset) { d.Stats.Choices.Searched = 0.05 }, Alarm},
		{"searched", "nobody searches", func(d *Dataset) { d.Plan.Columns = nil }, Unknown},
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
			t.Errorf("a sound dataset: %+v", r)
		}
	}
}

// TestChecksOfNothing: a dataset without a game says nothing but that.
func TestChecksOfNothing(t *testing.T) {
	for _, r := range (&Dataset{Info: datasets.Info{Target: 10}}).check() {
		if r.Check == "train" && r.State != Alarm || r.Check == "complete" && r.State != Look {
			t.Errorf("%+v", r)
		}
		if r.Check != "train" && r.Check != "complete" && r.State != Unknown {
			t.Errorf("%+v", r)
		}
	}
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

// TestTableOfChecks: every check has its thresholds the right way around, and a
// sentence that says what to do.
func TestTableOfChecks(t *testing.T) {
	for _, c := range checks {
		if !strings.HasSuffix(c.advice, ".") || c.what == "" {
			t.Errorf("%s: what %q, advice %q", c.name, c.what, c.advice)
		}
		if !math.IsNaN(c.alarm) && (c.below && c.alarm > c.look || !c.below && c.alarm < c.look) {
			t.Errorf("%s: look at %v, alarm at %v", c.name, c.look, c.alarm)
		}
	}
	if strings.Count(CheckTable(), "\n") != len(checks)+2 {
		t.Error(CheckTable())
	}
}

// TestReadmeShowsTheChecks keeps the README's table equal to the one that is checked by.
func TestReadmeShowsTheChecks(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(raw), "<!-- generated: checks of a report -->\n")
	if !ok {
		t.Fatal("docs/report.md has no table of checks")
	}
	if table, _, _ := strings.Cut(rest, "<!-- end -->"); table != CheckTable() {
		t.Errorf("the table of checks in docs/report.md is not that of the program; it should be\n%s", CheckTable())
	}
}
