package export

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
)

// sortedLines returns the lines of a text in another order.
func sortedLines(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestConvertedGamesAreThoseOfTheDataset: one line per game, with as many moves as plies,
// in files and as a stream, which has the games in order.
func TestConvertedGamesAreThoseOfTheDataset(t *testing.T) {
	for _, game := range encode.Games() {
		dir, out := datasetOf(t, game, &game.Layouts[0], plan.List), filepath.Join(t.TempDir(), "out")
		w := object[written](t, "convert", "--json", "--format", "moves", "--out", out, dir)
		var files string
		for _, name := range partNames {
			files += string(read(t, filepath.Join(out, name+".jsonl")))
		}
		stream := mustRun(t, "convert", "--quiet", "--format", "moves", "--out", "-", dir)
		if sortedLines(stream) != sortedLines(files) {
			t.Errorf("%s: the stream differs from the files: %s", game.Name, stream)
		}
		info := object[datasets.Info](t, "info", "--json", dir)
		moves := 0
		for i, line := range strings.Split(strings.TrimSuffix(stream, "\n"), "\n") {
			var g struct {
				Game  int
				Moves []string
			}
			if err := json.Unmarshal([]byte(line), &g); err != nil || g.Game != i {
				t.Fatalf("line %d: %v: %s", i, err, line)
			}
			moves += len(g.Moves)
		}
		if uint64(moves) != info.Rows || w.Games != info.Games || w.Rows != 0 {
			t.Errorf("%s: %d moves, printed %+v, want %d moves and %d games", game.Name, moves, w, info.Rows, info.Games)
		}
	}
}
