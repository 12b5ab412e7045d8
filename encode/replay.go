package encode

import (
	"fmt"

	"selfplay/engine"
)

// Replay plays the game of a record again on pos and shows look every position that a
// decision was made in, before the move of it is played. The position after the last
// move is left on pos. A record that does not fit the rules is an error.
func (g *Game) Replay(pos engine.Position, rec *engine.Record, look func(ply int, m engine.Move)) error {
	err := checkRecord(rec) // look may take a rank or a score of every ply
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
