package program

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/internal/must"
	"selfplay/workers"
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

const units = repository + "/deploy/systemd"

// settings returns the values of a setting in a unit.
func settings(t *testing.T, unit, name string) (values []string) {
	t.Helper()
	raw := must.Get(os.ReadFile(filepath.Join(units, unit)))(t)
	for line := range strings.Lines(string(raw)) {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			values = append(values, strings.TrimSpace(value))
		}
	}
	return values
}

// TestServiceWaitsLongerThanTheGrace: otherwise systemd kills a run that is stopping.
func TestServiceWaitsLongerThanTheGrace(t *testing.T) {
	var grace time.Duration
	for _, f := range stopFlags() {
		if d, ok := f.(*cli.DurationFlag); ok && d.Name == "grace" {
			grace = d.Value
		}
	}
	wait, err := strconv.Atoi(settings(t, "selfplay@.service", "TimeoutStopSec")[0])
	if err != nil || grace == 0 || time.Duration(wait)*time.Second < 2*grace {
		t.Errorf("waits %d s for a grace of %v, %v", wait, grace, err)
	}
	if code := settings(t, "selfplay@.service", "SuccessExitStatus"); !slices.Equal(code, []string{strconv.Itoa(exitStopped)}) {
		t.Errorf("success is %q, want %d", code, exitStopped)
	}
}

// TestServiceRunsAndVerifies runs the commands of the service on a small dataset, with its
// parameters file.
func TestServiceRunsAndVerifies(t *testing.T) {
	dir := t.TempDir()
	lines := settings(t, "selfplay@.service", "ExecStart")
	if len(lines) != 2 {
		t.Fatalf("commands %q", lines)
	}
	raw := must.Get(os.ReadFile(filepath.Join(units, "night.yaml")))(t)
	config := filepath.Join(dir, "night.yaml")
	few := strings.NewReplacer("200k", "4", "balanced", "bulk").Replace(string(raw)) + "shard-games: 2\n"
	must.Do(t, os.WriteFile(config, []byte(few), 0o644))
	paths := strings.NewReplacer("/etc/selfplay/%i.yaml", config, "%S/selfplay/%i", filepath.Join(dir, "night"))
	for _, line := range lines {
		words := strings.Fields(line)
		for i := range words {
			words[i] = paths.Replace(words[i])
		}
		if words[0] != "/usr/local/bin/selfplay" {
			t.Errorf("program %s", words[0])
		}
		mustRun(t, words[1:]...)
	}
}

// TestUnitsPassTheCheckOfSystemd: the program may be at another place on this machine.
func TestUnitsPassTheCheckOfSystemd(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze")
	}
	program := must.Get(os.Executable())(t)
	dir := t.TempDir()
	args := []string{"verify", "--man=no"}
	for _, name := range []string{"selfplay@.service", "selfplay@.timer"} {
		raw := must.Get(os.ReadFile(filepath.Join(units, name)))(t)
		text := strings.ReplaceAll(string(raw), "/usr/local/bin/selfplay", program)
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		args = append(args, filepath.Join(dir, strings.Replace(name, "@", "@night", 1)))
	}
	if out, err := exec.Command(analyze, args...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPresetsOnlySetFlags: a preset and its flags make the same bytes, and no file contains
// the name of the preset. So a preset may change without a new version.
func TestPresetsOnlySetFlags(t *testing.T) {
	for _, game := range encode.Games() {
		for _, p := range game.Presets {
			t.Run(game.Name+" "+p.Name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				run := func(name string, flags ...string) map[string]string {
					out := filepath.Join(dir, name)
					args := []string{"run", "--quiet", "--game", game.Name, "--games", "2", "--max-plies", "14", "--out", out}
					mustApart(t, append(args, flags...)...)
					return tree(t, out)
				}
				named := run("named", "--preset", p.Name)
				mustEqual(t, run("flags", strings.Fields(p.Flags)...), named)
				for name, text := range named {
					if strings.Contains(text, p.Name) {
						t.Errorf("%s contains the name of the preset", name)
					}
				}
			})
		}
	}
}

// TestWithoutPresetsMovesAreRandom: a game of another module may have none. The run says it.
func TestWithoutPresetsMovesAreRandom(t *testing.T) {
	game := encodetest.TicTacToe()
	game.Presets = nil
	c := workers.Catalog{Games: encode.Catalog{game}, Players: catalog.Players}
	const why = "no --player, and the game has no preset bulk"
	o := selfplayOf(c, "", "run", "--game", "tictactoe", "--games", "2", "--out", filepath.Join(t.TempDir(), "out"))
	if o.code != 0 || !strings.Contains(o.stdout, "random: "+why) || !strings.Contains(o.stderr, `why="`+why+`" name=random`) {
		t.Errorf("exit code %d, stderr %s, stdout\n%s", o.code, o.stderr, o.stdout)
	}
}

// presetGames is the number of games of each preset: see make long.
var presetGames = flag.Int("presets", 0, "hold `N` games of every preset to their report; 0 takes few of the slow ones")

// Numbers of games of a quick test. Those of bulk are enough for the checks of openings, and
// to compare a model with no scores; in Contrast scores say least.
var (
	fewGames = map[string]int{"bulk": 120, "balanced": 2, "strong": 1}
	bulkOf   = map[string]int{"contrast": 1000, "cotulenh": 40} // a game of CoTuLenh has more plies
)

// TestPresetsPassTheirReport: no check of the report of a preset's games is an alarm, and
// its scores are worth more with the model of the files than without scores.
func TestPresetsPassTheirReport(t *testing.T) {
	for _, game := range encode.Games() {
		for _, p := range game.Presets {
			t.Run(game.Name+" "+p.Name, func(t *testing.T) {
				games := fewGames[p.Name]
				if n, other := bulkOf[game.Name]; other && p.Name == "bulk" {
					games = n
				}
				games = max(games, *presetGames)
				switch {
				case *presetGames > 0:
				case p.Name != "bulk" && (testing.Short() || watched):
					t.Skip("searches for seconds")
				}
				holdToReport(t, game.Name, p.Name, games)
			})
		}
	}
}

// holdToReport makes a dataset of a preset and checks its report.
func holdToReport(t *testing.T, game, preset string, games int) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, "run", "--quiet", "--game", game, "--preset", preset, "--games", fmt.Sprint(games), "--shard-games", fmt.Sprint((games+5)/6),
		"--seed", "77", "--out", out)
	var r struct {
		Datasets []struct {
			Checks []struct{ Check, Level, Why string }
			Stats  struct {
				Games  int
				Scores struct {
					Model        *encode.WDL
					Loss         float64 `json:"log_loss"`
					ConstantLoss float64 `json:"log_loss_constant"`
				}
			}
		}
	}
	text := mustRun(t, "report", "--quiet", "--json", out)
	if err := json.Unmarshal([]byte(text), &r); err != nil || len(r.Datasets) != 1 || len(r.Datasets[0].Checks) == 0 {
		t.Fatalf("%v: %s", err, text)
	}
	d := r.Datasets[0]
	for _, c := range d.Checks {
		if c.Level == "" || c.Level == "alarm" {
			t.Errorf("the check %s: %+v", c.Check, c)
		}
	}
	if s := d.Stats.Scores; s.Model == nil || games >= bulkOf["cotulenh"] && s.Loss >= s.ConstantLoss {
		t.Errorf("model %+v: log loss %f, without scores %f", s.Model, s.Loss, s.ConstantLoss)
	}
}
