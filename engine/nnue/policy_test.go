package nnue_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nnuetest"
	"selfplay/engine/search"
	"selfplay/internal/must"
)

var _ search.Policy = (*nnue.Scorer)(nil)

// withPolicy describes a network with a policy head for a game.
func withPolicy(g engine.Game, hidden int, seed uint64) nnuetest.Network {
	set := g.New("").(engine.Featured).FeatureSet()
	return nnuetest.Network{Game: g.Name, Features: set, Hidden: hidden, Buckets: 2, Seed: seed, Scale: 400, Policy: true}
}

// policyGames returns the games whose moves have parts.
func policyGames() (list []engine.Game) {
	for _, g := range games() {
		if _, ok := g.New("").(engine.Policied); ok {
			list = append(list, g)
		}
	}
	return list
}

// logits computes logits as the package comment states them, without lanes and vectors.
func (r *reference) logits(p engine.Policied, weights, bias []int) (list []int32) {
	var x []int
	for _, side := range [2]engine.Side{p.Turn(), p.Turn().Other()} {
		for i := range r.hidden {
			sum := r.bias[i]
			for _, f := range p.AppendFeatures(nil) {
				sum += r.weights[f.In(side)*r.hidden+i]
			}
			v := min(max(sum, 0), nnue.QA)
			x = append(x, v*v)
		}
	}
	for _, m := range p.Moves(nil) {
		total := 0
		for _, part := range p.MoveParts(m) {
			out := 0
			for i, v := range x {
				out += v * weights[int(part)*2*r.hidden+i]
			}
			total += out/nnue.QA + bias[part]
		}
		list = append(list, int32(min(max(total*100/(nnue.QA*nnue.QB), -engine.MaxStatic), engine.MaxStatic)))
	}
	return list
}

// TestLogitsEqualReference: logits along games are those computed from the board, and have the
// same digest in every build. If it changes, Version must.
func TestLogitsEqualReference(t *testing.T) {
	want := map[string]string{"contrast": "9efabfba57e23a197ae834e224ac5a34"}
	for _, g := range policyGames() {
		sum := sha256.New()
		for seed, hidden := range []int{16, 48, 64} {
			d := withPolicy(g, hidden, uint64(seed))
			s, r, tensors := nnue.NewScorer(networkOf(t, g, d), 0), newReference(d), d.Tensors()
			weights, bias := tensors[5].Values(), tensors[4].Values()
			p, src := g.New("").(engine.Policied), rand.NewPCG(uint64(seed), 2)
			s.Begin(p)
			for range plies(200) {
				if _, ok := p.DoRandom(src); !ok {
					p.Reset()
					s.Begin(p)
				}
				got, want := s.AppendLogits(nil, p.Moves(nil)), r.logits(p, weights, bias)
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("%s: logits %v, want %v", p, got, want)
				}
				fmt.Fprintln(sum, got)
			}
		}
		if got := fmt.Sprintf("%x", sum.Sum(nil))[:32]; !testing.Short() && (got != want[g.Name] || nnue.Version != 1) {
			t.Errorf("%s: logits of version %d have digest %s, want %s", g.Name, nnue.Version, got, want[g.Name])
		}
	}
}

// TestLogitsAllocateNothing, and scores do not depend on the head.
func TestLogitsAllocateNothing(t *testing.T) {
	for _, g := range policyGames() {
		d := withPolicy(g, 32, 1)
		s, p := nnue.NewScorer(networkOf(t, g, d), 0), middleGame(g)
		s.Begin(p)
		moves, logits := p.Moves(nil), []int32(nil)
		logits = s.AppendLogits(logits, moves)
		if n := testing.AllocsPerRun(20, func() { logits = s.AppendLogits(logits[:0], moves) }); n != 0 {
			t.Errorf("%s: %v allocations", g.Name, n)
		}
		score := s.Score()
		d.Policy = false
		s = nnue.NewScorer(networkOf(t, g, d), 0)
		if s.Begin(p); s.Score() != score {
			t.Errorf("%s: score %d with a policy head, %d without", g.Name, score, s.Score())
		}
	}
}

func TestReadFileRefusesPolicies(t *testing.T) {
	d := small()
	d.Policy = true
	checkRefusals(t, d, map[string]refusal{
		"no metadata":     {func(p *parts) { delete(p.metadata, "policy") }, "6 tensors: want 4"},
		"no tensors":      {func(p *parts) { p.tensors = p.tensors[:4] }, "4 tensors: want 6"},
		"no weights":      {func(p *parts) { p.tensors[5].Name = "x" }, "tensor policy_weights is missing"},
		"no bias":         {func(p *parts) { p.tensors[4].Name = "x" }, "tensor policy_bias is missing"},
		"other parts":     {func(p *parts) { p.metadata["policy"] = "x" }, `metadata policy is "x": want "contrast-step-tile", or none`},
		"newer parts":     {func(p *parts) { p.metadata["policy_version"] = "2" }, `metadata policy_version is "2": want "1"`},
		"other shape":     {func(p *parts) { p.tensors[5].Shape = []int{1900, 16, 2} }, "tensor policy_weights is I8 [1900 16 2]: want I8 [1900 2 16]"},
		"other type":      {func(p *parts) { p.tensors[5].Type, p.tensors[5].Shape = "I16", []int{1900, 16} }, "tensor policy_weights is I16 [1900 16]"},
		"other bias":      {func(p *parts) { p.tensors[4].Type, p.tensors[4].Shape = "I16", []int{3800} }, "tensor policy_bias is I16 [3800]"},
		"weight of -128":  {func(p *parts) { p.tensors[5].Data[7] = 0x80 }, "policy weight 7 is -128: want -127 to 127"},
		"a bias of 2^30":  {func(p *parts) { binary.LittleEndian.PutUint32(p.tensors[4].Data[8:], 1<<30) }, "policy bias 2 is 1073741824"},
		"a bias of -2^30": {func(p *parts) { binary.LittleEndian.PutUint32(p.tensors[4].Data, 3<<30) }, "policy bias 0 is -1073741824"},
	})
	set := *d.Features
	set.Policy = nil
	f, _ := nnue.ReadFile(d.File())
	if _, err := f.Network("contrast", &set); err == nil || !strings.Contains(err.Error(), "the game has no parts of moves") {
		t.Errorf("a game without parts of moves: %v", err)
	}
}

// TestLargestLogitsFit: with weights and activations at their limits, logits are at theirs.
func TestLargestLogitsFit(t *testing.T) {
	d := small()
	d.Policy, d.Hidden = true, 512
	tensors := d.Tensors()
	for i := range 512 {
		binary.LittleEndian.PutUint16(tensors[0].Data[2*i:], 1000)
	}
	clear(tensors[1].Data)
	for weight, want := range map[byte]int32{127: engine.MaxStatic, 0x81: -engine.MaxStatic} {
		tensors[5].Data = bytes.Repeat([]byte{weight}, len(tensors[5].Data))
		n := must.Get(read(nnuetest.Write(d.Metadata(), tensors)))(t)
		s, p := nnue.NewScorer(n, 0), middleGame(games()[1])
		s.Begin(p)
		for _, l := range s.AppendLogits(nil, p.Moves(nil)) {
			if l != want {
				t.Fatalf("logit %d, want %d", l, want)
			}
		}
	}
}
