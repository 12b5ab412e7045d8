package program

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"selfplay/engine"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nnuetest"
)

// writeNetwork writes a small network of random weights for a game and returns its path and
// its SHA-256.
func writeNetwork(t *testing.T, dir, game string, seed uint64) (path, sum string) {
	t.Helper()
	g, err := catalog.Games.Find(game)
	if err != nil {
		t.Fatal(err)
	}
	set := g.New("").(engine.Featured).FeatureSet()
	data := nnuetest.Network{Game: game, Features: set, Hidden: 16, Buckets: 2, Seed: seed, Scale: 200, Name: "test"}.File()
	f, err := nnue.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, game+".safetensors")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path, strings.TrimPrefix(nnue.FormatSum(f.Sum), "sha256:")
}

// TestNetworkDatasets: a dataset of players with networks is the same for any number of
// workers, and it is all that is needed to verify, replay and extend it.
func TestNetworkDatasets(t *testing.T) {
	for _, c := range []struct{ game, first, second string }{
		{"contrast", "ab:nodes=150,hash=1,net=NET,blend=40", "mcts:sims=30,net=NET"},
		{"chess", "ab:depth=1,net=NET", "0.5*greedy:net=NET + 0.5*ab:depth=1"},
		{"cotulenh", "ab:nodes=100,hash=1,net=NET", "ab:depth=1"},
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
				must(t, line(workers, "6", workers, path)...)
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
			must(t, "verify", "--deep", out)
			must(t, "verify", "--regenerate", out)
			must(t, "replay", "--game-index", "3", out)
			mustRefuse(t, selfplay("", line("1", "8", "1", path)...), 2, "no such file; net=sha256:"+sum+" is in "+out)
			must(t, line("1", "8", "1", "sha256:"+sum)...)
			must(t, line("2", "8", "2", "sha256:"+sum)...)
			mustEqual(t, tree(t, out), tree(t, filepath.Join(dir, "2")))
			must(t, "export", "rows", "--quiet", "--layout", "planes", "--out", filepath.Join(dir, "rows"), out)
			must(t, "verify", "--regenerate", filepath.Join(dir, "rows"))
			must(t, "finalize", out)
		})
	}
}

// TestRunRefusesWrongNetworks: before anything is written, with one line.
func TestRunRefusesWrongNetworks(t *testing.T) {
	dir := t.TempDir()
	path, _ := writeNetwork(t, dir, "contrast", 1)
	broken := filepath.Join(dir, "broken")
	os.WriteFile(broken, []byte("no network"), 0o644)
	for _, c := range []struct{ game, player, want string }{
		{"contrast", "ab:net=" + dir + "/missing", "missing: no such file"},
		{"contrast", "ab:net=" + dir, "no regular file"},
		{"contrast", "ab:net=" + broken, "read network: header of"},
		{"chess", "ab:net=" + path, `metadata game is "contrast": want "chess"`},
		{"contrast", "ab:net=sha256:" + strings.Repeat("0", 64), "has no such network: pass its file"},
		{"contrast", "ab:blend=40", "blend: only with net"},
		{"contrast", "ab:net=cotnrast", "no such file; the program has chess-g3, contrast-g3, cotulenh-g4"},
		{"contrast", "mcts:priors=net", "priors=net: want net=FILE, a network with a policy head"},
		{"contrast", "mcts:priors=net,net=" + path, "priors=net: the network has no policy head"},
		{"contrast", "0.5*mcts:sims=9 + 0.5*mcts:priors=net,net=contrast", "priors=net: the network has no policy head"},
		{"chess", "mcts:priors=net", "priors=net: networks of chess rate no moves"},
	} {
		out := filepath.Join(dir, "out")
		o := selfplay("", "run", "--game", c.game, "--games", "2", "--player", c.player, "--out", out)
		mustRefuse(t, o, 2, c.want)
		if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%s: wrote a dataset (%v) or several lines: %s", c.player, err, o.stderr)
		}
	}
}

// TestDamagedNetworks: verify reports a network that is missing or another one, nothing plays
// with it, and the right file in its place restores the dataset.
func TestDamagedNetworks(t *testing.T) {
	dir := t.TempDir()
	path, sum := writeNetwork(t, dir, "contrast", 1)
	out := filepath.Join(dir, "out")
	line := []string{"run", "--quiet", "--game", "contrast", "--games", "4", "--player", "ab:depth=1,net=" + path, "--max-plies", "20", "--out", out}
	byHash := slices.Clone(line)
	byHash[slices.Index(line, "ab:depth=1,net="+path)] = "ab:depth=1,net=sha256:" + sum
	must(t, line...)
	stored, want := filepath.Join(out, "nets", sum+".safetensors"), tree(t, out)
	other, _ := writeNetwork(t, t.TempDir(), "contrast", 2)
	data, _ := os.ReadFile(other)
	os.Remove(stored)
	if o := selfplay("", "verify", out); o.code != 4 || !strings.Contains(o.stdout, "network is missing") {
		t.Errorf("exit code %d: %s", o.code, o.stdout)
	}
	mustRefuse(t, selfplay("", "verify", "--regenerate", out), 2, "network is missing")
	mustAdviseFile(t, out, selfplay("", byHash...), 2)
	os.WriteFile(stored, data, 0o644)
	if o := selfplay("", "verify", out); o.code != 4 || !strings.Contains(o.stdout, "another network: its SHA-256 is") {
		t.Errorf("exit code %d: %s", o.code, o.stdout)
	}
	mustAdviseFile(t, out, selfplay("", line...), 1)
	mustRefuse(t, selfplay("", "replay", "--game-index", "1", out), 2, "another network")
	mustRefuse(t, selfplay("", line...), 1, "another network")
	os.WriteFile(filepath.Join(out, "nets", "note.txt"), nil, 0o644)
	if o := selfplay("", "verify", out); !strings.Contains(o.stdout, "the plan does not name this network") {
		t.Errorf("exit code %d: %s", o.code, o.stdout)
	}
	os.Remove(filepath.Join(out, "nets", "note.txt"))
	os.Remove(stored)
	must(t, line...)
	mustEqual(t, tree(t, out), want)
	must(t, "verify", "--deep", out)
}

// mustAdviseFile checks that a run that was refused, verify and repair say what helps where a network is
// damaged: its file, and not a repair.
func mustAdviseFile(t *testing.T, out string, run outcome, code int) {
	t.Helper()
	for name, c := range map[string]struct {
		outcome
		code int
	}{"run": {run, code}, "verify": {selfplay("", "verify", out), 4}, "repair": {selfplay("", "export", "repair", out), 4}} {
		const advice = "run the command with net=FILE again"
		if c.outcome.code != c.code || !strings.Contains(c.stderr, advice) || strings.Contains(c.stderr, "export repair") ||
			strings.Contains(c.stdout+c.stderr, "nothing to repair") {
			t.Errorf("%s: exit code %d: %s%s", name, c.outcome.code, c.stdout, c.stderr)
		}
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
	must(t, line("whole", path)...)
	os.Remove(path)
	must(t, line("killed", "sha256:"+sum)...)
	mustEqual(t, tree(t, filepath.Join(dir, "killed")), tree(t, filepath.Join(dir, "whole")))
}

// TestNet: net describes a network and compares scores.
func TestNet(t *testing.T) {
	dir := t.TempDir()
	path, sum := writeNetwork(t, dir, "contrast", 1)
	var f netFacts
	if err := json.Unmarshal([]byte(must(t, "net", "--json", path)), &f); err != nil || f.SHA256 != sum || f.Hidden != 16 || f.Buckets != 2 || f.Game != "contrast" {
		t.Errorf("%+v, error %v", f, err)
	}
	if text := must(t, "net", path); !strings.Contains(text, "contrast-cells, version 1: 212 in each view") || !strings.Contains(text, "sha256:"+sum) {
		t.Error(text)
	}
	check := filepath.Join(dir, "check.jsonl")
	score := func(text, want string) string { return `{"position":"` + text + `","score":` + want + "}\n" }
	const start = "3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,3,1,3,1 x"
	for _, c := range []struct {
		text string
		code int
		want string
	}{
		{score(start, "12345"), 1, "1 of 1 lines differ; line 1 has 12345, the network gives "},
		{"", 2, "no lines"},
		{"{}x\n", 2, "line 1: "},
		{score("x", "1"), 2, "line 1: parse position"},
		{score(start, "1.5"), 2, "line 1: "},
	} {
		os.WriteFile(check, []byte(c.text), 0o644)
		mustRefuse(t, selfplay("", "net", "--check", check, path), c.code, c.want)
	}
	mustRefuse(t, selfplay("", "net"), 2, "want one network")
	mustRefuse(t, selfplay("", "net", filepath.Join(dir, "missing")), 2, "no such file")
}

// TestOtherCommandsTakeNetworks: matches, measurements, UCI and rescoring.
func TestOtherCommandsTakeNetworks(t *testing.T) {
	dir := t.TempDir()
	path, sum := writeNetwork(t, dir, "chess", 1)
	text := must(t, "match", "--quiet", "--json", "--game", "chess", "--a", "greedy:net="+path, "--b", "greedy", "--games", "2", "--max-plies", "20")
	if !strings.Contains(text, "greedy:net=sha256:"+sum) {
		t.Error(text)
	}
	o := selfplay("position startpos\ngo depth 2\n", "uci", "--player", "ab:depth=1,net="+path)
	if o.code != 0 || !strings.Contains(o.stdout, "bestmove ") || strings.Contains(o.stdout, "info string") {
		t.Errorf("exit code %d: %s%s", o.code, o.stdout, o.stderr)
	}
	out, again := filepath.Join(dir, "out"), filepath.Join(dir, "again")
	must(t, "run", "--quiet", "--game", "chess", "--games", "2", "--max-plies", "12", "--player", "ab:depth=1", "--out", out)
	must(t, "export", "rescore", "--quiet", "--player", "ab:depth=1,net="+path, "--out", again, out)
	if _, err := os.Stat(filepath.Join(again, "nets", sum+".safetensors")); err != nil {
		t.Error(err)
	}
	must(t, "verify", "--deep", again)
}
