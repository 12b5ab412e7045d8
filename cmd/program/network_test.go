package program

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"selfplay/engine"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nnuetest"
	"selfplay/internal/must"
)

// writeNetwork writes a small network of random weights for a game and returns its path and
// its SHA-256.
func writeNetwork(t *testing.T, dir, game string, seed uint64) (path, sum string) {
	t.Helper()
	g := must.Get(catalog.Games.Find(game))(t)
	set := g.New("").(engine.Featured).FeatureSet()
	data := nnuetest.Network{Game: game, Features: set, Hidden: 16, Buckets: 2, Seed: seed, Scale: 200, Name: "test"}.File()
	f := must.Get(nnue.ReadFile(data))(t)
	path = filepath.Join(dir, game+".safetensors")
	must.Do(t, os.WriteFile(path, data, 0o644))
	return path, strings.TrimPrefix(nnue.FormatSum(f.Sum), "sha256:")
}

// TestNetworkDatasets: a dataset of players with networks is the same for any number of
// workers, and it is all that is needed to verify, replay and extend it.
func TestNetworkDatasets(t *testing.T) {
	for _, c := range []struct{ game, first, second string }{
		{"contrast", "ab:nodes=150,hash=1,net=NET,blend=40", "mcts:sims=30,net=NET"},
		{"chess", "ab:depth=1,net=NET", "0.5*greedy:net=NET + 0.5*ab:depth=1,net=none"},
		{"cotulenh", "ab:nodes=100,hash=1,net=NET", "ab:depth=1,net=none"},
	} {
		t.Run(c.game, func(t *testing.T) {
			dir := t.TempDir()
			path, sum := writeNetwork(t, dir, c.game, 1)
			line := func(out, games, workers, net string) []string {
				return []string{"run", "--quiet", "--game", c.game, "--games", games, "--shard-games", "2", "--max-plies", "40",
					"--player-first", strings.ReplaceAll(c.first, "NET", net), "--player-second", strings.ReplaceAll(c.second, "NET", net),
					"--workers", workers, "--out", filepath.Join(dir, out)}
			}
			for _, workers := range []string{"1", "2", "7"} {
				mustRun(t, line(workers, "6", workers, path)...)
			}
			want := tree(t, filepath.Join(dir, "1"))
			mustEqual(t, tree(t, filepath.Join(dir, "2")), want)
			mustEqual(t, tree(t, filepath.Join(dir, "7")), want)
			if data, _ := os.ReadFile(path); want["nets/"+sum+".safetensors"] != string(data) {
				t.Fatalf("the network is not in the dataset")
			}
			for _, name := range []string{"manifest.json", "README.md", "plan.json"} {
				if !strings.Contains(want[name], sum) {
					t.Errorf("%s does not name the network", name)
				}
			}
			os.Rename(path, path+".away")
			out := filepath.Join(dir, "1")
			mustRun(t, "verify", "--deep", out)
			mustRun(t, "verify", "--regenerate", out)
			mustRun(t, "replay", "--game-index", "3", out)
			mustRefuse(t, selfplay("", line("1", "8", "1", path)...), 2, "no such file; net=sha256:"+sum+" is in "+out)
			mustRun(t, line("1", "8", "1", "sha256:"+sum)...)
			mustRun(t, line("2", "8", "2", "sha256:"+sum)...)
			mustEqual(t, tree(t, out), tree(t, filepath.Join(dir, "2")))
			mustRun(t, "export", "rows", "--quiet", "--layout", "planes", "--out", filepath.Join(dir, "rows"), out)
			mustRun(t, "verify", "--regenerate", filepath.Join(dir, "rows"))
			mustRun(t, "finalize", out)
		})
	}
}

// TestNetworkRunsSurviveKills: the dataset has the network from the first shard on, and a run
// that was killed goes on with it.
func TestNetworkRunsSurviveKills(t *testing.T) {
	dir := t.TempDir()
	path, sum := writeNetwork(t, dir, "contrast", 1)
	line := func(out, net string) []string {
		return []string{"run", "--quiet", "--game", "contrast", "--games", "60", "--shard-games", "4", "--player", "ab:nodes=300,hash=1,net=" + net, "--out", filepath.Join(dir, out)}
	}
	process, stderr := start(t, line("killed", path)...)
	waitForShards(t, filepath.Join(dir, "killed"), 2)
	process.Process.Signal(syscall.SIGKILL)
	if err := (*exec.ExitError)(nil); !errors.As(process.Wait(), &err) {
		t.Log(stderr)
	}
	mustRun(t, line("whole", path)...)
	os.Remove(path)
	mustRun(t, line("killed", "sha256:"+sum)...)
	mustEqual(t, tree(t, filepath.Join(dir, "killed")), tree(t, filepath.Join(dir, "whole")))
}

// TestPlayersOfNoDatasetTakeNetworks: those of matches and of UCI.
func TestPlayersOfNoDatasetTakeNetworks(t *testing.T) {
	path, sum := writeNetwork(t, t.TempDir(), "chess", 1)
	text := mustRun(t, "match", "--quiet", "--json", "--game", "chess", "--a", "greedy:net="+path, "--b", "greedy", "--games", "2", "--max-plies", "20")
	if !strings.Contains(text, "greedy:net=sha256:"+sum) {
		t.Error(text)
	}
	o := selfplay("position startpos\ngo depth 2\n", "uci", "--player", "ab:depth=1,net="+path)
	if o.code != 0 || !strings.Contains(o.stdout, "bestmove ") || strings.Contains(o.stdout, "info string") {
		t.Errorf("exit code %d: %s%s", o.code, o.stdout, o.stderr)
	}
}
