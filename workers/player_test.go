package workers

import (
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

var (
	noSampler   = engine.Game{}
	twoSamplers = engine.Game{Samplers: []engine.Sampler{{Name: "tile", Default: 250, DoRandom: valueAsMove}, {Name: "jump", Default: 100, DoRandom: valueAsMove}}}
)

// Canonical names omit defaults and list parameters in a fixed order.
func TestParsePlayerReturnsCanonicalNames(t *testing.T) {
	game := encode.Chess()
	for _, c := range []struct{ text, want string }{
		{"ab", "ab:nodes=1000,hash=1"},
		{"ab:hash=4", "ab:nodes=1000,hash=4"},
		{"ab:multi=4,depth=1", "ab:depth=1,multi=4"},
		{"mcts", "mcts"},
		{"mcts:sims=128,c=1.5,priors=delta,scale=300,fpu=0,leaf=quiescence,target=visits", "mcts"},
		{"mcts:target=completedq,fpu=-0.1,leaf=static", "mcts:fpu=-0.1,leaf=static,target=completedq"},
		{"mcts:priors=gain,sims=16", "mcts:sims=16,priors=gain"},
		{"mcts:temp=1.0,noise=0.250", "mcts:temp=1,noise=0.25"},
		{"0.2*random+0.8*ab:depth=2", "0.2*random + 0.8*ab:depth=2"},
	} {
		spec, err := ParsePlayer(&game.Game, c.text)
		if err != nil || spec.String() != c.want {
			t.Errorf("%s: got %s, error %v, want %s", c.text, spec, err, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"mcts:priors=none", `priors: "none": want gain or static or delta or net`},
		{"mcts:priors", `priors: "": want gain or static or delta or net`},
		{"mcts:priors=0", `priors: "0": want gain or static or delta or net`},
		{"mcts:scale=0", `scale: "0": want 1 to 20000`},
		{"mcts:sims=0", `sims: "0": want 1 to 65535: want mcts[:sims=N,temp=T,noise=FRACTION,alpha=A,c=C,fpu=FPU,scale=CENTIUNITS,priors=gain|static|delta|net,leaf=static|quiescence,target=visits|completedq,rollout=N,net=FILE,blend=PERCENT]`},
	} {
		if _, err := ParsePlayer(&game.Game, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.text, err, c.want)
		}
	}
}

// valueAsMove is a sampler that returns its parameter as the move.
func valueAsMove(_ engine.Position, _ *rand.PCG, s engine.Fraction) (engine.Move, bool) {
	return engine.Move(s), true
}

func TestRandomPlayerNamesItsSampler(t *testing.T) {
	for _, c := range []struct {
		game       *engine.Game
		text, want string
	}{
		{&noSampler, "random", "random"},
		{&noSampler, "random:uniform", "random"},
		{&twoSamplers, "random", "random:tile=0.25"},
		{&twoSamplers, "random:tile=0.250", "random:tile=0.25"},
		{&twoSamplers, "random:tile=0", "random:tile=0"},
		{&twoSamplers, "random:jump=1", "random:jump=1"},
		{&twoSamplers, "random:uniform", "random:uniform"},
	} {
		spec, err := ParsePlayer(c.game, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if spec.String() != c.want || spec.Version() != 1 {
			t.Errorf("%s: got %s version %d, want %s version 1", c.text, spec, spec.Version(), c.want)
		}
	}
}

func TestParsePlayerRefusesInvalidNames(t *testing.T) {
	for _, c := range []struct {
		game       *engine.Game
		text, want string
	}{
		{&noSampler, "", "want one of random[:uniform], greedy[:net=FILE,blend=PERCENT], ab[:depth=N,nodes=N,hash=MIB,multi=N,exact=false|true,hard=N,temp=CENTIUNITS,net=FILE,blend=PERCENT], mcts[:sims=N"},
		{&noSampler, "minimax", "unknown player \"minimax\": want one of random[:uniform]"},
		{&noSampler, "ab", "the game has no static score to search with"},
		{&noSampler, "Random", "unknown player"},
		{&noSampler, " random", "unknown player"},
		{&noSampler, "random:", "unknown parameter \"\""},
		{&noSampler, "random:depth=3", "unknown parameter \"depth=3\": want random[:uniform]"},
		{&noSampler, "random:tile=0.25", "unknown parameter \"tile=0.25\": want random[:uniform]"},
		{&noSampler, "random:uniform,uniform", "unknown parameter"},
		{&noSampler, "0.2*random + 0.7*random", "the fractions add up to 0.9, want 1"},
		{&noSampler, "random + random", "\"random \" has no fraction: want FRACTION*PLAYER + FRACTION*PLAYER"},
		{&noSampler, "1.5*random + 0.5*random", "want a fraction from 0 to 1"},
		{&noSampler, "0.5*random + 0.5*unknown", "unknown player \"unknown\""},
		{&twoSamplers, "random:tile", "tile: \"\": want a fraction from 0 to 1: want random[:uniform|tile=FRACTION|jump=FRACTION]"},
		{&twoSamplers, "random:tile=1.5", "tile: \"1.5\": want a fraction from 0 to 1"},
		{&twoSamplers, "random:tile=0.0001", "want whole thousandths"},
		{&twoSamplers, "random:tile=0.25,jump=0.1", "want a fraction from 0 to 1"},
		{&twoSamplers, "random:hop=0.1", "unknown parameter \"hop=0.1\""},
	} {
		_, err := ParsePlayer(c.game, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
}

func TestRandomPlayerUsesTheSamplerOfItsName(t *testing.T) {
	for text, want := range map[string]engine.Move{"random": 250, "random:tile=0.5": 500, "random:jump=0.001": 1} {
		spec, err := ParsePlayer(&twoSamplers, text)
		if err != nil {
			t.Fatal(err)
		}
		players, d := newSidePlayers(&spec, nil, nil), Decision{}
		if ok := players.current.Play(nil, nil, &d); d.Move != want || d.Rank != engine.RankRandom || !ok {
			t.Errorf("%s plays %+v, %t, want %d", text, d, ok, want)
		}
	}
}
