package program

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"selfplay/cmd/internal/human"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

var (
	demoCommand = regexp.MustCompile(`(?m)^go run \./cmd/selfplay run (.*)$`)
	demoTotals  = regexp.MustCompile(`(?m)^(games|rows|plan) +(\S+)`)
	demoEnding  = regexp.MustCompile(`(?m)^(\S.*\S) +([0-9,]+) games?, [0-9.]+ %$`)
)

// TestPicturesOfTheReadmeAreItsDemo: the pictures show the numbers that the README's first command
// prints today. demo.txt has what it printed and, after an empty line, what the pictures say.
func TestPicturesOfTheReadmeAreItsDemo(t *testing.T) {
	readme := string(must.Get(os.ReadFile(filepath.Join(repository, "README.md")))(t))
	demo := string(must.Get(os.ReadFile(filepath.Join(repository, "examples/pictures/demo.txt")))(t))
	printed, pictured, _ := strings.Cut(demo, "\n\n")
	totals := map[string]string{}
	for _, m := range demoTotals.FindAllStringSubmatch(printed, -1) {
		totals[m[1]] = m[2]
	}
	command := demoCommand.FindStringSubmatch(readme)
	games, rows := demoNumber(t, totals["games"]), demoNumber(t, totals["rows"])
	draws, endings := 0, 0
	for _, m := range demoEnding.FindAllStringSubmatch(printed, -1) {
		n := demoNumber(t, m[2])
		endings += n
		if strings.HasPrefix(m[1], "draw") {
			draws += n
		}
		demoHas(t, "share of an ending", pictured, "\n"+m[1]+": "+human.Percent(float64(n)/float64(games))+"\n")
	}
	if endings != games {
		t.Errorf("%d games ended, of %d", endings, games)
	}
	j := jobOf(t, command[1])
	_, hash, err := plan.Complete(j.plan, j.shape.Description())
	if err != nil || !strings.HasPrefix(hash, totals["plan"]) {
		t.Errorf("the plan is %s now, %v: run make pictures", hash, err)
	}
	demoHas(t, "command", demo, "$ "+command[0]+"\n")
	demoHas(t, "number of rows", pictured, " of "+totals["rows"]+" rows\n")
	demoHas(t, "share of draws", pictured, "\ndrawn games: "+human.Percent(float64(draws)/float64(games))+" of "+totals["games"]+" games\n")
	demoHas(t, "decisive games", pictured, " of "+human.Number(games-draws)+" decisive games\n")
	demoHas(t, "sentence of the README", readme, "\nplays "+totals["games"]+" searched games, "+human.Number((rows+500)/1000*1000)+" positions,")
}

// demoHas checks that a text has a part.
func demoHas(t *testing.T, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s: no %q: run make pictures, and let the README say what demo.txt says", what, part)
	}
}

// demoNumber reads a number with commas between thousands.
func demoNumber(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
