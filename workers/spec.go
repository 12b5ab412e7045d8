package workers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
	"selfplay/engine/search"
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
	factory
}

// String returns the canonical name: equal players have equal names.
func (s PlayerSpec) String() string { return s.name }

// Version returns the version of the player's play. The version of a mixture is the sum
// of the versions of its components.
func (s PlayerSpec) Version() int { return s.version }

// Searches reports whether any decision may come from a search.
func (s PlayerSpec) Searches() bool {
	return slices.ContainsFunc(s.components, func(c component) bool { return c.searches })
}

// AlwaysSearches reports whether every decision comes from a search.
func (s PlayerSpec) AlwaysSearches() bool {
	return !slices.ContainsFunc(s.components, func(c component) bool { return !c.searches })
}

// newPlayer creates the player; of a mixture its first component.
func (s PlayerSpec) newPlayer(abort search.Abort) Player { return s.components[0].newPlayer(abort) }

// versioned returns the name with the version, as in "ab:depth=2 v1".
func (s PlayerSpec) versioned() string { return fmt.Sprintf("%s v%d", s.name, s.version) }

// ParsePlayer parses a player name for the game g: NAME[:KEY=VALUE[,KEY=VALUE]...], or a
// mixture such as 0.2*random + 0.8*ab:depth=2, whose fractions add up to 1. It refuses
// networks.
func ParsePlayer(g *engine.Game, text string) (PlayerSpec, error) {
	return ParsePlayerWith(g, text, nil)
}

// ParsePlayerWith is ParsePlayer for a player that may have networks, which find finds.
func ParsePlayerWith(g *engine.Game, text string, find Networks) (PlayerSpec, error) {
	terms := strings.Split(text, "+")
	if len(terms) == 1 && !strings.Contains(text, "*") {
		name, version, f, err := parseSingle(g, text, find)
		return PlayerSpec{name, version, []component{{engine.One, name, f}}}, err
	}
	var s PlayerSpec
	var names []string
	sum := engine.Fraction(0)
	for _, term := range terms {
		c, version, err := parseTerm(g, text, term, find)
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
func parseTerm(g *engine.Game, text, term string, find Networks) (c component, version int, err error) {
	fraction, player, ok := strings.Cut(strings.TrimSpace(term), "*")
	if !ok {
		return c, 0, fmt.Errorf("player %q: %q has no fraction: want FRACTION*PLAYER + FRACTION*PLAYER", text, term)
	}
	if c.fraction, err = engine.ParseFraction(fraction); err != nil {
		return c, 0, fmt.Errorf("player %q: %w", text, err)
	}
	c.name, version, c.factory, err = parseSingle(g, player, find)
	return c, version, err
}

// parseSingle parses the name of a single player.
func parseSingle(g *engine.Game, text string, find Networks) (canonical string, version int, f factory, err error) {
	name, list, hasParams := strings.Cut(text, ":")
	var params []string
	if hasParams {
		params = strings.Split(list, ",")
	}
	types := playerTypes()
	i := slices.IndexFunc(types, func(t playerType) bool { return t.name == name })
	if i < 0 {
		return "", 0, f, fmt.Errorf("unknown player %q: want one of %s", text, strings.Join(usages(g, types), ", "))
	}
	t := types[i]
	var net *network
	if t.networks {
		if params, net, err = takeNetwork(g, params, find); err != nil {
			return "", 0, f, fmt.Errorf("player %q: %w", text, err)
		}
	}
	canonical, f, err = t.parse(g, params, net)
	if err != nil && !errors.Is(err, errNoPolicy) {
		err = fmt.Errorf("%w: want %s", err, t.usage(g))
	}
	if err != nil {
		return "", 0, f, fmt.Errorf("player %q: %w", text, err)
	}
	all := net.canonical()
	if canonical != "" {
		all = slices.Insert(all, 0, canonical)
	}
	if len(all) > 0 {
		name += ":" + strings.Join(all, ",")
	}
	f.network = net
	return name, t.version + net.version(), f, nil
}

func usages(g *engine.Game, types []playerType) []string {
	var list []string
	for _, t := range types {
		list = append(list, t.usage(g))
	}
	return list
}
