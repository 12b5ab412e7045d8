package workers

import (
	"fmt"
	"strings"

	"selfplay/engine"
	"selfplay/engine/search"
)

// External is a Player that another program decides for, as a chess engine does. It searches
// and scores its best move only. Its games are a function of the series and of that program.
type External interface {
	Player
	// Begin announces a game before the first Play. rec holds its start and its plies before the
	// next Play, those of the opening included. It grows with every ply until the game ends.
	Begin(rec *engine.Record)
	// Err returns why the last Play returned false, or nil if the game was over.
	Err() error
	// CPU returns the CPU time of all decisions so far in nanoseconds. It replaces the
	// clock of the series.
	CPU() int64
	// Close ends the program. The worker calls it once, after the last Play.
	Close()
}

// ExternalPrefix begins the name of a player that another program decides for.
const ExternalPrefix = "uci:"

// ExternalVersion is the version of such a player. It changes with what the other program is asked.
const ExternalVersion = 1

// Externals finds the player of a name that begins with ExternalPrefix. The error says what is wrong
// and what to do.
type Externals func(name string) (PlayerSpec, error)

// ExternalPlayer returns the spec of a player that newPlayer creates, once per worker. It is stateless if a choice
// depends on the position and its history only: see Factory.
func ExternalPlayer(name string, stateless bool, newPlayer func(abort search.Abort) External) PlayerSpec {
	f := Factory{Searches: true, OnlyBest: true, Stateless: stateless, New: func(abort search.Abort) Player { return newPlayer(abort) }}
	return PlayerSpec{name, ExternalVersion, []component{{engine.One, name, f}}}
}

// isExternal reports whether another program decides for the player of a name.
func isExternal(name string) bool { return strings.HasPrefix(name, ExternalPrefix) }

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

// beginPlayers announces a game to players that keep something of it.
func (w *worker) beginPlayers(rec *engine.Record) {
	for i := range w.players {
		if e, ok := w.players[i].current.(External); ok {
			e.Begin(rec)
		}
		if p, ok := w.players[i].current.(*searchPlayer); ok {
			p.NewGame()
		}
	}
}

// failure returns why the player returned no move although the game is not over: an External or a
// search by a model may have failed.
func (s *sidePlayers) failure() error {
	if err := s.err(); err != nil {
		return err
	}
	return errNoMove
}

// err returns why the last Play of a player failed, nil if it did not.
func (s *sidePlayers) err() error {
	if f, ok := s.current.(interface{ Err() error }); ok {
		return f.Err()
	}
	return nil
}
