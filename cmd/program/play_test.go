package program

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
)

// TestFilesExplainScores: if a model is fitted to such games, the plan and every file hold
// it; otherwise none does.
func TestFilesExplainScores(t *testing.T) {
	for _, game := range encode.Games() {
		for flags, want := range map[string]bool{
			"--player ab:depth=3,net=none": true, "--player ab:depth=3,hash=1,multi=2,net=none": true, "--player random": false, "--player greedy": false,
			"--player 0.9*random+0.1*ab:depth=3,net=none": false, "--player-first ab:depth=3,net=none --player-second ab:depth=2,net=none": false,
			"--player ab:depth=3,nodes=9,net=none": false, "--player ab:depth=3,net=none --explore-moves 1": false, "--player ab:depth=3,net=none --adjudicate-win 500,2": false,
			"--player ab:depth=3,net=none --adjudicate-draw 5,6,7": false, "--player ab:depth=3,multi=2,temp=50,net=none": false,
		} {
			out := filepath.Join(t.TempDir(), "out")
			mustRun(t, append([]string{"run", "--quiet", "--game", game.Name, "--games", "1", "--max-plies", "12", "--out", out}, strings.Fields(flags)...)...)
			reference := game.ReferenceModel().Metadata()
			model := must.Get(json.Marshal(reference.Value))(t)
			for name, text := range tree(t, out) {
				explained := strings.Contains(text, `1/(1+exp((a-score)/b))`)
				if name == "plan.json" {
					explained = strings.Contains(text, string(model))
				}
				if explained != want && (name == "plan.json" || strings.HasSuffix(name, ".parquet")) {
					t.Errorf("%s of %s: %s explains scores: %t", flags, game.Name, name, explained)
				}
			}
		}
	}
}
