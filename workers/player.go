package workers

import (
	"math/rand/v2"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/search"
)

// Player decides for one side. It may keep memory between decisions. It belongs to one
// worker, so it is used by one goroutine only.
type Player interface {
	// Play chooses a move for the side to move, describes the choice in d and plays it on
	// pos. If the game is over or its search is aborted, it plays nothing and returns false;
	// otherwise it returns true. The choice depends on the game so far and on src only.
	//
	// After an aborted search d.Best is the best move so far. Nodes is 0 if it has no score.
	//
	// The worker asks for the action numbers of the decision's moves after Play, when pos
	// has changed (see encode.Actions.Number).
	Play(pos engine.Position, src *rand.PCG, d *Decision) (ok bool)
}

// Decision is a player's choice at one ply.
type Decision struct {
	Move engine.Move // the move played
	Rank uint8       // of the move, as in engine.Record.MoveRanks

	// The fields below describe a search. Without one Nodes is 0 and the others are
	// undefined.
	Nodes  uint32
	Score  int16       // of the best move, from the view of the side to move
	Best   engine.Move // the best move, which need not be the move played
	Policy []Weight    // belongs to the player, valid until its next Play
}

// Weight is the weight of a move in a policy.
type Weight struct {
	Move   engine.Move
	Weight uint16
}

// playerType is a type of player: the part of a player name before the colon.
type playerType struct {
	name        string
	version     int    // raised by hand when any of its games could change
	doc         string // one line of help
	singleParam bool   // accepts at most one parameter
	networks    bool   // accepts the parameters of a network, which are not in params
	params      func(g *engine.Game) []param
	// parse parses parameters; net is the player's network, or nil. It returns their canonical
	// form, "" if all are defaults.
	parse func(g *engine.Game, params []string, net *network) (canonical string, f factory, err error)
}

// factory creates the players of one player name.
type factory struct {
	searches  bool                            // decisions come from searches
	onlyBest  bool                            // the search scores only the best move exactly
	newPlayer func(abort search.Abort) Player // abort ends its searches early
	network   *network                        // of the search, nil if it has none

	games encode.SearchedGames // of two such players, if a model may fit them
}

// playerTypes lists all player types. A new one is added here only.
func playerTypes() []playerType {
	return []playerType{
		{name: "random", version: 1, doc: "plays a random legal move", singleParam: true, params: randomParams, parse: parseRandom},
		{name: "greedy", version: 1, doc: "plays the move with the best static score after it", networks: true, params: noParams, parse: parseGreedy},
		{name: "ab", version: 1, doc: "alpha-beta search with quiescence", networks: true, params: alphaBetaParams, parse: parseAlphaBeta},
		{name: "mcts", version: 1, doc: "Monte Carlo tree search with the PUCT rule", networks: true, params: mctsParams, parse: parseMCTS},
	}
}

// sidePlayers are the players of one side of a worker.
type sidePlayers struct {
	spec    *PlayerSpec
	players []Player // one per component of spec
	current Player   // of the current game

	external External     // the only player, if it is one
	clock    func() int64 // of decisions; nil if they are not measured
}

// newSidePlayers creates the players of spec. clock is that of the series; abort ends searches.
func newSidePlayers(spec *PlayerSpec, clock func() int64, abort search.Abort) sidePlayers {
	s := sidePlayers{spec: spec, clock: clock}
	for _, c := range spec.components {
		s.players = append(s.players, c.newPlayer(abort))
	}
	s.current = s.players[0]
	if e, ok := s.current.(External); ok {
		s.external = e
		if clock != nil {
			s.clock = e.CPU
		}
	}
	return s
}

// NewPlayer creates a player for one game, whose searches abort ends early. It draws from src
// only for a mixture.
func (s PlayerSpec) NewPlayer(src *rand.PCG, abort search.Abort) Player {
	p := newSidePlayers(&s, nil, abort)
	p.draw(src)
	return p.current
}

// draw selects the player of the next game and returns its name. It draws from src only
// for a mixture.
func (s *sidePlayers) draw(src *rand.PCG) string {
	if len(s.players) == 1 {
		return s.spec.components[0].name
	}
	r := engine.Fraction(engine.Below(src, uint32(engine.One)))
	i := 0
	for r >= s.spec.components[i].fraction {
		r -= s.spec.components[i].fraction
		i++
	}
	s.current = s.players[i]
	return s.spec.components[i].name
}
