package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"selfplay/cmd/internal/replay"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/stats"
	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/internal/must"
)

// TestChartLibraryIsUnchanged: dist/chart.umd.min.js of the npm package chart.js 4.5.1.
func TestChartLibraryIsUnchanged(t *testing.T) {
	const want = "48444a82d4edcb5bec0f1965faacdde18d9c17db3063d042abada2f705c9f54a"
	if sum := sha256.Sum256([]byte(chartLibrary)); hex.EncodeToString(sum[:]) != want {
		t.Errorf("SHA-256 %x, want %s", sum, want)
	}
}

// pageOf returns the page of invented datasets of chess.
func pageOf(t *testing.T, list ...*Dataset) string {
	t.Helper()
	g := encode.Chess()
	r := &Report{Game: g.Name, Title: g.Title, Sides: g.Sides, game: &g}
	for _, d := range list {
		d.Checks = d.check()
		none := make([]uint64, 64)
		d.Heat = Heat{From: none, To: none, Sides: Occupancy{Name: "all", First: none, Second: none}}
		r.Datasets = append(r.Datasets, *d)
	}
	var b strings.Builder
	must.Do(t, r.HTML(&b))
	return b.String()
}

// TestTextsOfDatasetsAreEscaped everywhere on the page.
func TestTextsOfDatasetsAreEscaped(t *testing.T) {
	const foreign = `</script><script>alert('x')</script><img src=x onerror=alert(1)>"'&`
	d := sound()
	d.Name, d.About = foreign, plan.About{Title: foreign, Creator: foreign, Licence: foreign}
	d.Plan.Players = [2]plan.Player{{Spec: foreign}, {Spec: foreign}}
	d.Plan.Play, d.Plan.Variant, d.Plan.Layout = []string{foreign}, foreign, foreign
	d.Info.Dropped = []record.Dropped{{Filter: foreign, Rows: 1}}
	d.Stats.Trees = []stats.Tree{{Start: foreign, Next: []stats.Branch{{Move: foreign}}}}
	d.Shown = []Shown{{Turn: foreign, Position: foreign, Codes: make([]int, 64)}}
	d.Games = []Game{{
		Choices: []string{SurprisingGame}, Players: [2]string{foreign, "random"}, Start: foreign, Plies: 2, Reason: foreign,
		Missed: &Missed{Side: foreign}, played: &replay.Game{
			Record: &engine.Record{Start: foreign, Outcome: engine.Outcome{Result: engine.Draw}}, Cells: make([]int, 64),
			Steps: []replay.Step{{Move: foreign, Best: foreign, Searched: true}, {Move: foreign, Searched: true}},
		},
	}}
	d.Actions = []stats.Action{{From: foreign, To: foreign, Kind: foreign, Share: 0.5}}
	d.Stats.Endings[0].Reason = foreign
	for _, list := range [][]*Dataset{{d}, {d, sound()}} {
		text := pageOf(t, list...)
		if strings.Contains(text, "<img") || strings.Contains(text, "<script>alert") || strings.Count(text, "<script") != 6 {
			t.Errorf("%d datasets: a text is not escaped", len(list))
		}
		if strings.Count(text, "alert(1)") < 20 {
			t.Errorf("%d datasets: the text is missing", len(list))
		}
	}
}

// TestPageLoadsNothing: it has no links, and its policy allows scripts only by hash.
func TestPageLoadsNothing(t *testing.T) {
	text := pageOf(t, sound())
	for _, loads := range []string{" src=", "<link", "@import", "url(", "sourceMappingURL", "fetch(", "XMLHttpRequest"} {
		if strings.Contains(text, loads) {
			t.Errorf("the page contains %q", loads)
		}
	}
	if !strings.Contains(text, "default-src &#39;none&#39;; style-src &#39;sha256-") || strings.Contains(text, "unsafe") {
		t.Error("the content security policy differs")
	}
}

// TestWhatOneOfTwoHasNotMeasuredIsNotOK.
func TestWhatOneOfTwoHasNotMeasuredIsNotOK(t *testing.T) {
	random := sound()
	random.Stats.Scores = nil
	text := pageOf(t, sound(), random)
	if !strings.Contains(text, `>13 ok</span> <span class="badge none">2 not measured</span>`) {
		t.Error("a check counts as ok though one dataset lacks it")
	}
}

func TestEqualReportsGiveEqualPages(t *testing.T) {
	page := func() string {
		g, d := encode.Chess(), sound()
		d.Games = []Game{mustReplay(t, &g, encodetest.Knights(t, 40))}
		d.Games[0].Choices = []string{FirstGame, LongestGame}
		return pageOf(t, d, sound())
	}
	if page() != page() {
		t.Error("two pages of equal reports differ")
	}
}

// TestEmptyDatasetsOfEveryGameHaveAPage: also of a game whose moves have no origin.
func TestEmptyDatasetsOfEveryGameHaveAPage(t *testing.T) {
	for _, g := range append(encode.Games(), encodetest.TicTacToe()) {
		c := stats.New(g, "", nil, 1)
		d := Dataset{Name: "empty", Stats: c.Summary(c.Scale()), Heat: heatOf(&g, c)}
		d.Checks = d.check()
		r := &Report{Game: g.Name, Title: g.Title, Sides: g.Sides, Datasets: []Dataset{d}, game: &g}
		if err := r.HTML(new(strings.Builder)); err != nil {
			t.Errorf("%s: %v", g.Name, err)
		}
	}
}

func TestMissingPointsAreNull(t *testing.T) {
	b, err := json.Marshal(points{0, math.NaN(), 1.0 / 3, 120000, 1})
	if err != nil || string(b) != "[0,null,0.33333,1.2e+05,1]" {
		t.Errorf("%s, %v", b, err)
	}
}

func TestNumbersAreFormatted(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{perRow(0), "-"}, {perRow(2.5), "2.5 B"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
