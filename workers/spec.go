package workers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/internal/typo"
)

// PlayerSpec is a parsed player name: a single player or a mixture, from which one player
// is drawn for each game. Every worker creates its own players from it.
type PlayerSpec struct {
	name       string
	version    int
	components []component // one for a single player
}

// component is a player of a mixture.
type component struct {
	fraction engine.Fraction // of the games
	name     string
	Factory
}

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
		if texts, n, err = takeNetwork(g, texts, own, find.Networks); err != nil {
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
