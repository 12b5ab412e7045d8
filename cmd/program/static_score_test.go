package program

import (
	"maps"
	"path/filepath"
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
