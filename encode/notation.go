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

// MoveText writes a legal move in the notation for people, if the game has one and the move is a turn. A step of a
// longer turn is in the notation of programs.
func MoveText(pos engine.Position, m engine.Move) string {
	side := pos.Turn()
	pos.Do(m)
	whole := pos.Turn() != side
	pos.Undo()
	if _, turns := pos.(engine.TurnNotation); turns && !whole {
		return pos.FormatMove(m)
	}
	text, _ := TurnText(pos, []engine.Move{m})
	return text
}

// TurnText writes a turn that begins in a position: in the notation for people if the game has one. It has one move unless
// the position has engine.TurnNotation.
func TurnText(pos engine.Position, moves []engine.Move) (text string, sure bool) {
	switch p := pos.(type) {
	case engine.TurnNotation:
		return p.TurnSAN(moves)
	case engine.Algebraic:
		return p.SAN(moves[0]), true
	}
	return pos.FormatMove(moves[0]), true
}
