package export

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"selfplay/cmd/internal/cmdtest"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/must"
)

// programs are those of transcripts.
var programs = map[string]cmdtest.Program{
	"export": func(args ...string) cmdtest.Outcome {
		o := export(args...)
		return cmdtest.Outcome{Code: o.code, Stdout: o.stdout, Stderr: o.stderr}
	},
}

// TestTranscripts runs commands on datasets of random games.
func TestTranscripts(t *testing.T) {
	busy := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer busy.Close()
	game, sets := encode.Games()[0], t.TempDir()
	for name, made := range map[string]string{
		"set":    dataset(t, plan.List),
		"packed": dataset(t, plan.Packed),
		"planes": datasetOf(t, game, &game.Layouts[1], plan.List),
		"a":      playedWith(t, game, 1, 334),
		"b":      playedWith(t, game, 2, 334),
		"same":   playedWith(t, game, 1, 500), // the games of a
		"train":  playedWith(t, game, 3, 0),
		"other":  playedWith(t, encode.Games()[1], 4, 334),
		"scored": searchedDataset(t, "chess", "greedy", 20, nil),
	} {
		os.Rename(made, filepath.Join(sets, name))
	}
	contrastGames(t, filepath.Join(sets, "small"), plan.Parquet, plan.List, 6, 30)
	contrastGames(t, filepath.Join(sets, "one"), plan.Parquet, plan.List, 2, 6) // shard
	cmdtest.Transcripts(t, "testdata/transcripts/*.txt", programs, func(t *testing.T, dir string) map[string]string {
		must.Do(t, os.CopyFS(dir, os.DirFS(sets)))
		return map[string]string{"BUSY": busy.Addr().String()}
	})
}

// tree returns the files of a dataset that its readers see.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	return cmdtest.Tree(t, dir)
}

// mustEqual compares two folders byte for byte.
func mustEqual(t *testing.T, got, want map[string]string) {
	t.Helper()
	cmdtest.MustEqual(t, got, want)
}
