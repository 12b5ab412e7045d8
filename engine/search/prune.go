package search

import "selfplay/engine"

// Margins of the selective search, in centi-units, and depths, in turns. They are the same
// in every game.
const (
	reverseFutilityMargin = 100 // per unit of depth
	reverseFutilityDepth  = 6
	razoringMargin        = 250 // per unit of depth
	razoringDepth         = 2
	futilityMargin        = 100 // per unit of depth
	futilityDepth         = 4
	lateMoves             = 4 // quiet moves searched at any depth
	lateMoveDepth         = 4
	losingMargin          = 100 // per unit of depth
	deltaMargin           = 100
	nullMoveReduction     = 3
	reduceFrom            = 2 // number of the first move that is reduced
	internalDepth         = 3
	historyBonus          = 32 // per unit of squared depth
	placementWeight       = 8  // of a centi-unit of Placement against history
)

// noStatic marks a node without a meaningful static score: the side to move is in check.
const noStatic = -infinite

// passed marks a null move in frame.played.
const passed = ^engine.Move(0)

// pruneNode decides a node outside the principal variation by its static score. See
// chessprogramming.org/Reverse_Futility_Pruning and /Razoring.
func (s *AlphaBeta) pruneNode(f *frame, n *selectiveState) (score int, cutoff bool) {
	if n.pv || n.open || isProven(n.beta) || isProven(n.alpha) {
		return 0, false
	}
	if s.on(ReverseFutility) && n.depth <= reverseFutilityDepth && f.static-reverseFutilityMargin*n.depth >= n.beta {
		return f.static, true
	}
	if s.on(Razoring) && n.depth <= razoringDepth && f.static+razoringMargin*n.depth < n.alpha {
		if score = s.selectiveQuiescence(n.alpha, n.beta, n.ply, false); score <= n.alpha {
			return score, true
		}
	}
	if s.on(NullMove) && s.passer != nil && n.depth >= 2 && f.static >= n.beta && s.frames[n.ply-1].played != passed {
		return s.nullMove(f, n)
	}
	return 0, false
}

// nullMove lets the opponent move twice. If the score is still not below beta, some move
// will probably reach beta too. See chessprogramming.org/Null_Move_Pruning.
func (s *AlphaBeta) nullMove(f *frame, n *selectiveState) (score int, cutoff bool) {
	us := s.p.Turn()
	if !s.passer.Pass() {
		return 0, false
	}
	f.played = passed
	score = s.selectiveChild(us, max(n.depth-nullMoveReduction-n.depth/4, 0), n.beta-1, n.beta, n.ply+1)
	s.passer.TakePass()
	if score < n.beta || s.stopped {
		return 0, false
	}
	if isProven(score) {
		score = n.beta
	}
	return score, true
}

// limits say which moves of a node to skip. See chessprogramming.org/Futility_Pruning.
type limits struct {
	futile    bool  // only moves with a gain can raise alpha
	bound     int   // score of the quiet moves, if futile
	quiets    int   // number of quiet moves to search
	leastGain int32 // of a move that is not quiet
}

// limits returns the limits of a node.
func (s *AlphaBeta) limits(f *frame, n *selectiveState) limits {
	l := limits{quiets: 1 << 30, leastGain: -1 << 30}
	if n.check || isProven(n.alpha) {
		return l
	}
	if bound := f.static + futilityMargin*n.depth; s.on(Futility) && !n.pv && n.depth <= futilityDepth && bound <= n.alpha {
		l.futile, l.bound = true, bound
	}
	if s.on(LateMovePruning) && !n.pv && n.depth <= lateMoveDepth {
		l.quiets = lateMoves + n.depth*n.depth*lateMoves/2
	}
	if s.on(GainPruning) {
		l.leastGain = int32(-losingMargin * n.depth)
	}
	return l
}

// reductions holds the late-move reductions in hundredths, by depth and move number. See
// chessprogramming.org/Late_Move_Reductions.
var reductions = func() (table [32][64]int) {
	for depth := 1; depth < len(table); depth++ {
		for number := 1; number < len(table[0]); number++ {
			table[depth][number] = int(50 + float64(50*float64(log(float64(depth))*log(float64(number)))))
		}
	}
	return table
}()

// reductionOf returns the reduction in hundredths.
func reductionOf(depth, number int) int { return reductions[min(depth, 31)][min(number, 63)] }

// reduction returns by how much to reduce the depth of a move.
func (s *AlphaBeta) reduction(f *frame, n *selectiveState, searched int) int {
	if !s.on(LateMoveReductions) || n.check || searched < reduceFrom || !f.quiet {
		return 0
	}
	r := reductionOf(n.depth, searched)
	if n.pv {
		r -= 100
	}
	return max(r/100, 0)
}
