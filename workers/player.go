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
	// Explain explains the decision in pos, with a line of at most some moves. It returns the zero
	// Explanation if the player did not search.
	Explain(pos engine.Position, moves int) Explanation
}

// Explanation says how a player came to a decision.
type Explanation struct {
	Line  []engine.Move // how the player expects the game to go on
	Depth int           // see search.Result
	End   search.End    // what ended the search
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
	own      bool   // the parameter is the name of a program of the user
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
	// KeepsInGames players are not Stateless, but keep nothing until their first NewGame.
	KeepsInGames bool
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

// Players is a list of types of players with different names.
type Players []PlayerType

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
		case t.Version < 1 || t.New == nil && t.parse == nil && !t.own:
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

// The random player draws from the legal moves: uniformly (random:uniform), or with a
// sampler of its game and the fraction that parametrizes it (random:tile=0.25). Without a
// parameter it uses the first sampler of the game with its default, or draws uniformly if
// the game has no sampler.

// uniformPlayer draws uniformly from the legal moves.
type uniformPlayer struct{}

func (uniformPlayer) Play(pos engine.Position, src *rand.PCG, d *Decision) (ok bool) {
	d.Move, ok = pos.DoRandom(src)
	d.Rank, d.Nodes = engine.RankRandom, 0
	return ok
}

// samplerPlayer draws with a sampler of the game.
type samplerPlayer struct {
	doRandom func(engine.Position, *rand.PCG, engine.Fraction) (engine.Move, bool)
	value    engine.Fraction
}

func (p samplerPlayer) Play(pos engine.Position, src *rand.PCG, d *Decision) (ok bool) {
	d.Move, ok = p.doRandom(pos, src, p.value)
	d.Rank, d.Nodes = engine.RankRandom, 0
	return ok
}

func randomParams(g *engine.Game) []Param {
	list := []Param{{Name: "uniform", Doc: "draw every legal move with equal probability"}}
	for _, s := range g.Samplers {
		list = append(list, Param{Name: s.Name, Usage: "FRACTION", Doc: "draw with the game's own sampler and this parameter", Default: int(s.Default), Max: int(engine.One), Decimals: true})
	}
	return list
}

// parseRandom accepts at most one parameter. The canonical form always names the
// distribution, unless the game has no sampler.
func parseRandom(g *engine.Game, params []string) (string, Factory, error) {
	text := strings.Join(params, ",")
	switch {
	case len(params) == 0 && len(g.Samplers) == 0, text == "uniform":
		canonical := "uniform"
		if len(g.Samplers) == 0 {
			canonical = ""
		}
		return canonical, Factory{Stateless: true, New: func(search.Abort) Player { return uniformPlayer{} }}, nil
	case len(params) == 0:
		return samplerFactory(g.Samplers[0], g.Samplers[0].Default)
	}
	name, value, _ := strings.Cut(text, "=")
	for _, s := range g.Samplers {
		if s.Name == name {
			f, err := engine.ParseFraction(value)
			if err != nil {
				return "", Factory{}, fmt.Errorf("%s: %w", name, err)
			}
			return samplerFactory(s, f)
		}
	}
	return "", Factory{}, unknownParam(text, randomParams(g))
}

func samplerFactory(s engine.Sampler, value engine.Fraction) (string, Factory, error) {
	return s.Name + "=" + value.String(), Factory{Stateless: true, New: func(search.Abort) Player { return samplerPlayer{s.DoRandom, value} }}, nil
}

// External is a Player that another program decides for, as a chess engine does. It searches
// and scores its best move only. Its games are a function of the series and of that program.
type External interface {
	Player
	beginner
	// Err returns why the last Play returned false, or nil if the game was over.
	Err() error
	// CPU returns the CPU time of all decisions so far in nanoseconds. It replaces the
	// clock of the series.
	CPU() int64
	// Close ends the program. The worker calls it once, after the last Play.
	Close()
}

// beginner is a Player that is told of the game.
type beginner interface {
	// Begin announces a game before the first Play. rec holds its number, its start and its plies before the
	// next Play, those of the opening included. It grows with every ply until the game ends.
	Begin(rec *engine.Record)
}

// ExternalPrefix begins the name of a player that another program decides for.
const ExternalPrefix = "uci:"

// ExternalVersion is the version of such a player. It changes with what the other program is asked.
const ExternalVersion = 1

// Externals finds the player of a name that begins with ExternalPrefix. The error says what is wrong
// and what to do.
type Externals func(name string) (PlayerSpec, error)

// isExternal reports whether another program decides for the player of a name.
func isExternal(name string) bool { return strings.HasPrefix(name, ExternalPrefix) }
