package encode

import "selfplay/engine"

// Turn is a turn of a game as people write it.
type Turn struct {
	Ply   int // of its first decision
	Side  engine.Side
	Text  string   // in the notation for people if the game has one
	Sure  bool     // the text says which moves the turn has
	Moves []string // its moves in the notation of programs, one a ply
}

// Turns replays the game of a record on pos and calls look for every turn, with pos anywhere. In a game with
// engine.TurnNotation a turn has all decisions of one side in a row, otherwise one. A record that does not fit the rules
// is an error; look has seen the turns before the fault, or none of them.
func (g *Game) Turns(pos engine.Position, rec *engine.Record, look func(Turn)) error {
	var moves []engine.Move
	var sides []engine.Side
	err := g.Replay(pos, rec, func(_ int, m engine.Move) { moves, sides = append(moves, m), append(sides, pos.Turn()) })
	if err == nil {
		err = engine.Begin(pos, rec.Start)
	}
	if err != nil {
		return err
	}
	_, whole := pos.(engine.TurnNotation)
	for begin, end := 0, 0; begin < len(moves); begin = end {
		end = begin + 1
		for whole && end < len(moves) && sides[end] == sides[begin] {
			end++
		}
		t := Turn{Ply: begin, Side: sides[begin]}
		t.Text, t.Sure = TurnText(pos, moves[begin:end])
		for _, m := range moves[begin:end] {
			t.Moves = append(t.Moves, pos.FormatMove(m))
			pos.Do(m)
		}
		look(t)
	}
	return nil
}

// HasSAN reports whether a position has a notation for people.
func HasSAN(pos engine.Position) bool {
	switch pos.(type) {
	case engine.Algebraic, engine.TurnNotation:
		return true
	}
	return false
}

// MoveText writes a legal move in the notation for people if the game has one.
func MoveText(pos engine.Position, m engine.Move) string {
	if HasSAN(pos) {
		return pos.(interface{ SAN(engine.Move) string }).SAN(m)
	}
	return pos.FormatMove(m)
}

// TurnText writes a turn that begins in a position: in the notation for people if the game has one. It has one move unless
// the position has engine.TurnNotation.
func TurnText(pos engine.Position, moves []engine.Move) (text string, sure bool) {
	p, turns := pos.(engine.TurnNotation)
	if turns {
		return p.TurnSAN(moves)
	}
	return MoveText(pos, moves[0]), true
}
