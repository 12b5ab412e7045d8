package workers

import (
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// plain and diced are a game without dice of its own and one with two.
var (
	plain = engine.Game{}
	diced = engine.Game{Samplers: []engine.Sampler{{Name: "tile", Default: 250, DoRandom: share}, {Name: "jump", Default: 100, DoRandom: share}}}
)

// TestParsePlayerOfAGame: equal players have equal names, whatever is written out and
// in which order.
func TestParsePlayerOfAGame(t *testing.T) {
	game, err := encode.Find("chess")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"ab", "ab:depth=2"},
		{"ab:multi=4,depth=1", "ab:depth=1,multi=4"},
		{"mcts", "mcts"},
		{"mcts:sims=128,c=1.5,priors=static,scale=300", "mcts"},
		{"mcts:priors=gain,sims=16", "mcts:sims=16,priors=gain"},
		{"mcts:temp=1.0,noise=0.250", "mcts:temp=1,noise=0.25"},
		{"0.2*random+0.8*ab:depth=2", "0.2*random + 0.8*ab:depth=2"},
	} {
		spec, err := ParsePlayer(&game.Game, c.text)
		if err != nil || spec.String() != c.want {
			t.Errorf("%s is %s, %v, want %s", c.text, spec, err, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"mcts:priors=none", `priors: "none": want gain or static`},
		{"mcts:priors", `priors: "": want gain or static`},
		{"mcts:priors=0", `priors: "0": want gain or static`},
		{"mcts:scale=0", `scale: "0": want 1 to 20000`},
		{"mcts:sims=0", `sims: "0": want 1 to 65535: want mcts[:sims=N,temp=T,noise=SHARE,alpha=A,c=C,scale=CENTIUNITS,priors=gain|static,rollout=N]`},
	} {
		if _, err := ParsePlayer(&game.Game, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.text, err, c.want)
		}
	}
}

// share draws its share.
func share(_ engine.Position, _ *rand.PCG, s engine.Fraction) (engine.Move, bool) {
	return engine.Move(s), true
}

func TestParsePlayer(t *testing.T) {
	for _, c := range []struct {
		game       *engine.Game
		text, want string
	}{
		{&plain, "random", "random"},
		{&plain, "random:uniform", "random"},
		{&diced, "random", "random:tile=0.25"},
		{&diced, "random:tile=0.250", "random:tile=0.25"},
		{&diced, "random:tile=0", "random:tile=0"},
		{&diced, "random:jump=1", "random:jump=1"},
		{&diced, "random:uniform", "random:uniform"},
	} {
		spec, err := ParsePlayer(c.game, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if spec.String() != c.want || spec.Version() != 1 {
			t.Errorf("%s is %s version %d, want %s", c.text, spec, spec.Version(), c.want)
		}
	}
}

func TestParsePlayerRefuses(t *testing.T) {
	for _, c := range []struct {
		game       *engine.Game
		text, want string
	}{
		{&plain, "", "want one of random[:uniform], greedy, ab[:depth=N,nodes=N,hash=MIB,multi=N,temp=CENTIUNITS], mcts[:sims=N"},
		{&plain, "minimax", "unknown player \"minimax\": want one of random[:uniform]"},
		{&plain, "ab", "the game has no static score to search with"},
		{&plain, "Random", "unknown player"},
		{&plain, " random", "unknown player"},
		{&plain, "random:", "unknown parameter \"\""},
		{&plain, "random:depth=3", "unknown parameter \"depth=3\": want random[:uniform]"},
		{&plain, "random:tile=0.25", "unknown parameter \"tile=0.25\": want random[:uniform]"},
		{&plain, "random:uniform,uniform", "unknown parameter"},
		{&plain, "0.2*random + 0.7*random", "the shares add up to 0.9, want 1"},
		{&plain, "random + random", "\"random \" has no share: want SHARE*PLAYER + SHARE*PLAYER"},
		{&plain, "1.5*random + 0.5*random", "want a share from 0 to 1"},
		{&plain, "0.5*random + 0.5*nobody", "unknown player \"nobody\""},
		{&diced, "random:tile", "tile: \"\": want a share from 0 to 1: want random[:uniform|tile=SHARE|jump=SHARE]"},
		{&diced, "random:tile=1.5", "tile: \"1.5\": want a share from 0 to 1"},
		{&diced, "random:tile=0.0001", "want whole thousandths"},
		{&diced, "random:tile=0.25,jump=0.1", "want a share from 0 to 1"},
		{&diced, "random:hop=0.1", "unknown parameter \"hop=0.1\""},
	} {
		_, err := ParsePlayer(c.game, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
}

func TestRandomThrowsTheDiceOfItsName(t *testing.T) {
	for text, want := range map[string]engine.Move{"random": 250, "random:tile=0.5": 500, "random:jump=0.001": 1} {
		spec, err := ParsePlayer(&diced, text)
		if err != nil {
			t.Fatal(err)
		}
		seat, d := newSeat(&spec), Decision{}
		if ok := seat.now.Play(nil, nil, &d); d.Move != want || d.Rank != engine.RankRandom || !ok {
			t.Errorf("%s plays %+v, %t, want %d", text, d, ok, want)
		}
	}
}
