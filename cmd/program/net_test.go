package program

import (
	"encoding/json"
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

// writePolicy writes a small network with a policy head for a game, and returns its path and the
// line of a check file for the start of a game.
func writePolicy(t *testing.T, dir, game string) (path string, line netLine) {
	t.Helper()
	g := must.Get(catalog.Games.Find(game))(t)
	p := g.New("").(engine.Featured)
	data := nnuetest.Network{Game: g.Name, Features: p.FeatureSet(), Hidden: 16, Buckets: 1, Seed: 1, Scale: 200, Policy: true}.File()
	path = filepath.Join(dir, "policy.safetensors")
	must.Do(t, os.WriteFile(path, data, 0o644))
	_, n, err := readNet(catalog.Games, data)
	must.Do(t, err)
	s, moves := nnue.NewScorer(n, 0), p.Moves(nil)
	s.Begin(p)
	score := s.Score()
	line = netLine{Position: p.String(), Score: &score, Logits: s.AppendLogits(nil, moves)}
	for _, m := range moves {
		line.Actions = append(line.Actions, g.Actions.Number(m))
	}
	return path, line
}

// TestNetChecksLogits: the logits of all legal moves are compared, and nothing else will do.
func TestNetChecksLogits(t *testing.T) {
	dir := t.TempDir()
	path, right := writePolicy(t, dir, "contrast")
	other, _ := writeNetwork(t, dir, "contrast", 1)
	check := filepath.Join(dir, "check.jsonl")
	write := func(change func(*netLine)) {
		l := right
		l.Actions, l.Logits = append([]uint16(nil), right.Actions...), append([]int32(nil), right.Logits...)
		change(&l)
		text := must.Get(json.Marshal(l))(t)
		os.WriteFile(check, append(text, '\n'), 0o644)
	}
	write(func(*netLine) {})
	if text := mustRun(t, "net", "--check", check, path); !strings.Contains(text, "1,900 parts of moves") || !strings.Contains(text, "1 score and the logits of 1 position, all equal") {
		t.Error(text)
	}
	for _, c := range []struct {
		change func(*netLine)
		code   int
		want   string
	}{
		{func(l *netLine) { l.Logits[3]++ }, 1, "1 of 1 lines differ; line 1 has logit "},
		{func(l *netLine) { l.Actions[3] = 31874 }, 1, "(listed: false), the network gives "},
		{func(l *netLine) { l.Actions, l.Logits = l.Actions[1:], l.Logits[1:] }, 1, "are legal"},
		{func(l *netLine) { l.Logits = l.Logits[1:] }, 2, "actions and"},
	} {
		write(c.change)
		mustRefuse(t, selfplay("", "net", "--check", check, path), c.code, c.want)
	}
	write(func(l *netLine) {})
	data, _ := os.ReadFile(check)
	os.WriteFile(check, []byte(strings.Replace(string(data), `"score":`, `"score":0,"x":`, 1)), 0o644)
	mustRefuse(t, selfplay("", "net", "--check", check, path), 2, "line 1: ")
	write(func(l *netLine) { l.Score = nil })
	mustRefuse(t, selfplay("", "net", "--check", check, path), 2, `line 1: no member "score"`)
	write(func(l *netLine) { l.Score = scoreOfStart(t, other) })
	mustRefuse(t, selfplay("", "net", "--check", check, other), 2, "the network has no policy head")
}

// scoreOfStart returns the score of a network for the start of a game of contrast.
func scoreOfStart(t *testing.T, path string) *int {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	game, n, err := readNet(catalog.Games, data)
	must.Do(t, err)
	s := nnue.NewScorer(n, 0)
	s.Begin(game.New("").(engine.Featured))
	score := s.Score()
	return &score
}

// TestPolicyDatasets: a dataset of players with priors=net is the same for any number of workers,
// and it is all that is needed to play its games again.
func TestPolicyDatasets(t *testing.T) {
	dir := t.TempDir()
	path, _ := writePolicy(t, dir, "contrast")
	for _, workers := range []string{"1", "3"} {
		mustRun(t, "run", "--quiet", "--game", "contrast", "--games", "4", "--shard-games", "2", "--max-plies", "40", "--workers", workers,
			"--player", "mcts:sims=30,priors=net,temp=1,noise=0.25,net="+path, "--out", filepath.Join(dir, workers))
	}
	mustEqual(t, tree(t, filepath.Join(dir, "1")), tree(t, filepath.Join(dir, "3")))
	os.Remove(path)
	mustRun(t, "verify", "--regenerate", filepath.Join(dir, "1"))
}

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
			mustRun(t, "rows", "--quiet", "--layout", "planes", "--out", filepath.Join(dir, "rows"), out)
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
