package program

import (
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"testing"

	"selfplay/encode"
)

// presetGames is the number of games of each preset: see make long.
var presetGames = flag.Int("presets", 0, "hold `N` games of every preset to their report; 0 takes few of the slow ones")

// Numbers of games of a quick test. Those of bulk are enough for the checks of openings, and
// to compare a model with no scores; in Contrast scores say least.
var (
	fewGames = map[string]int{"bulk": 120, "balanced": 8, "strong": 2}
	moreBulk = map[string]int{"contrast": 1000}
)

// TestPresetsPassTheirReport: no check of the report of a preset's games is an alarm, and
// its scores are worth more with the model of the files than without scores.
func TestPresetsPassTheirReport(t *testing.T) {
	for _, game := range encode.Games() {
		for _, p := range game.Presets {
			t.Run(game.Name+" "+p.Name, func(t *testing.T) {
				games := max(*presetGames, fewGames[p.Name])
				if p.Name == "bulk" {
					games = max(games, moreBulk[game.Name])
				}
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
	if s := d.Stats.Scores; s.Model == nil || games >= fewGames["bulk"] && s.Loss >= s.ConstantLoss {
		t.Errorf("model %+v: log loss %f, without scores %f", s.Model, s.Loss, s.ConstantLoss)
	}
}
