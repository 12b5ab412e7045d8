package workers

import (
	"selfplay/engine"
	"selfplay/engine/search"
)

// External is a Player that another program decides for, as a chess engine does. It searches
// and scores its best move only. Its games depend on more than the series, so a dataset
// must not contain them.
type External interface {
	Player
	// Begin announces a game before the first Play. rec holds its start and the plies of
	// its opening. It grows with every ply until the game ends.
	Begin(rec *engine.Record)
	// Err returns why the last Play returned false, or nil if the game was over.
	Err() error
	// CPU returns the CPU time of all decisions so far in nanoseconds. It replaces the
	// clock of the series.
	CPU() int64
	// Close ends the program. The worker calls it once, after the last Play.
	Close()
}

// ExternalPlayer returns the spec of a player that newPlayer creates, once per worker.
// ParsePlayer does not know its name.
func ExternalPlayer(name string, newPlayer func() External) PlayerSpec {
	f := Factory{Searches: true, OnlyBest: true, New: func(search.Abort) Player { return newPlayer() }}
	return PlayerSpec{name, 1, []component{{engine.One, name, f}}}
}

// beginPlayers announces a game to players that keep something of it.
func (w *worker) beginPlayers(rec *engine.Record) {
	for i := range w.players {
		if e := w.players[i].external; e != nil {
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
