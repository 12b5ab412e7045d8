package workers

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

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

// Explainer is a Player that can say more about its last decision, for people. No dataset has that.
type Explainer interface {
	// Line returns how the player expects the game to go on after pos, in which it decided, at most most
	// moves; and how deep it searched. Both are empty if it did not search.
	Line(pos engine.Position, most int) (line []engine.Move, depth int)
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

// PlayerType is a type of player: the part of a player name before the colon. A program may
// have types that this module does not know; plans store their names and versions as those of
// the others.
type PlayerType struct {
	Name     string // in lower case
	Version  int    // from 1; raised by hand when any game of the type could change
	Doc      string // one line of help
	Networks bool   // accepts the parameters net and blend, which are not in Params
	Models   bool   // accepts the parameter eval, which is not in Params
	// Params returns the parameters in a game, in the order of canonical names. Nil: none.
	Params func(g *engine.Game) []Param
	// New returns the factory of the players with some parameters. It may change values where
	// one follows from another: the canonical name has those that it leaves. net is nil without
	// a network and without a model.
	New func(g *engine.Game, v Values, net *Network) (Factory, error)

	strongest bool // plays with the network of its game by default
	// singleParam: at most one parameter is accepted. parse then reads it and returns its
	// canonical form.
	singleParam bool
	parse       func(g *engine.Game, params []string) (canonical string, f Factory, err error)
}

// Factory creates the players of one name, one for each worker.
type Factory struct {
	Searches bool // decisions come from searches: they have scores and nodes
	Caps     bool // some of its searches are cheap and have no policy
	OnlyBest bool // the search scores only the best move exactly
	// Stateless players keep nothing between decisions: a choice depends on the position, its history
	// and the random source only. Their games go on from a journal; those of others begin again.
	Stateless bool
	// New creates a player. abort ends a search early: one that takes long asks it now and then.
	New func(abort search.Abort) Player
	// Memory is the largest number of bytes of the tables and trees of each player, 0 if they are small or not known.
	Memory uint64
	// Games are those of two such players as models of scores know them. The zero value: no
	// model may fit them.
	Games encode.SearchedGames

	network *Network
	rates   bool // a searchPlayer: exploration may draw among its best moves
}

// Players is a list of types of players with different names.
type Players []PlayerType

// PlayerTypes returns the types of this module. A new one is added here only.
func PlayerTypes() Players {
	return Players{
		{Name: "random", Version: 1, Doc: "plays a random legal move", Params: randomParams, singleParam: true, parse: parseRandom},
		{Name: "greedy", Version: 1, Doc: "plays the move with the best static score after it", Networks: true, Models: true, New: newGreedy},
		{Name: "ab", Version: 1, Doc: "alpha-beta search with quiescence", Networks: true, strongest: true, Params: alphaBetaParams, New: newAlphaBeta},
		{Name: "mcts", Version: 1, Doc: "Monte Carlo tree search with the PUCT rule", Networks: true, Models: true, Params: mctsParams, New: newMCTS},
	}
}

// names returns the names of the types.
func (list Players) names() (names []string) {
	for _, t := range list {
		names = append(names, t.Name)
	}
	return names
}

// Check returns an error if names or parameters of the types are not those of player names.
func (list Players) Check() error {
	names := list.names()
	for i, t := range list {
		switch {
		case !isWord(t.Name):
			return fmt.Errorf("player %q: want a name of lower-case letters, digits and _", t.Name)
		case slices.Contains(names[:i], t.Name):
			return fmt.Errorf("player %q: two types of players have this name", t.Name)
		case t.Version < 1 || t.New == nil && t.parse == nil:
			return fmt.Errorf("player %q: want a version from 1 and a constructor", t.Name)
		}
	}
	return nil
}

// isWord reports whether a name stands for itself in a player name.
func isWord(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// Catalog is what a program plays: its games and the types of its players.
type Catalog struct {
	Games   encode.Catalog
	Players Players
}

// Check returns an error if games or players cannot be told apart by name.
func (c Catalog) Check() error {
	if err := c.Games.Check(); err != nil {
		return err
	}
	return c.Players.Check()
}

// sidePlayers are the players of one side of a worker.
type sidePlayers struct {
	spec      *PlayerSpec
	players   []Player // one per component of spec
	current   Player   // of the current game
	component int      // of spec: that of current

	clock func() int64 // of decisions; nil if they are not measured
}

// newSidePlayers creates the players of spec. clock is that of the series; abort ends searches.
func newSidePlayers(spec *PlayerSpec, clock func() int64, abort search.Abort) sidePlayers {
	s := sidePlayers{spec: spec, clock: clock, players: spec.NewPlayers(abort)}
	s.current = s.players[0]
	if e, ok := s.current.(External); ok && clock != nil {
		s.clock = e.CPU
	}
	return s
}

// attach makes the models of the players ask through the worker.
func (s *sidePlayers) attach(w *worker) {
	for _, p := range s.players {
		if p, ok := p.(*searchPlayer); ok && p.asker != nil {
			p.asker.worker = w
		}
	}
}

// draw selects the player of the next game and returns its name. It draws from src only
// for a mixture.
func (s *sidePlayers) draw(src *rand.PCG) string {
	s.component = s.spec.Draw(src)
	s.current = s.players[s.component]
	return s.spec.components[s.component].name
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
