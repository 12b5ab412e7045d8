package chess

import "selfplay/engine"

// Ends of the game, in this order: the side to move has no legal move, and is
// mated or stalemated; a hundred half-moves without a pawn move or a capture; the
// same position for the third time; too few pieces to mate. So mate comes before
// every draw, as the Laws have it, and of two draws the first in this order is told.

// Outcome returns how the game ended, if it did.
func (p *Position) Outcome() engine.Outcome {
	switch {
	case !p.canMove() && p.Check():
		return engine.Outcome{Result: engine.Win(p.Turn().Other()), Reason: engine.Checkmate}
	case !p.canMove():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Stalemate}
	case p.half() >= fiftyClock:
		return engine.Outcome{Result: engine.Draw, Reason: engine.Fifty}
	case p.repeated():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	case p.dead():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Material}
	}
	return engine.Ongoing
}

const (
	fiftyClock   = 100 // the half-move clock that draws: fifty moves of each side
	soonestThird = 8   // the least where a position can stand for the third time
)

// drawn reports whether the game is over unless it was by the lack of a legal move.
func (p *Position) drawn() bool {
	half := p.half()
	return half >= soonestThird && (half >= fiftyClock || p.Repetitions() >= 2) || p.dead()
}

// canMove reports whether the side to move has a legal move. Mostly some pawn can
// step ahead or the king aside, and that settles it.
func (p *Position) canMove() bool {
	us := p.turn()
	cell := p.kingCell(us)
	if checkers, pinned := p.threats(us, cell); checkers == 0 {
		if t := p.pawnTargets(us, p.kinds[pawn]&p.sides[us]&^pinned, all); t.one|t.left|t.right != 0 {
			return true
		}
	}
	return p.kingTargets(us, cell) != 0 || p.Count() > 0
}

// repeated reports whether the position stands for the third time.
func (p *Position) repeated() bool {
	return p.half() >= soonestThird && p.Repetitions() >= 2
}

// Repetitions returns how often the position stood before since Set or Reset, at
// most 2. Only what came after the last capture or pawn move can be equal, with the
// same side to move, and not before each side has gone and come back.
func (p *Position) Repetitions() int {
	const soonest = 4
	past := p.past[:p.ply]
	oldest := max(p.ply-p.half(), 0)
	n := 0
	for i := p.ply - soonest; i >= oldest; i -= 2 {
		if past[i].hash == p.hash {
			if n++; n == 2 {
				break
			}
		}
	}
	return n
}

// dead reports whether nobody can mate any more: kings alone, with one minor piece,
// or with bishops that all stand on one colour of squares. Two knights can.
func (p *Position) dead() bool {
	const light = 0xaa55aa55aa55aa55 // a8 is light
	if p.kinds[pawn]|p.kinds[rook]|p.kinds[queen] != 0 {
		return false
	}
	bishops := p.kinds[bishop]
	minors := bishops | p.kinds[knight]
	return minors&(minors-1) == 0 || minors == bishops && (bishops&light == 0 || bishops&^light == 0)
}
