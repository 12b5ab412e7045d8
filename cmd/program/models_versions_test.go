package program

import (
	"path/filepath"
	"slices"
	"testing"

	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/internal/must"
	"selfplay/workers"
)

// TestADatasetKeepsItsModelOfScores: it can be extended after the model has got another version.
func TestADatasetKeepsItsModelOfScores(t *testing.T) {
	out := filepath.Join(t.TempDir(), "data")
	run := func(games encode.Catalog, n string) *encode.WDL {
		t.Helper()
		o := selfplayOf(workers.Catalog{Games: games, Players: catalog.Players}, "", "run", "--quiet", "--game", "contrast",
			"--player", "ab:nodes=3000,hash=1,hard=80000", "--max-plies", "14", "--shard-games", "1", "--games", n, "--out", out)
		if o.code != 0 {
			t.Fatal(o.stderr)
		}
		return encode.ReadWDL(must.Get(datasets.Open(out))(t).Description().Metadata)
	}
	games := encode.Games()
	for i := range games {
		games[i].Models = slices.DeleteFunc(games[i].Models, func(m encode.Model) bool { return m.Version > 1 })
	}
	first := run(games, "1")
	if now := run(encode.Games(), "2"); first.Version != 1 || *now != *first {
		t.Errorf("%+v became %+v, want version 1 in both", first, now)
	}
}
