package nets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/contrast"
	"selfplay/engine/cotulenh"
	"selfplay/engine/nnue"
)

// sums are the SHA-256 of the networks that ship. Datasets name networks by them.
var sums = map[string]string{
	"chess-g9":     "2194afe523c05f849b4fd66f9215527d7aa3d1a4fc98f119d9bc07c6ad7ad16e",
	"contrast-g7":  "0a21d01e6254a5f9aca7e5a3881d68b51408b8cfdc88b0967c3e0937e51ecc66",
	"cotulenh-g10": "28826beb6298c146e42aefae509fbd3ddee34e716f2dafc383e0942cf55c897e",
}

// TestNetworksNeverChange under their names.
func TestNetworksNeverChange(t *testing.T) {
	for _, name := range Names() {
		if sums[name] == "" {
			t.Errorf("%s: no sum is known", name)
		}
	}
	for name, want := range sums {
		data, _ := File(name)
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s: SHA-256 %x, want %s", name, sum, want)
		}
	}
}

// games are the games that have networks, by the beginnings of names.
var games = map[string]engine.Game{"chess": chess.Game(), "contrast": contrast.Game(), "cotulenh": cotulenh.Game()}

// TestNetworksAreSmallAndScore: every network that ships has at most 2 MB, and to it the start of its game is about even.
func TestNetworksAreSmallAndScore(t *testing.T) {
	for _, name := range Names() {
		data, _ := File(name)
		file, err := nnue.ReadFile(data)
		if err != nil || len(data) > 2_000_000 {
			t.Fatalf("%s: %d bytes, error %v", name, len(data), err)
		}
		of, _, _ := strings.Cut(name, "-")
		p := games[of].New("").(engine.Featured)
		net, err := file.Network(of, p.FeatureSet())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s := nnue.NewScorer(net, 0)
		s.Begin(p)
		if score := s.Score(); score < -200 || score > 200 {
			t.Errorf("%s: the start has the score %d", name, score)
		}
	}
	for _, name := range []string{"", "cotulenh-g", "README", "../nets", "missing"} {
		if _, ok := File(name); ok {
			t.Errorf("there is a network %q", name)
		}
	}
}

// TestNameOfAGameIsItsNetwork: a game has one network, and its name alone names it.
func TestNameOfAGameIsItsNetwork(t *testing.T) {
	if len(Names()) != len(games) {
		t.Errorf("networks %s of %d games", Names(), len(games))
	}
	for _, name := range Names() {
		game, _, _ := strings.Cut(name, "-")
		data, ok := File(game)
		if named, _ := File(name); !ok || !bytes.Equal(data, named) {
			t.Errorf("%s is not %s", game, name)
		}
	}
}

// TestNameOfASum: a network is known by its SHA-256, another file is not.
func TestNameOfASum(t *testing.T) {
	for _, name := range Names() {
		data, _ := File(name)
		if got := NameOf(sha256.Sum256(data)); got != name {
			t.Errorf("%s: name %q", name, got)
		}
	}
	if got := NameOf([sha256.Size]byte{}); got != "" {
		t.Errorf("an unknown sum has the name %q", got)
	}
}

// TestTextsForPeopleNameNetworks: those that ship by their names, others by 12 digits.
func TestTextsForPeopleNameNetworks(t *testing.T) {
	const other = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	chess := "sha256:" + sums["chess-g9"]
	for _, c := range []struct{ text, named, shown string }{
		{"ab:depth=2", "ab:depth=2", "ab:depth=2"},
		{"ab:net=" + chess + ",blend=4", "ab:net=chess-g9,blend=4", "ab:net=chess-g9,blend=4"},
		{"mcts:net=" + other, "mcts:net=" + other, "mcts:net=sha256:0123456789ab"},
		{"0.5*ab:net=" + other + "+0.5*ab:net=" + chess, "0.5*ab:net=" + other + "+0.5*ab:net=chess-g9", "0.5*ab:net=sha256:0123456789ab+0.5*ab:net=chess-g9"},
	} {
		if got := Named(c.text); got != c.named {
			t.Errorf("Named(%s) = %s, want %s", c.text, got, c.named)
		}
		if got := Shown(c.text); got != c.shown {
			t.Errorf("Shown(%s) = %s, want %s", c.text, got, c.shown)
		}
	}
}
