package encode

import (
	"fmt"

	"selfplay/engine"
)

// Replay replays the game of a record on pos. It calls look for every decision, with the
// position before the move on pos, and leaves the final position on pos. A record that
// does not fit the rules is an error.
func (g *Game) Replay(pos engine.Position, rec *engine.Record, look func(ply int, m engine.Move)) error {
	err := g.checkRecord(rec) // look may index ranks and scores by ply
	if err == nil {
		err = engine.Begin(pos, rec.Start)
	}
	if err != nil {
		return fmt.Errorf("replay game %d: %w", rec.Game, err)
	}
	for ply, action := range rec.Actions {
		m, err := g.Actions.Move(pos, action)
		if err != nil {
			return fmt.Errorf("replay game %d: ply %d: %w", rec.Game, ply, err)
		}
		look(ply, m)
		pos.Do(m)
	}
	return nil
}
