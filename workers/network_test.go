package workers

import (
	"crypto/sha256"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nets"
	"selfplay/engine/nnue/nnuetest"
	"selfplay/internal/must"
)

// testNetworks finds those of games, and small networks by names: small is for contrast, other for
// chess, and policy for contrast with a policy head.
func testNetworks(t testing.TB) Networks {
	t.Helper()
	files := map[string][]byte{"broken": []byte("no network")}
	for _, game := range encode.Games().Names() {
		files[game], _ = nets.File(game)
		files[nnue.FormatSum(sha256.Sum256(files[game]))] = files[game]
	}
	for name, g := range map[string]encode.Game{"small": encode.Contrast(), "other": encode.Chess(), "policy": encode.Contrast()} {
		set := g.New("").(engine.Featured).FeatureSet()
		files[name] = nnuetest.Network{Game: g.Name, Features: set, Hidden: 16, Buckets: 1, Seed: 1, Scale: 200, Policy: name == "policy"}.File()
		files[nnue.FormatSum(sha256.Sum256(files[name]))] = files[name]
	}
	files["sha256:"+strings.Repeat("0", 64)] = files["small"]
	return func(reference string) ([]byte, error) {
		if data, ok := files[reference]; ok {
			return data, nil
		}
		return nil, errors.New("not found")
	}
}

// The canonical name has the identity of the network, and parses to the same player.
func TestPlayersNameTheirNetworkByItsHash(t *testing.T) {
	g, find := encode.Contrast(), testNetworks(t)
	data, _ := find("small")
	net := "net=" + nnue.FormatSum(sha256.Sum256(data))
	for _, c := range []struct{ text, want string }{
		{"ab:net=small", "ab:nodes=1000,hash=1," + net},
		{"ab:blend=40,net=small,depth=2", "ab:depth=2," + net + ",blend=40"},
		{"ab:depth=2,net=small,blend=0", "ab:depth=2," + net},
		{"mcts:net=small", "mcts:" + net},
		{"greedy:net=small", "greedy:" + net},
		{"0.5*greedy:net=small + 0.5*random:uniform", "0.5*greedy:" + net + " + 0.5*random:uniform"},
	} {
		for _, text := range []string{c.text, c.want} {
			spec, err := PlayerTypes().Parse(&g.Game, text, find)
			if err != nil || spec.String() != c.want {
				t.Fatalf("%s: got %s, error %v, want %s", text, spec, err, c.want)
			}
			if files := spec.Networks(); len(files) != 1 || files[0].Sum != sha256.Sum256(data) || !reflect.DeepEqual(files[0].Data, data) {
				t.Errorf("%s: %d networks", text, len(files))
			}
		}
	}
	plain, _ := ParsePlayer(&g.Game, "ab:depth=2,net=none")
	spec, _ := PlayerTypes().Parse(&g.Game, "ab:depth=2,net=small", find)
	if len(plain.Networks()) != 0 || spec.Version() != plain.Version()+nnue.Version {
		t.Errorf("version %d with a network, %d without", spec.Version(), plain.Version())
	}
}

// Players of one file share the parsed network: requests to a server name it again and again.
func TestPlayersShareANetwork(t *testing.T) {
	g, find := encode.Contrast(), testNetworks(t)
	parse := func(text string) *nnue.Network {
		data, _ := find(text)
		n := must.Get(readNetwork(&g.Game, text, func(string) ([]byte, error) { return slices.Clone(data), nil }))(t)
		return n.net
	}
	if one, two := parse("small"), parse("small"); one != two {
		t.Error("two networks of one file")
	}
}

// Networks change what players play, and not with the number of workers.
func TestNetworkGamesDoNotDependOnWorkers(t *testing.T) {
	g, find := encode.Contrast(), testNetworks(t)
	for _, text := range []string{"ab:nodes=200,hash=1,net=small", "mcts:sims=40,net=small,blend=30", "greedy:net=small", "mcts:sims=40,priors=net,net=policy,noise=0.25,temp=1"} {
		spec := must.Get(PlayerTypes().Parse(&g.Game, text, find))(t)
		s := Series{Game: g, Players: [2]PlayerSpec{spec, spec}, Seed: 7, MaxPlies: 60, Opening: Opening{MinPlies: 4, MaxPlies: 8}}
		want := playText(t, s, 1, 0, 12)
		for _, workers := range []int{2, 7} {
			if playText(t, s, workers, 0, 12) != want {
				t.Errorf("%s: games of %d workers differ", text, workers)
			}
		}
	}
}
