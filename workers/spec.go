package workers

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/internal/typo"
)

// String returns the canonical name: equal players have equal names.
func (s PlayerSpec) String() string { return s.name }

// Version returns the version of the player's play. The version of a mixture is the sum
// of the versions of its components.
func (s PlayerSpec) Version() int { return s.version }

// Searches reports whether any decision may come from a search.
func (s PlayerSpec) Searches() bool {
	return slices.ContainsFunc(s.components, func(c component) bool { return c.Searches })
}

// Caps reports whether some searches are cheap, by playout cap randomisation.
func (s PlayerSpec) Caps() bool {
	return slices.ContainsFunc(s.components, func(c component) bool { return c.Factory.Caps })
}

// AlwaysSearches reports whether every decision comes from a search.
func (s PlayerSpec) AlwaysSearches() bool {
	return !slices.ContainsFunc(s.components, func(c component) bool { return !c.Searches })
}

// Stateless reports whether its players keep nothing between decisions: see Factory.
func (s PlayerSpec) Stateless() bool {
	return !slices.ContainsFunc(s.components, func(c component) bool { return !c.Stateless })
}

// StatelessOutsideGames reports whether its players keep nothing between decisions until their first NewGame.
func (s PlayerSpec) StatelessOutsideGames() bool {
	return !slices.ContainsFunc(s.components, func(c component) bool { return !c.Stateless && !c.KeepsInGames })
}

// Memory returns the most bytes of the tables and trees that one worker has for the player. A mixture
// has those of all its components.
func (s PlayerSpec) Memory() (bytes uint64) {
	for _, c := range s.components {
		bytes += c.Memory
	}
	return bytes
}

// newPlayer creates the player; of a mixture its first component.
func (s PlayerSpec) newPlayer(abort search.Abort) Player { return s.components[0].New(abort) }

// versioned returns the name with the version, as in "ab:depth=2 v1".
func (s PlayerSpec) versioned() string { return fmt.Sprintf("%s v%d", s.name, s.version) }

// ParsePlayer parses a player name of the types of this module, without networks but that of the game.
func ParsePlayer(g *engine.Game, text string) (PlayerSpec, error) {
	return PlayerTypes().ParseFrom(g, text, Sources{})
}

// Parse parses a player name for the game g: NAME[:KEY=VALUE[,KEY=VALUE]...], or a mixture
// such as 0.2*random + 0.8*ab:depth=2, whose fractions add up to 1. find finds the networks of
// players; if it is nil, there is none but that of the game.
func (list Players) Parse(g *engine.Game, text string, find Networks) (PlayerSpec, error) {
	return list.ParseFrom(g, text, Sources{Networks: find})
}

// ParseFrom is Parse with everything that names of players may refer to.
func (list Players) ParseFrom(g *engine.Game, text string, find Sources) (PlayerSpec, error) {
	terms := strings.Split(text, "+")
	if len(terms) == 1 && !strings.Contains(text, "*") || isExternal(text) {
		c, version, err := list.parseSingle(g, text, find)
		c.fraction = engine.One
		return PlayerSpec{c.name, version, []component{c}}, err
	}
	var s PlayerSpec
	var names []string
	sum := engine.Fraction(0)
	for _, term := range terms {
		c, version, err := list.parseTerm(g, text, term, find)
		if err != nil {
			return PlayerSpec{}, err
		}
		s.components = append(s.components, c)
		s.version += version
		sum += c.fraction
		names = append(names, c.fraction.String()+"*"+c.name)
	}
	if sum != engine.One {
		return PlayerSpec{}, fmt.Errorf("player %q: the fractions add up to %s, want 1", text, sum)
	}
	s.name = strings.Join(names, " + ")
	return s, nil
}

// parseSingle parses the name of a single player.
func (list Players) parseSingle(g *engine.Game, text string, find Sources) (c component, version int, err error) {
	if isExternal(text) {
		return parseExternal(text, find.Externals)
	}
	name, params, hasParams := strings.Cut(text, ":")
	i := slices.IndexFunc(list, func(t PlayerType) bool { return t.Name == name })
	if i < 0 {
		return c, 0, list.unknown(name)
	}
	var texts []string
	if hasParams {
		texts = strings.Split(params, ",")
	}
	c, version, err = list[i].read(g, texts, find)
	if err != nil {
		return c, 0, fmt.Errorf("player %q: %w", text, err)
	}
	return c, version, nil
}

// read returns the player with some parameters.
func (t *PlayerType) read(g *engine.Game, texts []string, find Sources) (c component, version int, err error) {
	if t.own {
		return t.readOwn(texts, find.Own)
	}
	own := t.ownNetwork(g, texts)
	texts, net, err := t.takeSources(g, texts, own, find)
	if err != nil {
		return c, 0, err
	}
	params, f, err := t.readParams(g, texts, net)
	if err != nil {
		return c, 0, err
	}
	all := net.canonical()
	if net == nil && own != nil {
		all = []string{"net=" + noNetwork}
	}
	if params != "" {
		all = slices.Insert(all, 0, params)
	}
	c.name, c.Factory = t.Name, f
	if len(all) > 0 {
		c.name += ":" + strings.Join(all, ",")
	}
	c.network = net
	return c, t.Version + net.version(), nil
}

// takeSources removes the parameters of a network or a model from texts. own is the network without net.
func (t *PlayerType) takeSources(g *engine.Game, texts []string, own []byte, find Sources) (rest []string, n *Network, err error) {
	if t.Networks {
		texts, n, err = takeNetwork(g, texts, own, find.Networks)
		if err != nil {
			return nil, nil, err
		}
	}
	if !t.Models {
		return texts, n, nil
	}
	rest, model, err := takeModel(g, texts, find.Models)
	switch {
	case err != nil || model == nil:
		return rest, n, err
	case n != nil:
		return nil, nil, errors.New("net and eval exclude each other")
	}
	return rest, model, nil
}

// readParams returns the canonical form of the parameters, "" if all are defaults, and the
// factory of their players.
func (t *PlayerType) readParams(g *engine.Game, texts []string, net *Network) (canonical string, f Factory, err error) {
	if t.parse != nil {
		return t.parse(g, texts)
	}
	var params []Param
	if t.Params != nil {
		params = t.Params(g)
	}
	v, err := parseParams(params, texts)
	if err == nil {
		f, err = t.New(g, v, net)
	}
	return v.canonical(params), f, err
}

// unknown refuses the name of a player.
func (list Players) unknown(name string) error {
	var names []string
	for _, t := range list {
		names = append(names, t.Name)
	}
	if meant := typo.DidYouMean(name, names, "%s"); meant != "" {
		return fmt.Errorf("unknown player %q%s", name, meant)
	}
	return fmt.Errorf("unknown player %q: want one of %s", name, strings.Join(names, ", "))
}

// usage returns the syntax of a player name for a game.
func (t *PlayerType) usage(g *engine.Game) string {
	var list []string
	for _, p := range t.allParams(g) {
		text := p.Name
		if p.Usage != "" {
			text += "=" + p.Usage
		}
		list = append(list, text)
	}
	if list == nil {
		return t.Name
	}
	if t.own {
		return t.Name + ":" + list[0]
	}
	separator := ","
	if t.singleParam {
		separator = "|"
	}
	return t.Name + "[:" + strings.Join(list, separator) + "]"
}

// allParams returns the parameters with those of a network, if the game can have one.
func (t *PlayerType) allParams(g *engine.Game) (list []Param) {
	if t.Params != nil {
		list = t.Params(g)
	}
	if t.Networks && takesNetworks(g) {
		list = append(list, networkParams()...)
	}
	if t.Models {
		list = append(list, modelParam())
	}
	return list
}

// PlayerTypeFacts describes a player type for help and scripts.
type PlayerTypeFacts struct {
	Name    string       `json:"name"`
	Version int          `json:"version"`
	Usage   string       `json:"usage"`
	Doc     string       `json:"doc"`
	Params  []ParamFacts `json:"params"`
}

// Facts describes the types for a game.
func (list Players) Facts(g *engine.Game) (facts []PlayerTypeFacts) {
	for _, t := range list {
		f := PlayerTypeFacts{t.Name, t.Version, t.usage(g), t.Doc, []ParamFacts{}}
		for _, p := range t.allParams(g) {
			f.Params = append(f.Params, p.facts())
		}
		facts = append(facts, f)
	}
	return facts
}

// ExternalPlayer returns the spec of a player that newPlayer creates, once per worker. It is stateless if a choice
// depends on the position and its history only: see Factory.
func ExternalPlayer(name string, stateless bool, newPlayer func(abort search.Abort) External) PlayerSpec {
	f := Factory{Searches: true, OnlyBest: true, Stateless: stateless, New: func(abort search.Abort) Player { return newPlayer(abort) }}
	return PlayerSpec{name, ExternalVersion, []component{{engine.One, name, f}}}
}

// parseExternal returns the player of a name that isExternal.
func parseExternal(name string, find Externals) (c component, version int, err error) {
	if find == nil {
		return c, 0, fmt.Errorf("player %q: no UCI engines here: only commands that take --evaluator start them", name)
	}
	s, err := find(name)
	if err != nil {
		return c, 0, err
	}
	return s.components[0], s.version, nil
}

// NewPlayer creates a player for one game, whose searches abort ends early. It draws from src
// only for a mixture.
func (s PlayerSpec) NewPlayer(src *rand.PCG, abort search.Abort) Player {
	return s.components[s.Draw(src)].New(abort)
}

// NewPlayers creates the players of a mixture, or the single player, whose searches abort ends early.
func (s PlayerSpec) NewPlayers(abort search.Abort) (list []Player) {
	for _, c := range s.components {
		list = append(list, c.New(abort))
	}
	return list
}

// Draw draws which one of NewPlayers plays a game. It draws from src only for a mixture.
func (s PlayerSpec) Draw(src *rand.PCG) (i int) {
	if len(s.components) == 1 {
		return 0
	}
	r := engine.Fraction(engine.Below(src, uint32(engine.One)))
	for r >= s.components[i].fraction {
		r -= s.components[i].fraction
		i++
	}
	return i
}

// Models returns the models of the player, each once.
func (s PlayerSpec) Models() (list []*Model) {
	for _, c := range s.components {
		if m := c.network.outside(); m != nil && !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

// parseTerm parses FRACTION*PLAYER, a term of the mixture text.
func (list Players) parseTerm(g *engine.Game, text, term string, find Sources) (c component, version int, err error) {
	share, player, ok := strings.Cut(strings.TrimSpace(term), "*")
	if !ok {
		return c, 0, fmt.Errorf("player %q: %q has no fraction: want FRACTION*PLAYER + FRACTION*PLAYER", text, term)
	}
	fraction, err := engine.ParseFraction(share)
	if err != nil {
		return c, 0, fmt.Errorf("player %q: %w", text, err)
	}
	c, version, err = list.parseSingle(g, player, find)
	c.fraction = fraction
	return c, version, err
}

// PlayerTypes returns the types of this module. A new one is added here only.
func PlayerTypes() Players {
	return Players{
		{Name: "random", Version: 1, Doc: "plays a random legal move", Params: randomParams, singleParam: true, parse: parseRandom},
		{Name: "greedy", Version: 1, Doc: "plays the move with the best static score after it", Networks: true, Models: true, New: newGreedy},
		{Name: "ab", Version: 1, Doc: "alpha-beta search with quiescence", Networks: true, strongest: true, Params: alphaBetaParams, New: newAlphaBeta},
		{Name: "mcts", Version: 1, Doc: "Monte Carlo tree search with the PUCT rule", Networks: true, Models: true, Params: mctsParams, New: newMCTS},
		{Name: "own", Version: 1, Doc: "asks a program of yours for moves", own: true, Params: ownParams},
	}
}
