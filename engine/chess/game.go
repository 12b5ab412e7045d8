package chess

import "selfplay/engine"

var sideNames = [2]string{"white", "black"}

// Game returns the static half of chess.
func Game() engine.Game {
	return engine.Game{
		Name:      "chess",
		Title:     "Chess",
		Rules:     1,
		Sides:     sideNames,
		MaxPlies:  1000,
		MostMoves: 218, // no position of a game has more
		Variants:  []string{"", Chess960},
		Starts:    []engine.Starts{starts960},
		New:       newVariant,
	}
}

// Chess960 is the name of the variant. The default, standard chess, has no name.
const Chess960 = "chess960"

// newVariant panics if the variant is unknown: silently playing another one would be
// worse.
func newVariant(name string) engine.Position {
	switch name {
	case "":
		return New()
	case Chess960:
		return New960()
	}
	panic("chess: unknown variant " + name)
}

// Ends of the game, in order of priority:
//
//  1. the side to move has no legal move: checkmate or stalemate;
//  2. a hundred plies without a pawn move or a capture;
//  3. the third occurrence of a position;
//  4. insufficient material.
//
// Checkmate therefore takes priority over every draw, as in the FIDE Laws.

// Outcome returns how the game ended, or Ongoing.
func (p *Position) Outcome() engine.Outcome {
	switch {
	case !p.canMove() && p.Check():
		return engine.Outcome{Result: engine.Win(p.Turn().Other()), Reason: engine.Checkmate}
	case !p.canMove():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Stalemate}
	case p.half() >= fiftyMoveClock:
		return engine.Outcome{Result: engine.Draw, Reason: engine.Fifty}
	case p.repeated():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	case p.insufficientMaterial():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Material}
	}
	return engine.Ongoing
}

const (
	fiftyMoveClock    = 100 // half-move clock that draws: fifty moves of each side
	minThreefoldClock = 8   // least half-move clock of a third occurrence
)

// drawn reports whether the game is drawn although a legal move may exist.
func (p *Position) drawn() bool {
	half := p.half()
	return half >= minThreefoldClock && (half >= fiftyMoveClock || p.Repetitions() >= 2) || p.insufficientMaterial()
}

// canMove reports whether the side to move has a legal move. It tries the common cases
// first: a pawn that is not pinned, then the king.
func (p *Position) canMove() bool {
	us := p.turn()
	cell := p.kingCell(us)
	if checkers, pinned := p.checkersAndPins(us, cell); checkers == 0 {
		if t := p.pawnTargets(us, p.kinds[pawn]&p.sides[us]&^pinned, allCells); t.one|t.left|t.right != 0 {
			return true
		}
	}
	return p.kingTargets(us, cell) != 0 || p.Count() > 0
}

// repeated reports whether the position occurs for the third time.
func (p *Position) repeated() bool {
	return p.half() >= minThreefoldClock && p.Repetitions() >= 2
}

// Repetitions returns how often the position has occurred before since Set or Reset,
// at most 2. It searches back to the last capture or pawn move, in steps of two plies,
// and starts four plies back because each side needs two moves to return.
func (p *Position) Repetitions() int {
	const soonest = 4
	past := p.history[:p.ply]
	oldest := max(p.ply-p.half(), 0)
	n := 0
	for i := p.ply - soonest; i >= oldest; i -= 2 {
		if past[i].hash == p.hash {
			n++
			if n == 2 {
				break
			}
		}
	}
	return n
}

// insufficientMaterial reports whether neither side can give checkmate: kings with at
// most one minor piece, or with bishops that all stand on cells of one colour. Two
// knights are sufficient.
func (p *Position) insufficientMaterial() bool {
	const light = 0xaa55aa55aa55aa55 // a8 is light
	if p.kinds[pawn]|p.kinds[rook]|p.kinds[queen] != 0 {
		return false
	}
	bishops := p.kinds[bishop]
	minors := bishops | p.kinds[knight]
	return minors&(minors-1) == 0 || minors == bishops && (bishops&light == 0 || bishops&^light == 0)
}
