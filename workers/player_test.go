package workers

import (
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/engine"
)

// plain and diced are a game without dice of its own and one with two.
var (
	plain = engine.Game{}
	diced = engine.Game{Dice: []engine.Dice{{Name: "tile", Default: 250, Random: share}, {Name: "jump", Default: 100, Random: share}}}
)

// share draws its share.
func share(_ engine.Position, _ *rand.PCG, s engine.Share) (engine.Move, bool) {
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
		{&plain, "", "want one of random[:uniform]"},
		{&plain, "mcts", "unknown player \"mcts\": want one of random[:uniform]"},
		{&plain, "Random", "unknown player"},
		{&plain, " random", "unknown player"},
		{&plain, "random:", "unknown parameter \"\""},
		{&plain, "random:depth=3", "unknown parameter \"depth=3\": want random[:uniform]"},
		{&plain, "random:tile=0.25", "unknown parameter \"tile=0.25\": want random[:uniform]"},
		{&plain, "random:uniform,uniform", "unknown parameter"},
		{&plain, "0.2*random + 0.8*random", "mixtures are not supported"},
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
		if m, rank, ok := spec.New().Play(nil, nil); m != want || rank != engine.RankRandom || !ok {
			t.Errorf("%s plays %d, rank %d, %t, want %d", text, m, rank, ok, want)
		}
	}
}
