package program

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
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
	line = netLine{Position: p.String(), Score: s.Score(), Logits: s.AppendLogits(nil, moves)}
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
	write(func(l *netLine) { l.Score = scoreOfStart(t, other) })
	mustRefuse(t, selfplay("", "net", "--check", check, other), 2, "the network has no policy head")
}

// scoreOfStart returns the score of a network for the start of a game of contrast.
func scoreOfStart(t *testing.T, path string) int {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	game, n, err := readNet(catalog.Games, data)
	must.Do(t, err)
	s := nnue.NewScorer(n, 0)
	s.Begin(game.New("").(engine.Featured))
	return s.Score()
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
