package cotulenh

import "selfplay/engine"

// Game returns the static half of CoTuLenh.
func Game() engine.Game {
	return engine.Game{
		Name:     "cotulenh",
		Title:    "Cờ Tư Lệnh",
		Rules:    1,
		Sides:    [2]string{"red", "blue"},
		MaxPlies: 1000,
		// 19 heroic pieces on an empty board have 465 moves, and may have twice as many captures of an
		// air force; the leads of all possible stacks have 250 more.
		MostMoves: 800,
		New:       func(string) engine.Position { return New() },
	}
}

// New returns a position at the start of the game.
func New() *Position {
	p := new(Position)
	p.Reset()
	return p
}

// Reset returns to the start of the game and forgets the history. It keeps the memory
// of p.
func (p *Position) Reset() { p.copyFrom(startPosition) }

// startPosition is the start of the game, for Reset to copy.
var startPosition = func() *Position {
	d, err := parsePosition(StartText)
	if err != nil {
		panic(err)
	}
	p := new(Position)
	p.arrange(d)
	return p
}()

// Set makes p the position that text describes and forgets the history. The error is
// always an *engine.TextError and leaves p unchanged. Set also reads the session field
// of the published engine (read.go).
func (p *Position) Set(text string) error {
	d, err := parsePosition(text)
	if err != nil {
		return err
	}
	if d.session == "" {
		p.arrange(d)
		return nil
	}
	// Only a position can check a session, and p must not change if the check fails.
	q := new(Position)
	q.arrange(d)
	if err := q.openSession(d.session); err != nil {
		return err
	}
	p.copyFrom(q)
	return nil
}

// Put sets what stands on a square, without a promotion, and forgets the history. It
// is an error in an open session. An error leaves p unchanged.
func (p *Position) Put(sq Square, s Stack) error {
	switch {
	case !sq.Valid():
		return fault(kindFormat, "structure", "put: square %d is not on the board", sq)
	case p.session.open():
		return fault(kindSession, "session", "put on %v: a deployment session is open", sq)
	case s >= NumStacks:
		return fault(kindPiece, "lexical", "put on %v: unknown stack code %d, want 0 to %d", sq, s, NumStacks-1)
	}
	if s != Empty {
		if !CanStand(s.Lead(), sq) {
			return fault(kindTerrain, "terrain", "put %v on %v: its lead cannot stand on this terrain", s, sq)
		}
		other, exists := p.Commander(s.Side())
		if infos[s].commander != 0 && exists && other != sq {
			return fault(kindCommander, "semantic", "put %v on %v: this side already has a commander on %v", s, sq, other)
		}
	}
	if p.cells[sq] != s {
		p.set(uint8(sq), s)
	}
	p.startHistory()
	return nil
}

// arrange sets up the position of a text without its session.
func (p *Position) arrange(d *description) {
	p.clear()
	for _, sq := range boardSquares {
		if s := d.cells[sq]; s != Empty {
			p.set(sq, s)
		}
	}
	p.turn, p.half, p.full = d.turn, d.half, d.full
	p.startHistory()
}

// clear empties the board and forgets everything except memory.
func (p *Position) clear() {
	*p = Position{log: p.log[:0], history: p.history[:0], turnHashes: p.turnHashes[:0], scratch: p.scratch}
	for sq := range p.cells {
		p.cells[sq] = dead
	}
	for _, sq := range boardSquares {
		p.cells[sq] = Empty
	}
	p.sides[0].commander = NoSquare
	p.sides[1].commander = NoSquare
	p.session = noSession
	p.full = 1
	p.candidatesKnown = true
}

// copyFrom makes p a copy of q, which has no history, and keeps the memory of p.
func (p *Position) copyFrom(q *Position) {
	log, past, turnHashes, scratch := p.log[:0], p.history[:0], append(p.turnHashes[:0], q.turnHashes...), p.scratch
	*p = *q
	p.log, p.history, p.turnHashes, p.scratch = log, past, turnHashes, scratch
}

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
