package cotulenh

import "selfplay/engine"

// Outcome returns the result of the game, engine.Ongoing in an open session. At the start
// of a turn it tests in this order: a commander is missing; the side to move has no
// legal step; a hundred half-moves without a capture; the third occurrence of the same
// placement with the same side to move.
func (p *Position) Outcome() engine.Outcome {
	if p.session.open() {
		return engine.Ongoing
	}
	us, them := engine.Side(p.turn), engine.Side(p.turn^1)
	hasOwn := p.sides[us].commander != NoSquare
	hasEnemy := p.sides[them].commander != NoSquare
	noStep := hasOwn && hasEnemy && !p.hasLegal()
	switch {
	case !hasOwn && !hasEnemy:
		return engine.Outcome{Result: engine.Draw, Reason: engine.CommanderCaptured}
	case !hasOwn:
		return engine.Outcome{Result: engine.Win(them), Reason: engine.CommanderCaptured}
	case !hasEnemy:
		return engine.Outcome{Result: engine.Win(us), Reason: engine.CommanderCaptured}
	case noStep && p.Check():
		return engine.Outcome{Result: engine.Win(them), Reason: engine.Checkmate}
	case noStep:
		return engine.Outcome{Result: engine.Draw, Reason: engine.Stalemate}
	case p.half >= DrawClock:
		return engine.Outcome{Result: engine.Draw, Reason: engine.Fifty}
	case p.repeated():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	}
	return engine.Ongoing
}

// Over reports whether the game is over for a reason other than the lack of a legal
// step. It is false in an open session.
func (p *Position) Over() bool {
	return !p.session.open() &&
		(p.sides[0].commander == NoSquare || p.sides[1].commander == NoSquare || p.half >= DrawClock || p.repeated())
}

// DrawClock is the half-move clock that draws: fifty moves of each side.
const DrawClock = 100

// repeated reports whether the position stands for the third time at the start of a
// turn. Only turns since the last capture can be equal.
func (p *Position) repeated() bool {
	const times = 3
	if p.hashCounts[p.hash%numHashCounts] < times {
		return false
	}
	n := 0
	for i, back := len(p.turnHashes)-1, int(p.half); i >= 0 && back >= 0; i, back = i-1, back-1 {
		if p.turnHashes[i] == p.hash {
			n++
		}
	}
	return n >= times
}

// hasLegal reports whether the side to move has a legal step at the start of a turn.
func (p *Position) hasLegal() bool {
	a := &p.sides[p.turn&1]
	if a.commander == NoSquare {
		return false
	}
	th := p.assess()
	// isLegal may change the list of squares, but restores it exactly.
	for i := range a.n {
		list := p.pseudoLegalFrom(p.moves[:0], a.squares[i], p.near(a.squares[i]))
		p.moves = list
		for _, m := range list {
			if p.isLegal(m, &th) {
				return true
			}
		}
	}
	return false
}
