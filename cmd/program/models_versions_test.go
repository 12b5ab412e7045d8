package program

import (
	"path/filepath"
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
	entry := games[2]
	versions := modelsOf3000(entry)
	if len(versions) != 2 || entry.Name != "contrast" {
		t.Fatalf("%s has the models %v, want two versions", entry.Name, versions)
	}
	games[2].Models = []encode.Model{versions[1]}
	first := run(games, "1")
	if first.Version != 1 {
		t.Fatalf("the dataset began with %+v", first)
	}
	if after := run(encode.Games(), "2"); *after != *first {
		t.Errorf("%+v became %+v", first, after)
	}
}

// modelsOf3000 returns the models of games of 3,000 nodes, the current version first.
func modelsOf3000(g encode.Game) (list []encode.Model) {
	for _, m := range g.Models {
		if m.Games == (encode.SearchedGames{Nodes: 3000}) {
			list = append(list, m)
		}
	}
	return list
}
