package contrast

import "fmt"

// Reachable returns why no game leads to the position, or nil if it finds no reason.
// Each test is sound; together they are not complete:
//
//   - each side has five pieces, because there are no captures;
//   - board and hands together hold six black and two gray tiles;
//   - at most one piece stands on its goal row, because the first one ends the game;
//   - its side is not to move, because that piece has just moved.
//
// In any other position either side may be to move: a jump covers the distance of
// several steps, so a side can lose a ply and return to the same cells.
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
	var onGoal [2]uint32
	for side, name := range sideNames {
		if n := p.pieces[side].count(); n != 5 {
			return fmt.Errorf("reach position: %d %s pieces, want 5", n, name)
		}
		onGoal[side] = (p.pieces[side] & goals[side]).count()
	}
	if n := onGoal[0] + onGoal[1]; n > 1 {
		return fmt.Errorf("reach position: %d pieces on their goal rows, want 1 at most", n)
	}
	if onGoal[p.turn&1] > 0 {
		return fmt.Errorf("reach position: %s has reached its goal but is to move", sideNames[p.turn&1])
	}
	return nil
}
