package workers

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"weak"

	"selfplay/engine"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nets"
	"selfplay/engine/search"
)

// A player that searches may take its static scores from a network: net=REFERENCE, and
// blend=PERCENT for a part of the hand-written score. Its canonical name has the network's
// identity, net=sha256:HEX, in place of a file or a name. Players ab take that of their game
// by default; then net=none, which is also in the canonical name, is the hand-written score.

// Networks finds the file of a network by the reference in a player's name, as FILE, NAME or
// sha256:HEX. The error says what is wrong and where.
type Networks func(reference string) ([]byte, error)

// Network is the network of a player, or the model in its place. A nil Network stands for none.
type Network struct {
	model *Model        // of eval; nil for a network
	net   *nnue.Network // nil for a model
	data  []byte        // the file
	blend int           // percent of the hand-written score
}

// networkParams describes the parameters for help.
func networkParams() []Param {
	return []Param{
		{Name: "net", Usage: "FILE", Doc: "static scores of a network: a file, the name of a game for that of this program, sha256:HEX for one in the dataset, or none: the hand-written score. Default: for ab that of the game, unless exact=true"},
		{Name: "blend", Usage: "PERCENT", Doc: "percent of the hand-written score in those of the network", Max: 99},
	}
}

// noNetwork is the reference of the hand-written score.
const noNetwork = "none"

// takeNetwork removes the parameters of a network from texts. own is the file of the network
// without net, nil for none. It returns a nil Network for the hand-written score.
func takeNetwork(g *engine.Game, texts []string, own []byte, find Networks) (rest []string, n *Network, err error) {
	given := map[string]string{}
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		switch {
		case name != "net" && name != "blend":
			rest = append(rest, text)
		case given[name] != "":
			return nil, nil, fmt.Errorf("%s is given twice", name)
		case value == "":
			return nil, nil, fmt.Errorf("%s: no value", name)
		default:
			given[name] = value
		}
	}
	reference, blend := given["net"], given["blend"]
	switch {
	case reference == "" && own != nil:
		n, err = newNetwork(g, g.Name, own)
	case reference != "" && reference != noNetwork:
		n, err = readNetwork(g, reference, find)
	case blend != "":
		err = errors.New("blend: only with a network")
	}
	if err == nil && blend != "" {
		n.blend, err = parseBlend(blend)
	}
	return rest, n, err
}

// ownNetwork returns the file of the network that a player has without net, nil if that is the
// hand-written score.
func (t *PlayerType) ownNetwork(g *engine.Game, texts []string) []byte {
	if !t.strongest || slices.Contains(texts, "exact=true") || !takesNetworks(g) {
		return nil
	}
	data, _ := nets.File(g.Name)
	return data
}

// takesNetworks reports whether the positions of a game have what networks score.
func takesNetworks(g *engine.Game) bool {
	if checkSearchable(g) != nil {
		return false
	}
	_, ok := g.New("").(engine.Featured)
	return ok
}

func parseBlend(text string) (percent int, err error) {
	p := networkParams()[1]
	percent, err = p.parse(text)
	if err != nil {
		err = fmt.Errorf("blend: %w", err)
	}
	return percent, err
}

// readNetwork finds and reads a network for a game.
func readNetwork(g *engine.Game, reference string, find Networks) (*Network, error) {
	if find == nil {
		return nil, fmt.Errorf("net %s: no networks here", reference)
	}
	data, err := find(reference)
	if err != nil {
		return nil, fmt.Errorf("net %s: %w", reference, err)
	}
	if sum := nnue.FormatSum(sha256.Sum256(data)); strings.HasPrefix(reference, "sha256:") && sum != reference {
		return nil, fmt.Errorf("net %s: the file found has %s", reference, sum)
	}
	return newNetwork(g, reference, data)
}

// newNetwork reads a network for a game.
func newNetwork(g *engine.Game, reference string, data []byte) (*Network, error) {
	if err := checkSearchable(g); err != nil {
		return nil, err
	}
	p, ok := g.New("").(engine.Featured)
	if !ok {
		return nil, errors.New("net: the game has no features")
	}
	net, err := parseNetwork(g.Name, p.FeatureSet(), data)
	if err != nil {
		return nil, fmt.Errorf("net %s: %w", reference, err)
	}
	return &Network{net: net, data: data}, nil
}

// parsedNetworks holds the networks in use, so that players of one file share one: requests to a
// server may name it again and again. It maps a networkKey to a weak.Pointer[nnue.Network].
var parsedNetworks sync.Map

type networkKey struct {
	game string
	set  *engine.FeatureSet
	sum  [sha256.Size]byte
}

// parseNetwork parses the file of a network, or returns the one in use.
func parseNetwork(game string, set *engine.FeatureSet, data []byte) (*nnue.Network, error) {
	key := networkKey{game, set, sha256.Sum256(data)}
	if found, ok := parsedNetworks.Load(key); ok {
		if net := found.(weak.Pointer[nnue.Network]).Value(); net != nil {
			return net, nil
		}
	}
	f, err := nnue.ReadFile(data)
	if err != nil {
		return nil, err
	}
	net, err := f.Network(game, set)
	if err != nil {
		return nil, err
	}
	used := weak.Make(net)
	parsedNetworks.Store(key, used)
	runtime.AddCleanup(net, func(key networkKey) { parsedNetworks.CompareAndDelete(key, used) }, key)
	return net, nil
}

// canonical returns the parameters of the network, none without one.
func (n *Network) canonical() (list []string) {
	if n == nil {
		return nil
	}
	if n.model != nil {
		return []string{"eval=" + n.model.Name}
	}
	list = append(list, "net="+nnue.FormatSum(n.net.Sum()))
	if n.blend > 0 {
		list = append(list, "blend="+strconv.Itoa(n.blend))
	}
	return list
}

// version returns what the network adds to the version of a player.
func (n *Network) version() int {
	if n == nil {
		return 0
	}
	if n.model != nil {
		return modelVersion
	}
	return nnue.Version
}

// shipped returns the name of the network if it ships with the program, whole. Models of
// scores are fitted to no others.
func (n *Network) shipped() (name string, ok bool) {
	if n == nil {
		return "", true
	}
	if n.blend > 0 || n.model != nil {
		return "", false
	}
	name = nets.NameOf(n.net.Sum())
	return name, name != ""
}

// hasPolicy reports whether there is a network and it rates moves.
func (n *Network) hasPolicy() bool { return n != nil && n.net != nil && n.net.HasPolicy() }

// NewScorer returns the source of static scores of one searcher, nil without a network: then
// scores are the hand-written ones, or those of a model.
func (n *Network) NewScorer() search.Scorer {
	if n == nil || n.net == nil {
		return nil
	}
	return nnue.NewScorer(n.net, n.blend)
}

// NetworkFile is the file of a network that a player uses.
type NetworkFile struct {
	Sum  [32]byte // SHA-256 of Data, its identity
	Data []byte
}

// Networks returns the networks of the player, each once.
func (s PlayerSpec) Networks() (list []NetworkFile) {
	for _, c := range s.components {
		if n := c.network; n != nil && n.net != nil && !slices.ContainsFunc(list, func(f NetworkFile) bool { return f.Sum == n.net.Sum() }) {
			list = append(list, NetworkFile{n.net.Sum(), n.data})
		}
	}
	return list
}

var errNoEvaluation = errors.New("the game has no static score: want random, mcts:eval=NAME or greedy:eval=NAME with a model of yours, or own:NAME")

// checkSearchable returns an error if the positions of a game are not Evaluators.
func checkSearchable(g *engine.Game) error {
	if g.New == nil {
		return errNoEvaluation
	}
	if _, ok := g.New("").(engine.Evaluator); !ok {
		return errNoEvaluation
	}
	return nil
}
