package program

import (
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/workers"
)

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
	fewGames = map[string]int{"bulk": 120, "balanced": 4, "strong": 2}
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
			Checks []struct{ Check, State, Why string }
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
	text := mustRun(t, "export", "report", "--quiet", "--json", out)
	if err := json.Unmarshal([]byte(text), &r); err != nil || len(r.Datasets) != 1 || len(r.Datasets[0].Checks) == 0 {
		t.Fatalf("%v: %s", err, text)
	}
	d := r.Datasets[0]
	for _, c := range d.Checks {
		if c.State == "alarm" {
			t.Errorf("the check %s is an alarm: %+v", c.Check, c)
		}
	}
	if s := d.Stats.Scores; s.Model == nil || games >= bulkOf["cotulenh"] && s.Loss >= s.ConstantLoss {
		t.Errorf("model %+v: log loss %f, without scores %f", s.Model, s.Loss, s.ConstantLoss)
	}
}
