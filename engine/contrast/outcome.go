package contrast

import "selfplay/engine"

// Ends of the game, in this order: a piece stands on its goal row, and its side
// wins; the side to move has no move, and loses, its tiles notwithstanding; the
// same cells with the same side to move for the fourth time, a draw. How long a
// game may last is the caller's to say.

// Outcome returns how the game ended, if it did. On a board where both sides have
// reached their goal, as no game leads to, Black wins.
func (p *Position) Outcome() engine.Outcome {
	for side, goal := range goals {
		if p.pieces[side]&goal != 0 {
			return engine.Outcome{Result: engine.Win(engine.Side(side)), Reason: engine.Goal}
		}
	}
	var w ways
	switch {
	case p.look(&w, p.empty()) == 0:
		return engine.Outcome{Result: engine.Win(p.Turn().Other()), Reason: engine.Blocked}
	case p.repeated():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	}
	return engine.Ongoing
}

// goalReached reports whether a piece of either side stands on its goal row.
func (p *Position) goalReached() bool {
	return p.pieces[0]&goals[0]|p.pieces[1]&goals[1] != 0
}

// repeated reports whether the position stands for the fourth time.
func (p *Position) repeated() bool {
	const times = 4
	return p.seen[p.hash%seenSize] >= times && p.occurrences() >= times
}

// occurrences counts the positions of the game that equal this one, which is one
// of them. None from before the last tile does. So the hands were the same ever
// since, and comparing hashes, which cover them too, compares cells and side.
func (p *Position) occurrences() int {
	n := 1
	for i := len(p.past) - 1; i >= 0 && !lays(p.past[i].move); i-- {
		if p.past[i].hash == p.hash {
			n++
		}
	}
	return n
}
