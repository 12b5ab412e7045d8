package workers

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

var (
	noSampler   = engine.Game{}
	twoSamplers = engine.Game{Samplers: []engine.Sampler{{Name: "tile", Default: 250, DoRandom: valueAsMove}, {Name: "jump", Default: 100, DoRandom: valueAsMove}}}
)

// TestPlayerNames: what the name of a player in a game is parsed as, or why it is refused.
// Canonical names omit defaults and list parameters in a fixed order.
func TestPlayerNames(t *testing.T) {
	chess, contrast, find := encode.Chess(), encode.Contrast(), testNetworks(t)
	noNetwork := chess.Game
	noNetwork.Name = "noNetwork"
	games := map[string]*engine.Game{"noNetwork": &noNetwork, "chess": &chess.Game, "contrast": &contrast.Game, "noSampler": &noSampler, "twoSamplers": &twoSamplers}
	enginetest.Conversation(t, "testdata/players.txt", "Plans store these names: keep what they mean", func(question string) string {
		game, name, _ := strings.Cut(question, " ")
		spec, err := PlayerTypes().Parse(games[game], name, find)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%s, version %d", spec, spec.Version())
	})
	if _, err := ParsePlayer(&contrast.Game, "ab:net=small"); err == nil {
		t.Error("ParsePlayer accepts a network")
	}
}

// valueAsMove is a sampler that returns its parameter as the move.
func valueAsMove(_ engine.Position, _ *rand.PCG, s engine.Fraction) (engine.Move, bool) {
	return engine.Move(s), true
}

func TestRandomPlayerUsesTheSamplerOfItsName(t *testing.T) {
	for text, want := range map[string]engine.Move{"random": 250, "random:tile=0.5": 500, "random:jump=0.001": 1} {
		spec := must.Get(ParsePlayer(&twoSamplers, text))(t)
		players, d := newSidePlayers(&spec, nil, nil), Decision{}
		if ok := players.current.Play(nil, nil, &d); d.Move != want || d.Rank != engine.RankRandom || !ok {
			t.Errorf("%s plays %+v, %t, want %d", text, d, ok, want)
		}
	}
}
