package program

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// TestANewGameNeedsOnlyItsEntry: tic-tac-toe, which has no origins of moves, goes from a
// run to a report although no other package knows it.
func TestANewGameNeedsOnlyItsEntry(t *testing.T) {
	more := workers.Catalog{Games: append(encode.Games(), encodetest.TicTacToe()), Players: catalog.Players}
	mustRun := func(t *testing.T, args ...string) string {
		t.Helper()
		o := selfplayOf(more, "", args...)
		if o.code != 0 {
			t.Fatalf("%q: exit code %d, stderr %s", args, o.code, o.stderr)
		}
		return o.stdout
	}
	mustExport := func(t *testing.T, args ...string) string {
		t.Helper()
		return mustRun(t, append([]string{"export"}, args...)...)
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "set")
	mustRun(t, "run", "--quiet", "--game", "tictactoe", "--preset", "bulk", "--games", "120", "--shard-games", "30", "--validation", "0.25",
		"--columns", "+static_score,+legal,+legal_actions,+hash,+repetitions,+move", "--out", out)

	t.Run("verify", func(t *testing.T) {
		if text := mustExport(t, "verify", "--deep", out); !strings.Contains(text, "120 games") {
			t.Error(text)
		}
	})
	t.Run("stats", func(t *testing.T) {
		var s struct {
			Games   uint64
			Choices map[string]float64
			Endings []struct{ Winner, Reason string }
		}
		text := mustExport(t, "stats", "--exact", "--json", out)
		must.Do(t, json.Unmarshal([]byte(text), &s))
		if _, ok := s.Choices["random"]; s.Games != 120 || !ok {
			t.Error(text)
		}
		for _, e := range s.Endings {
			if e.Winner != "cross" && e.Winner != "nought" && e.Winner != "" || e.Reason != "goal" && e.Reason != "blocked" {
				t.Errorf("%+v", e)
			}
		}
	})
	t.Run("report", func(t *testing.T) {
		page := filepath.Join(dir, "page.html")
		text := mustExport(t, "report", "--json", "--out", page, out)
		raw := must.Get(os.ReadFile(page))(t)
		if html := string(raw); strings.Contains(text, `"from":[`) || strings.Contains(html, "Origins of moves") || !strings.Contains(html, "Destinations of moves") {
			t.Error("a game without origins has a map of origins, or no map of destinations")
		}
		if !strings.Contains(text, `"to":"b2"`) || !strings.Contains(string(raw), "cross wins") {
			t.Error("the report names no cell or no winner")
		}
	})
	t.Run("head, sample and rows", func(t *testing.T) {
		var row struct {
			Board        []int
			LegalActions []int `json:"legal_actions"`
		}
		must.Do(t, json.Unmarshal([]byte(mustExport(t, "head", "--json", "--rows", "1", out)), &row))
		if len(row.Board) != 9 || len(row.LegalActions) != 9 {
			t.Errorf("%+v", row)
		}
		mustExport(t, "sample", "--rows", "50", "--out", filepath.Join(dir, "sample.csv"), out)
		mustExport(t, "rows", "--layout", "planes", "--perspective", "mover", "--out", filepath.Join(dir, "planes"), out)
		mustExport(t, "verify", "--deep", filepath.Join(dir, "planes"))
	})
	t.Run("selfplay commands", func(t *testing.T) {
		if text := mustRun(t, "games", "--names"); !strings.HasSuffix(text, "tictactoe\n") {
			t.Error(text)
		}
		for _, args := range [][]string{
			{"moves", "--game", "tictactoe"}, {"perft", "--game", "tictactoe", "--depth", "4"}, {"players", "--game", "tictactoe"}, {"presets", "--game", "tictactoe"},
			{"match", "--game", "tictactoe", "--a", "greedy", "--b", "random", "--games", "10", "--opening-plies", "1"},
		} {
			mustRun(t, args...)
		}
	})
}

// raised is a position whose static score is one unit higher.
type raised struct{ engine.Evaluator }

func (r raised) Evaluate() int { return r.Evaluator.Evaluate() + 1 }

// TestAChangedStaticScoreIsRefused before anything is written, where players or rows depend on it.
func TestAChangedStaticScoreIsRefused(t *testing.T) {
	game := encodetest.TicTacToe()
	before := workers.Catalog{Games: encode.Catalog{game}, Players: catalog.Players}
	original := game.New
	game.New = func(variant string) engine.Position { return raised{original(variant).(engine.Evaluator)} }
	after := workers.Catalog{Games: encode.Catalog{game}, Players: catalog.Players}

	plain, column := filepath.Join(t.TempDir(), "plain"), filepath.Join(t.TempDir(), "column")
	run := func(c workers.Catalog, games string) outcome {
		return selfplayOf(c, "", "run", "--quiet", "--game", "tictactoe", "--player", "ab:depth=2", "--opening-plies", "1", "--shard-games", "2", "--games", games, "--out", plain)
	}
	if o := run(before, "2"); o.code != 0 {
		t.Fatal(o.stderr)
	}
	if o := selfplayOf(before, "", "export", "rows", "--quiet", "--columns", "+static_score", "--out", column, plain); o.code != 0 {
		t.Fatal(o.stderr)
	}
	want := []map[string]string{tree(t, plain), tree(t, column)}

	mustRefuse(t, run(after, "4"), app.PlanMismatch, "static score of fixed positions: fingerprint ")
	mustRefuse(t, selfplayOf(after, "", "verify", "--regenerate", plain), app.BadUsage, "another static score of tictactoe played the games")
	mustRefuse(t, selfplayOf(after, "", "verify", "--deep", column), app.BadUsage, "the rows depend on another static score: fingerprint ")
	must.Get(rows.OfDataset(after.Games, must.Get(datasets.Open(plain))(t)))(t) // without the column the rows can be checked
	if !maps.Equal(want[0], tree(t, plain)) || !maps.Equal(want[1], tree(t, column)) {
		t.Error("a refused command has changed the dataset")
	}
	if o := run(before, "4"); o.code != 0 {
		t.Error(o.stderr)
	}
}
