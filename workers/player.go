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
	// Play chooses a move for the side to move, says in d what it thinks of it, and
	// plays it on pos. It reports false, and plays nothing, exactly where the game is
	// over. Its choice depends on the game so far and on src alone. Since it has
	// played when it returns, a move's action number must be read off the move,
	// whatever the position is by then.
	Play(pos engine.Position, src *rand.PCG, d *Decision) (ok bool)
}

// Decision is what a player says about one ply.
type Decision struct {
	Move engine.Move
	Rank uint8 // how good the move is, as engine.Record keeps it

	// Of a search; without one Nodes is 0 and nothing else here means anything.
	Nodes  uint32
	Score  int16       // of the best move, mover's view
	Best   engine.Move // the best move found, whatever was played
	Policy []Weight    // what the search thinks of moves; the player's until it plays again
}

// Weight is a move's part of a policy.
type Weight struct {
	Move   engine.Move
	Weight uint16
}

// kind is a sort of player: what comes before the colon of its name.
type kind struct {
	name    string
	version int    // raised by hand when any of its games could go differently
	doc     string // one line
	one     bool   // takes one of its parameters at most
	params  func(g *engine.Game) []param
	// parse reads the parameters. It returns how they are written canonically
	// ("" for a player that has none), and what makes players with them.
	parse func(g *engine.Game, params []string) (canonical string, m maker, err error)
}

// maker makes players.
type maker struct {
	searches bool // decisions come from searches
	single   bool // of the moves it tells only the best apart
	make     func() Player
}

// kinds lists every player. The next one is added here and nowhere else.
func kinds() []kind {
	return []kind{
		{"random", 1, "draws from the legal moves", true, randomParams, parseRandom},
		{"greedy", 1, "plays the move with the best static score after it", false, noParams, parseGreedy},
		{"ab", 1, "searches by alpha-beta with quiescence", false, alphaBetaParams, parseAlphaBeta},
		{"mcts", 1, "searches a tree by the PUCT rule", false, mctsParams, parseMCTS},
	}
}

// PlayerSpec is a player by name: what makes the same player for each worker. It is
// one player, or several of which one is drawn for each game.
type PlayerSpec struct {
	name    string
	version int
	parts   []part
}

// part is a player of a mixture.
type part struct {
	share engine.Fraction
	name  string
	maker maker
}

// String returns the canonical name: equal players have equal names.
func (s PlayerSpec) String() string { return s.name }

// Version returns the version of the player's play; a mixture's rises when that of
// a part does.
func (s PlayerSpec) Version() int { return s.version }

// Searches reports whether any decision comes from a search.
func (s PlayerSpec) Searches() bool {
	return slices.ContainsFunc(s.parts, func(p part) bool { return p.maker.searches })
}

// ParsePlayer reads the name of a player of g, name[:key=value[,key=value]...], or
// a mixture of them: 0.2*random + 0.8*ab:depth=2.
func ParsePlayer(g *engine.Game, text string) (PlayerSpec, error) {
	terms := strings.Split(text, "+")
	if len(terms) == 1 && !strings.Contains(text, "*") {
		name, version, m, err := parseOne(g, text)
		return PlayerSpec{name, version, []part{{engine.One, name, m}}}, err
	}
	var s PlayerSpec
	var names []string
	sum := engine.Fraction(0)
	for _, term := range terms {
		share, player, ok := strings.Cut(strings.TrimSpace(term), "*")
		if !ok {
			return PlayerSpec{}, fmt.Errorf("player %q: %q has no share: want SHARE*PLAYER + SHARE*PLAYER", text, term)
		}
		weight, err := engine.ParseFraction(share)
		if err != nil {
			return PlayerSpec{}, fmt.Errorf("player %q: %w", text, err)
		}
		name, version, m, err := parseOne(g, player)
		if err != nil {
			return PlayerSpec{}, err
		}
		s.parts = append(s.parts, part{weight, name, m})
		s.version += version
		sum += weight
		names = append(names, weight.String()+"*"+name)
	}
	if sum != engine.One {
		return PlayerSpec{}, fmt.Errorf("player %q: the shares add up to %s, want 1", text, sum)
	}
	s.name = strings.Join(names, " + ")
	return s, nil
}

// parseOne reads the name of a single player.
func parseOne(g *engine.Game, text string) (canonical string, version int, m maker, err error) {
	name, list, hasList := strings.Cut(text, ":")
	var params []string
	if hasList {
		params = strings.Split(list, ",")
	}
	all := kinds()
	i := slices.IndexFunc(all, func(k kind) bool { return k.name == name })
	if i < 0 {
		return "", 0, m, fmt.Errorf("unknown player %q: want one of %s", text, strings.Join(usages(g, all), ", "))
	}
	k := all[i]
	canonical, m, err = k.parse(g, params)
	if err != nil {
		return "", 0, m, fmt.Errorf("player %q: %w: want %s", text, err, k.usage(g))
	}
	if canonical != "" {
		name += ":" + canonical
	}
	return name, k.version, m, nil
}

func usages(g *engine.Game, all []kind) []string {
	var list []string
	for _, k := range all {
		list = append(list, k.usage(g))
	}
	return list
}

// seat is where a worker keeps the players of a side.
type seat struct {
	spec    *PlayerSpec
	players []Player // one a part
	now     Player   // who plays this game
}

func newSeat(spec *PlayerSpec) seat {
	s := seat{spec: spec}
	for _, p := range spec.parts {
		s.players = append(s.players, p.maker.make())
	}
	s.now = s.players[0]
	return s
}

// draw decides who plays the next game, and returns the name. Only a mixture draws.
func (s *seat) draw(src *rand.PCG) string {
	if len(s.players) == 1 {
		return s.spec.parts[0].name
	}
	r := engine.Fraction(engine.Below(src, uint32(engine.One)))
	i := 0
	for r >= s.spec.parts[i].share {
		r -= s.spec.parts[i].share
		i++
	}
	s.now = s.players[i]
	return s.spec.parts[i].name
}
