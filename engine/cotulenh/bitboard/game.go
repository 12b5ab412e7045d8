package bitboard

import (
	"slices"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Game returns the game as package cotulenh does, with positions of this package.
func Game() engine.Game {
	g := cotulenh.Game()
	g.New = func(string) engine.Position { return New() }
	return g
}

// Outcome returns the result of the game, engine.Ongoing in an open session; see package
// cotulenh.
func (p *Position) Outcome() engine.Outcome {
	if p.session.open() {
		return engine.Ongoing
	}
	us, them := engine.Side(p.turn), engine.Side(p.turn^1)
	hasOwn := p.sides[us].commander != noSquare
	hasEnemy := p.sides[them].commander != noSquare
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
	case p.half >= cotulenh.DrawClock:
		return engine.Outcome{Result: engine.Draw, Reason: engine.Fifty}
	case p.repeated():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	}
	return engine.Ongoing
}

// Over reports whether the game is over for a reason other than the lack of a legal step.
// It is false in an open session.
func (p *Position) Over() bool {
	return !p.session.open() &&
		(p.sides[0].commander == noSquare || p.sides[1].commander == noSquare || p.half >= cotulenh.DrawClock || p.repeated())
}

// repeated reports whether the position stands for the third time at the start of a turn.
// Only turns since the last capture can be equal.
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
	own := p.own()
	if own.commander == noSquare {
		return false
	}
	th := p.assess()
	// isLegal may change the list of squares, but restores it exactly.
	for i := range own.n {
		list := p.pseudoLegalFrom(p.moves[:0], own.squares[i])
		p.moves = list
		for _, m := range list {
			if p.isLegal(m, &th) {
				return true
			}
		}
	}
	return false
}

// Legal reports whether Moves lists a step. It generates only the steps of the same mover.
func (p *Position) Legal(m engine.Move) bool {
	if m == commit {
		return p.session.open() && p.canCommit()
	}
	if p.own().commander == noSquare {
		return false
	}
	p.moves = p.stepsOfMover(p.moves[:0], m)
	if !slices.Contains(p.moves, m) {
		return false
	}
	th := p.assess()
	return p.isLegal(m, &th)
}

// stepsOfMover appends the pseudo-legal steps of the mover of a step. It appends nothing if
// that mover does not exist here.
func (p *Position) stepsOfMover(dst []engine.Move, m engine.Move) []engine.Move {
	from, mover := fromOf(m), moverOf(m)
	f := &facts[p.cells[from]&511]
	slot := mover - deploy
	switch {
	case p.session.open():
		if from != p.session.origin || mover < deploy || p.session.rest>>slot&1 == 0 {
			return dst
		}
		return p.memberSteps(dst, slot)
	case f.side != p.turn:
		return dst
	case mover < deploy:
		return p.generateAll(dst, p.wholeOf(from))
	case f.size < 2 || slot >= f.size:
		return dst
	}
	return p.generateAll(dst, p.memberOf(from, slot))
}
