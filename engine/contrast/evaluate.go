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

var _ interface {
	engine.LeafFeatured
	engine.LeafHasher
} = (*Position)(nil)

// HashAfter answers all moves but those that reach a goal or may lead to a fourth occurrence.
func (p *Position) HashAfter(m engine.Move) (hash uint64, ok bool) {
	side, from, to := p.turn&1, fromOf(m), toOf(m)
	hash = p.hash ^ pieceKeys[side][from&63] ^ pieceKeys[side][to&63] ^ sideKey
	if placesTile(m) {
		kind, at := kindOf(m), tileSquareOf(m)
		hands := p.hands
		hands[side] -= tileUnits[kind&3]
		hash ^= tileKeys[(kind-1)&1][at&63] ^ handKeys[p.handsIndex()] ^ handKeys[handsIndex(hands)]
	}
	return hash, p.hashCounts[hash%numHashCounts] < 3 && !goals[side].has(to) && !p.goalReached()
}

// ScoreAfter changes only what the score depends on, and takes it back. Callers have asked HashAfter.
func (p *Position) ScoreAfter(m engine.Move) (score int, ok bool) {
	side := p.turn & 1
	pieces, tiles, hands := p.pieces, p.tiles, p.hands
	p.pieces[side] ^= one(fromOf(m)) | one(toOf(m))
	if placesTile(m) {
		kind := kindOf(m)
		p.tiles[(kind-1)&1] ^= one(tileSquareOf(m))
		p.hands[side] -= tileUnits[kind&3]
	}
	p.turn ^= 1
	score = p.score(&standard)
	p.turn ^= 1
	p.pieces, p.tiles, p.hands = pieces, tiles, hands
	return score, true
}

// AppendChangesAfter derives the changes from the move and the board before it.
func (p *Position) AppendChangesAfter(m engine.Move, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	from, to := fromOf(m), toOf(m)
	e := entry{move: m, hands: p.hands, tiles: [2]uint8{p.cells[from&63] - pieceCodes[p.turn&1], p.cells[to&63]}}
	removed, added = e.appendChanges(p.turn, removed, added)
	return removed, added, true
}

// weights are the parameters of Evaluate in centi-units.
type weights struct {
	rank       [ranks - 1]int    // per piece, by ranks advanced, short of the goal
	race       [maxSteps + 1]int // by steps of the nearest piece to the goal
	moves      [maxMoves + 1]int // by number of base moves
	black      int               // per black tile in hand
	gray       int               // per gray tile in hand
	tempo      int               // bonus for the side to move
	goalNext   int               // whole score if the side to move can reach the goal now; 0 disables it
	goalThreat int               // per base move of the other side that would reach its goal
}

const (
	maxSteps = 5  // the race looks four steps ahead; 5 means five or more, or no way
	maxMoves = 20 // more moves count as 20
)

// standard are the weights of Evaluate.
var standard = weights{
	rank:       [ranks - 1]int{0, 15, 40, 80},
	race:       [maxSteps + 1]int{0, 150, 90, 45, 15, 0},
	moves:      [maxMoves + 1]int{-600, -300, -180, -120, -75, -45, -22, 0, 15, 30, 42, 54, 63, 72, 81, 90, 96, 102, 108, 114, 120},
	black:      20,
	gray:       35,
	tempo:      30,
	goalNext:   5000,
	goalThreat: 100,
}

// winGain exceeds every static advantage. It is the Gain of a winning move and the
// score of a decided position.
const winGain = 10_000

// tuning is from stochastic approximation (SPSA) by score and CPU time, then rounded, and from matches: over
// 16,640 games with the hand-written score and 1,000 nodes a move, and from there over 12,000 games with a
// network and some 900 nodes a move.
var tuning = engine.Tuning{
	ReverseFutility: 35, ReverseFutilityDepth: 3,
	Futility: 170, FutilityDepth: 4,
	LateMoves: 12, LateMoveDepth: 4,

	ReductionFactor: 35, ReduceFrom: 3, ReductionHistory: 10_000,

	Aspiration:   110,
	HistoryBonus: 32,
	Placement:    10,

	Recurrence: true, TableScores: true, Stability: true,

	MeanNodes: [5]int{305, 710, 2_220, 5_220, 13_500},
}

// Tuning returns the margins of the search.
func (p *Position) Tuning() *engine.Tuning { return &tuning }
