package program

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
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
