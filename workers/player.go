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
	version int    // raised by hand when any of its games could go differently
	usage   string // how it is written, with its parameters
	// parse reads the parameters. It returns how they are written canonically
	// ("" where all have their defaults), and what makes players with them.
	parse func(params []string) (canonical string, make func() Player, err error)
}

// kinds lists every player. The next one is added here and nowhere else.
func kinds() []kind {
	return []kind{
		{"random", 1, "random[:uniform]", parseRandom},
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

// ParsePlayer reads a player's name: name[:key=value[,key=value]...].
func ParsePlayer(text string) (PlayerSpec, error) {
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
		return PlayerSpec{}, fmt.Errorf("unknown player %q: want one of %s", text, strings.Join(usages(all), ", "))
	}
	k := all[i]
	canonical, newPlayer, err := k.parse(params)
	if err != nil {
		return PlayerSpec{}, fmt.Errorf("player %q: %w: want %s", text, err, k.usage)
	}
	if canonical != "" {
		name += ":" + canonical
	}
	return PlayerSpec{name, k.version, newPlayer}, nil
}

func usages(all []kind) []string {
	var list []string
	for _, k := range all {
		list = append(list, k.usage)
	}
	return list
}

// random draws uniformly from the legal moves, as its position does.
type random struct{}

func (random) Play(pos engine.Position, src *rand.PCG) (m engine.Move, rank uint8, ok bool) {
	m, ok = pos.Random(src)
	return m, engine.RankUniform, ok
}

// parseRandom accepts the one distribution there is by its name.
func parseRandom(params []string) (string, func() Player, error) {
	if len(params) > 1 || len(params) == 1 && params[0] != "uniform" {
		return "", nil, fmt.Errorf("unknown parameter %q", strings.Join(params, ","))
	}
	return "", func() Player { return random{} }, nil
}
