package contrast

import "selfplay/engine"

var _ engine.Evaluator = (*Position)(nil)

// Evaluate returns the static score for the side to move; 100 is about a step
// ahead in the race. It looks at who is ahead, how far all pieces have come, how
// much each side can move, and what tiles are left. Repetition is not in it.
//
// Scores are part of a player's version: whoever changes one changes datasets.
func (p *Position) Evaluate() int { return p.score(&standard) }

// Over reports whether a goal is reached or the position stands for the fourth
// time. Whether the side to move is blocked takes a look for moves.
func (p *Position) Over() bool { return p.goalReached() || p.repeated() }

// weights are the numbers of Evaluate.
type weights struct {
	rank  [ranks - 1]int    // a piece that has come that many ranks, short of the goal
	race  [maxSteps + 1]int // the nearest piece has so many steps to the goal
	moves [maxMoves + 1]int // so many base moves
	black int               // a black tile in hand
	gray  int               // a gray one
	tempo int               // having the move
	near  int               // the whole score if the side to move reaches the goal now
	reach int               // a base move of the other side would reach it
}

const (
	maxSteps = 5 // steps that the race looks ahead, and one for what takes longer
	maxMoves = 20
)

// standard are the weights of Evaluate.
var standard = weights{
	rank:  [ranks - 1]int{0, 15, 40, 80},
	race:  [maxSteps + 1]int{0, 150, 90, 45, 15, 0},
	moves: [maxMoves + 1]int{-600, -300, -180, -120, -75, -45, -22, 0, 15, 30, 42, 54, 63, 72, 81, 90, 96, 102, 108, 114, 120},
	black: 20,
	gray:  35,
	tempo: 30,
	near:  5000,
	reach: 100,
}

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
	if w.near > 0 && p.arrivals(us) > 0 {
		return w.near
	}
	s := p.standing(us, w) - p.standing(them, w) + w.tempo
	s -= w.reach * int(p.arrivals(them))
	return min(max(s, -engine.MaxStatic), engine.MaxStatic)
}

// arrivals counts the base moves that would take a side to its goal row: of the
// eight directions three lead there.
func (p *Position) arrivals(side uint8) uint32 {
	own := p.pieces[side&1]
	walkers, slanters := own&^p.tiles[0], own&(p.tiles[0]|p.tiles[1])
	goal := p.goal(side)
	straight, east, west := lookUp(own, goal, 8), lookUp(own, goal, 9), lookUp(own, goal, 7)
	if side&1 == 1 {
		straight, east, west = lookDown(own, goal, 8), lookDown(own, goal, 7), lookDown(own, goal, 9)
	}
	return (walkers & straight).count() + (slanters & east).count() + (slanters & west).count()
}

// standing is what a side has.
func (p *Position) standing(side uint8, w *weights) int {
	own, h := p.pieces[side&1], p.hands[side&1]
	s := w.black*int(h.black()) + w.gray*int(h.gray())
	for i, n := range w.rank[1:] {
		s += n * int((own & ranksOf[side&1][i+1]).count())
	}
	var way ways
	s += w.moves[min(p.lookOf(side, &way, p.empty()), maxMoves)]
	return s + w.race[p.steps(side)]
}

// ranksOf are the rows by the ranks that a side's pieces have come.
var ranksOf = func() (t [2][ranks]set) {
	for i := range ranks {
		t[0][i], t[1][i] = row<<(8*(i+1)), row<<(8*(ranks-i))
	}
	return t
}()

// steps returns how many steps the nearest piece of a side has to its goal if all
// other pieces stay where they are: a walk over empty squares, by the tiles on its
// way, without jumps; maxSteps if it has none or a longer one.
func (p *Position) steps(side uint8) int {
	straight, slanting := ^p.tiles[0], p.tiles[0]|p.tiles[1]
	free, goal := p.empty(), goals[side&1]
	reached := p.pieces[side&1]
	for n := 1; n < maxSteps; n++ {
		a, b := reached&straight, reached&slanting
		next := a<<8 | a>>8 | a<<1 | a>>1
		next |= b<<9 | b>>9 | b<<7 | b>>7
		next = next&free | reached
		if next&goal != 0 {
			return n
		}
		reached = next
	}
	return maxSteps
}
