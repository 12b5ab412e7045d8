package serve

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine/search"
)

// errMixture refuses players that are drawn for each game.
var errMixture = errors.New("a mixture has no single player: name one")

// limitedPlayer is a player with limits.
type limitedPlayer struct {
	text string
	// lowered is set if the player would search more simulations.
	lowered bool
	// foreign are the ends of an alpha-beta search that are not the player's own: its limit is added
	// or lower.
	foreign []search.End
}

// limitPlayer returns a player that searches at most about a number of nodes, with a transposition table
// of at most hash MiB. The text is the name of a player spec: valid, and without parameters that stand for others.
//
// The limit hard ends a search inside an iteration, or before one that would probably reach it;
// only the exact search has no such limit. For mcts a simulation counts as a node, and each of its
// random plies too.
func limitPlayer(text string, nodes uint64, hash int) (l limitedPlayer, err error) {
	if strings.ContainsAny(text, "*+") {
		return l, errMixture
	}
	name, list, _ := strings.Cut(text, ":")
	p := parseParams(list)
	switch name {
	case "ab":
		unlimited := p.number("nodes", 0) == 0 && p.number("depth", 0) == 0
		if unlimited {
			p.set("nodes", defaultNodes)
		}
		if p.value("exact") == "true" {
			if p.limit("nodes", nodes) {
				l.foreign = []search.End{search.ByNodes}
			}
			break
		}
		p.most("hash", uint64(hash))
		if unlimited {
			p.set("hash", max(1, p.number("hash", 0)))
		}
		if p.number("nodes", 0) > nodes {
			p.set("nodes", nodes)
			l.foreign = append(l.foreign, search.ByNodes)
		}
		if p.limit("hard", nodes) {
			l.foreign = append(l.foreign, search.ByHard)
		}
	case "mcts":
		perSimulation := 1 + p.number("rollout", 0)
		l.lowered = p.number("sims", defaultSims)*perSimulation > nodes
		p.set("sims", max(1, min(p.number("sims", defaultSims), nodes/perSimulation)))
		p.most("cheap", p.number("sims", 0)-1)
	}
	l.text = name
	if len(p) > 0 {
		l.text += ":" + p.String()
	}
	return l, nil
}

// cutShort reports whether a search ended before the player would end it.
func (l *limitedPlayer) cutShort(end search.End) bool {
	return l.lowered || slices.Contains(l.foreign, end)
}

// The limits of players without parameters: see workers.
const (
	defaultNodes = 1000
	defaultSims  = 128
)

// params are the parameters of a player, in order.
type params []param

type param struct{ name, value string }

func parseParams(list string) (p params) {
	for _, text := range strings.Split(list, ",") {
		if text != "" {
			name, value, _ := strings.Cut(text, "=")
			p = append(p, param{name, value})
		}
	}
	return p
}

func (p params) String() string {
	var list []string
	for _, x := range p {
		text := x.name
		if x.value != "" {
			text += "=" + x.value
		}
		list = append(list, text)
	}
	return strings.Join(list, ",")
}

func (p params) value(name string) string {
	for _, x := range p {
		if x.name == name {
			return x.value
		}
	}
	return ""
}

// number returns the value of a parameter, or the default.
func (p params) number(name string, otherwise uint64) uint64 {
	n, err := strconv.ParseUint(p.value(name), 10, 63)
	if err != nil {
		return otherwise
	}
	return n
}

func (p *params) set(name string, n uint64) {
	for i := range *p {
		if (*p)[i].name == name {
			(*p)[i].value = fmt.Sprint(n)
			return
		}
	}
	*p = append(*p, param{name, fmt.Sprint(n)})
}

// most lowers a parameter that is given.
func (p *params) most(name string, n uint64) {
	if p.number(name, 0) > n {
		p.set(name, n)
	}
}

// limit sets a limit, of which 0 means none, to at most n. It reports whether that lowers it.
func (p *params) limit(name string, n uint64) bool {
	if now := p.number(name, 0); now > 0 && now <= n {
		return false
	}
	p.set(name, n)
	return true
}
