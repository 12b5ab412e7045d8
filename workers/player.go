package workers

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"selfplay/engine"
)

// Player decides for one side. It may keep memory between its decisions; a
// worker owns it and asks it from one goroutine.
type Player interface {
	// Play chooses a move for the side to move and plays it on pos. rank says how
	// good it is, as engine.Record keeps it. Play reports false, and plays nothing,
	// exactly where the game is over. Its choice depends on the game so far and on
	// src alone. Since it has played when it returns, a move's action number must
	// be read off the move, whatever the position is by then.
	Play(pos engine.Position, src *rand.PCG) (m engine.Move, rank uint8, ok bool)
}

// kind is a sort of player: what comes before the colon of its name.
type kind struct {
	name    string
	version int // raised by hand when any of its games could go differently
	// usage returns how it is written for a game, with its parameters.
	usage func(g *engine.Game) string
	// parse reads the parameters. It returns how they are written canonically
	// ("" for a player that has none), and what makes players with them.
	parse func(g *engine.Game, params []string) (canonical string, make func() Player, err error)
}

// kinds lists every player. The next one is added here and nowhere else.
func kinds() []kind {
	return []kind{
		{"random", 1, randomUsage, parseRandom},
	}
}

// PlayerSpec is a player by name: what makes the same player for each worker.
type PlayerSpec struct {
	name    string
	version int
	make    func() Player
}

// String returns the canonical name: equal players have equal names.
func (s PlayerSpec) String() string { return s.name }

// Version returns the version of the player's play.
func (s PlayerSpec) Version() int { return s.version }

// New returns a player for one worker.
func (s PlayerSpec) New() Player { return s.make() }

// ParsePlayer reads the name of a player of g: name[:key=value[,key=value]...].
func ParsePlayer(g *engine.Game, text string) (PlayerSpec, error) {
	if strings.ContainsAny(text, "*+") {
		return PlayerSpec{}, fmt.Errorf("player %q: mixtures are not supported, name one player", text)
	}
	name, list, hasList := strings.Cut(text, ":")
	var params []string
	if hasList {
		params = strings.Split(list, ",")
	}
	all := kinds()
	i := slices.IndexFunc(all, func(k kind) bool { return k.name == name })
	if i < 0 {
		return PlayerSpec{}, fmt.Errorf("unknown player %q: want one of %s", text, strings.Join(usages(g, all), ", "))
	}
	k := all[i]
	canonical, newPlayer, err := k.parse(g, params)
	if err != nil {
		return PlayerSpec{}, fmt.Errorf("player %q: %w: want %s", text, err, k.usage(g))
	}
	if canonical != "" {
		name += ":" + canonical
	}
	return PlayerSpec{name, k.version, newPlayer}, nil
}

func usages(g *engine.Game, all []kind) []string {
	var list []string
	for _, k := range all {
		list = append(list, k.usage(g))
	}
	return list
}
