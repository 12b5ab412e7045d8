package cotulenh

import "selfplay/engine"

// Ends of the game are tested at the start of a turn only, in this order: a
// commander is gone; the side to move has no legal step; a hundred half-moves
// without a capture; the same placement with the same side to move for the third
// time.

// Outcome returns how the game ended, if it did.
func (p *Position) Outcome() engine.Outcome {
	if p.session.open() {
		return engine.Ongoing
	}
	us, them := engine.Side(p.turn), engine.Side(p.turn^1)
	mine := p.sides[us].commander != noSquare
	theirs := p.sides[them].commander != noSquare
	stuck := mine && theirs && !p.hasLegal()
	switch {
	case !mine && !theirs:
		return engine.Outcome{Result: engine.Draw, Reason: engine.CommanderCaptured}
	case !mine:
		return engine.Outcome{Result: engine.Win(them), Reason: engine.CommanderCaptured}
	case !theirs:
		return engine.Outcome{Result: engine.Win(us), Reason: engine.CommanderCaptured}
	case stuck && p.Check():
		return engine.Outcome{Result: engine.Win(them), Reason: engine.Checkmate}
	case stuck:
		return engine.Outcome{Result: engine.Draw, Reason: engine.Stalemate}
	case p.half >= fiftyClock:
		return engine.Outcome{Result: engine.Draw, Reason: engine.Fifty}
	case p.repeated():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	}
	return engine.Ongoing
}

// fiftyClock is the half-move clock that draws: fifty moves of each side.
const fiftyClock = 100

// ended reports whether the game is over at the start of a turn for any reason
// but the lack of a legal step.
func (p *Position) ended() bool {
	return p.sides[0].commander == noSquare || p.sides[1].commander == noSquare ||
		p.half >= fiftyClock || p.repeated()
}

// repeated reports whether the position stands for the third time at the start of
// a turn. Only turns since the last capture can be equal.
func (p *Position) repeated() bool {
	const times = 3
	if p.seen[p.hash%seenSize] < times {
		return false
	}
	n := 0
	for i, back := len(p.turns)-1, int(p.half); i >= 0 && back >= 0; i, back = i-1, back-1 {
		if p.turns[i] == p.hash {
			n++
		}
	}
	return n >= times
}

// hasLegal reports whether the side to move has a legal step at a turn's start.
func (p *Position) hasLegal() bool {
	a := &p.sides[p.turn&1]
	if a.commander == noSquare {
		return false
	}
	d := p.assess()
	// legal reverts the list exactly, so walking it by index is safe.
	for i := range a.n {
		list := p.pseudoLegalFrom(p.list[:0], a.list[i])
		p.list = list
		for _, m := range list {
			if p.sure(m, &d) || p.legal(m, &d) {
				return true
			}
		}
	}
	return false
}
