package contrast

import "selfplay/engine"

var _ engine.Evaluator = (*Position)(nil)

// Evaluate returns the static score in centi-units from the view of the side to move;
// 100 is about one step ahead in the race. It ignores repetition.
//
// Scores belong to the version of every player that searches: a change here changes
// datasets.
func (p *Position) Evaluate() int { return p.score(&standard) }

// Over reports whether a goal is reached or the position occurs for the fourth time.
// It does not detect a blocked side, which takes move generation.
func (p *Position) Over() bool { return p.goalReached() || p.repeated() }

// score is Evaluate with any weights.
func (p *Position) score(w *weights) int {
	us := p.turn & 1
	them := us ^ 1
	if p.pieces[us]&goals[us] != 0 {
		return winGain
	}
	if p.pieces[them]&goals[them] != 0 {
		return -winGain
	}
	if w.goalNext > 0 && p.countGoalMoves(us) > 0 {
		return w.goalNext
	}
	s := p.sideScore(us, w) - p.sideScore(them, w) + w.tempo
	s -= w.goalThreat * int(p.countGoalMoves(them))
	return min(max(s, -engine.MaxStatic), engine.MaxStatic)
}

// countGoalMoves counts the base moves that take a side to its goal row. Three of the
// eight directions lead there.
func (p *Position) countGoalMoves(side uint8) uint32 {
	own := p.pieces[side&1]
	orthogonal, diagonals := own&^p.tiles[0], own&(p.tiles[0]|p.tiles[1])
	goal := p.goalTargets(side)
	straight, east, west := originsUp(own, goal, 8), originsUp(own, goal, 9), originsUp(own, goal, 7)
	if side&1 == 1 {
		straight, east, west = originsDown(own, goal, 8), originsDown(own, goal, 7), originsDown(own, goal, 9)
	}
	return (orthogonal & straight).count() + (diagonals & east).count() + (diagonals & west).count()
}

// sideScore is one side's part of the score.
func (p *Position) sideScore(side uint8, w *weights) int {
	own, h := p.pieces[side&1], p.hands[side&1]
	s := w.black*int(h.black()) + w.gray*int(h.gray())
	for i, n := range w.rank[1:] {
		s += n * int((own & ranksOf[side&1][i+1]).count())
	}
	var b baseMoves
	s += w.moves[min(p.findBaseMovesOf(side, &b, p.empty()), maxMoves)]
	return s + w.race[p.raceDistance(side)]
}

// ranksOf are the rows by side and by ranks advanced.
var ranksOf = func() (t [2][ranks]set) {
	for i := range ranks {
		t[0][i], t[1][i] = row<<(8*(i+1)), row<<(8*(ranks-i))
	}
	return t
}()

// raceDistance returns the number of steps of a side's nearest piece to its goal if
// all other pieces stand still: a walk over empty squares that obeys the tiles on its
// way, without jumps. It returns maxSteps if no such walk has fewer steps.
func (p *Position) raceDistance(side uint8) int {
	orthogonal, diagonal := ^p.tiles[0], p.tiles[0]|p.tiles[1]
	free, goal := p.empty(), goals[side&1]
	reached := p.pieces[side&1]
	for n := 1; n < maxSteps; n++ {
		o, d := reached&orthogonal, reached&diagonal
		next := o<<8 | o>>8 | o<<1 | o>>1
		next |= d<<9 | d>>9 | d<<7 | d>>7
		next = next&free | reached
		if next&goal != 0 {
			return n
		}
		reached = next
	}
	return maxSteps
}
