package contrast

import "fmt"

// Reachable returns why no game leads to the position, nil if one may. Each test
// is sound, together they are not complete:
//
//   - nothing is captured, so each side has five pieces;
//   - tiles never leave the game, so board and hands hold six black and two gray;
//   - the game ends with the first piece on its goal row, so there is one at most;
//   - that piece has just moved, so its side is not to move.
//
// In any other position either side may be to move: a jump takes a piece as far as
// several steps, so a side can lose a ply and come back to the same cells.
func (p *Position) Reachable() error {
	black, gray := p.tiles[0].count(), p.tiles[1].count()
	for _, h := range p.hands {
		black += uint32(h.black())
		gray += uint32(h.gray())
	}
	if black != 6 {
		return fmt.Errorf("reach position: %d black tiles on the board and in hand, want 6", black)
	}
	if gray != 2 {
		return fmt.Errorf("reach position: %d gray tiles on the board and in hand, want 2", gray)
	}
	var home [2]uint32
	for side, name := range sideNames {
		if n := p.pieces[side].count(); n != 5 {
			return fmt.Errorf("reach position: %d %s pieces, want 5", n, name)
		}
		home[side] = (p.pieces[side] & goals[side]).count()
	}
	if n := home[0] + home[1]; n > 1 {
		return fmt.Errorf("reach position: %d pieces on their goal rows, want 1 at most", n)
	}
	if home[p.turn&1] > 0 {
		return fmt.Errorf("reach position: %s has reached the goal and is to move", sideNames[p.turn&1])
	}
	return nil
}
