package search

import (
	"math/rand/v2"

	"selfplay/engine"
)

// AlphaBeta searches by iterative deepening with alpha-beta pruning and quiescence. Unless
// it is selective, it prunes soundly: a completed iteration has the score of plain minimax.
type AlphaBeta struct {
	options AlphaBetaOptions

	// State of the current search.
	p       engine.Evaluator
	nodes   uint64
	limit   uint64 // of nodes
	pause   uint64 // number of nodes at which countNode calls stops
	inGame  bool   // see NewGame
	stopped bool   // the limit was reached inside an iteration, or the search is aborted
	aborted bool   // by Abort

	rootMoves []RootMove // in the order of the current iteration, see root
	completed []RootMove // rootMoves after the last completed iteration
	moves     []engine.Move
	frames    [maxPly + 1]frame // by ply
	table     table
	history   history
	scores    scoreCache

	lister engine.CaptureLister // p, if it is one

	// Of the selective search only.
	passer     engine.Passer       // p, if it is one
	orderer    engine.Orderer      // p, if it is one
	leaves     leafScorer          // source of static scores after moves, nil without one
	hasher     engine.LeafHasher   // p, if it is one
	repeater   engine.LeafRepeater // p, if it is one and Recurrence is on
	tuning     *engine.Tuning
	reductions reductionTable // of tuning
	earlier    positionSet    // positions of the game and of the path, if Recurrence is on
	stable     int            // iterations since the best move changed
	rootDepth  int            // of the current iteration
	exact      int            // number of exact root moves of the current iteration
}

// NewAlphaBeta returns an AlphaBeta for one goroutine. It panics if o.Validate reports
// an error.
func NewAlphaBeta(o AlphaBetaOptions) *AlphaBeta {
	if err := o.Validate(); err != nil {
		panic("search: " + err.Error())
	}
	if o.Depth == 0 {
		o.Depth = MaxDepth
	}
	o.Multi = max(o.Multi, 1)
	if !o.SecondGeneration {
		o.Off |= secondGeneration
	}
	return &AlphaBeta{options: o, table: newTable(o.tableEntries())}
}

// on reports whether a feature is enabled.
func (s *AlphaBeta) on(f Feature) bool { return s.options.Off&f == 0 }

// Search deepens until it completes Depth, proves the end of the game or uses up Nodes.
// The exact search always completes the first iteration and discards a later one that
// reaches the node limit, so all its scores come from the same depth. The selective search
// completes the iteration that uses up Nodes; see keepUnfinished for Hard. The first Multi
// moves are exact and ordered by score; the other moves carry upper bounds and keep the order
// in which they were searched. No limit ends a search that has no Multi exact moves yet, but Abort
// does.
func (s *AlphaBeta) Search(p engine.Evaluator, src *rand.PCG) Result {
	s.begin(p)
	if p.Over() {
		return Result{}
	}
	s.listRootMoves(src)
	finished, score := 0, s.static()
	var costs iterationCosts
	for depth := 1; depth <= s.options.Depth && len(s.rootMoves) > 0; depth++ {
		s.table.nextIteration()
		s.rootDepth = depth
		start := s.nodes
		score = s.iterate(depth, score)
		if s.stopped {
			s.keepUnfinished()
			s.keepAborted()
			break
		}
		finished = depth
		s.noteStability(depth)
		s.completed = append(s.completed[:0], s.rootMoves...)
		if s.isFinal(score, depth) || s.applyNodeLimit(costs.next(s.nodes-start)) {
			break
		}
	}
	r := newResult(s.completed, s.nodes, finished)
	r.Aborted = s.aborted
	return r
}

// NewGame tells a searcher with the option Keep that the next searches are those of one game, in order.
// They find what the earlier ones of the game left in the table. Without NewGame, or before it, every
// search begins with an empty table.
func (s *AlphaBeta) NewGame() {
	s.inGame = true
	s.table.nextGame()
}

// begin resets the state of the previous search.
func (s *AlphaBeta) begin(p engine.Evaluator) {
	s.p, s.nodes, s.limit, s.pause, s.stopped, s.aborted = p, 0, ^uint64(0), 0, false, false
	if s.options.Selective && s.options.Hard > 0 {
		s.limit = s.options.Hard
	}
	s.exact = 0
	s.scores.begin(p, s.options.Scorer)
	if s.options.Scorer != nil {
		s.options.Scorer.Begin(p)
	}
	s.passer, _ = p.(engine.Passer)
	s.orderer, _ = p.(engine.Orderer)
	s.lister, _ = p.(engine.CaptureLister)
	s.findLeafScorer()
	s.tune(p.Tuning())
	s.beginRecurrence()
	s.rootMoves, s.completed = s.rootMoves[:0], s.completed[:0]
	s.table.nextSearch(s.options.Keep && s.inGame)
	s.history.clear()
	for ply := 1; ply < len(s.frames) && s.frames[ply].used; ply++ {
		s.frames[ply].clear()
	}
}

// listRootMoves lists the root moves in the order of the first iteration: by gain.
func (s *AlphaBeta) listRootMoves(src *rand.PCG) {
	s.moves = s.p.Moves(s.moves[:0])
	for _, m := range s.moves {
		s.rootMoves = append(s.rootMoves, RootMove{Move: m})
	}
	if s.options.Shuffle {
		shuffle(s.rootMoves, src)
	}
	if s.options.Off&Gains == 0 {
		sortByGain(s.rootMoves, s.p)
	}
}

// isFinal reports that no deeper iteration can change the score: the end of the game is
// proven within the depth that was searched in full width.
func (s *AlphaBeta) isFinal(score, depth int) bool {
	return s.options.Multi == 1 && max(score, -score) >= MateScore-depth
}

// applyNodeLimit makes the node limit of the exact search effective from the second iteration
// on, and reports whether to stop: Nodes is used up, or Hard would probably end the next
// iteration, which may cost as many nodes as expected.
func (s *AlphaBeta) applyNodeLimit(expected uint64) bool {
	o := &s.options
	if !o.Selective && o.Nodes > 0 {
		s.limit, s.pause = o.Nodes, 0
	}
	return o.Nodes > 0 && s.nodes >= s.softLimit() || o.Hard > 0 && s.nodes+expected > o.Hard
}

// aspiration is half the width of the aspiration window of the exact search, in centi-units.
const aspiration = 50

// iterate searches the root to a depth and returns its score. With a single exact move
// it starts with an aspiration window around the previous score, and opens the side on
// which the search fails.
func (s *AlphaBeta) iterate(depth, previous int) int {
	alpha, beta, width := -infinite, infinite, aspiration
	if s.options.Selective {
		width = max(s.tuning.Aspiration, 1)
	}
	first := s.options.Selective && depth == 1 // its static score predicts little
	if s.options.Multi == 1 && s.options.Off&Aspiration == 0 && !isProven(previous) && !first {
		alpha, beta = previous-width, previous+width
	}
	for ; ; width *= 4 {
		score := s.root(depth, alpha, beta)
		switch {
		case s.stopped:
			return score
		case score <= alpha && alpha > -infinite:
			alpha = s.widen(score, -4*width)
		case score >= beta && beta < infinite:
			beta = s.widen(score, 4*width)
		default:
			return score
		}
	}
}

// root searches the root moves and keeps rootMoves in this order: exact moves by score,
// searched moves with bounds, moves not searched yet.
func (s *AlphaBeta) root(depth, alpha, beta int) int {
	us, exact, best := s.p.Turn(), 0, -infinite
	s.exact = 0
	for i := range s.rootMoves {
		lower := alpha
		if exact >= s.options.Multi {
			lower = max(alpha, s.rootMoves[s.options.Multi-1].Score)
		}
		m, later := s.rootMoves[i].Move, exact >= s.options.Multi
		reduction := s.rootReduction(m, i, depth, later)
		score, ok := s.leafMove(m, depth-1-reduction, 1, lower, !later)
		if !ok {
			s.p.Do(m)
			score = s.rootMove(us, m, depth, reduction, lower, beta, later)
			s.p.Undo()
		}
		if s.stopped {
			return best
		}
		best = max(best, score)
		s.rootMoves[i] = RootMove{Move: m, Score: score, Exact: score > lower}
		if score <= lower {
			continue
		}
		s.promote(i, exact)
		exact++
		s.exact = exact
		if score >= beta {
			break
		}
	}
	return best
}

// promote inserts exact move i by score into the exact moves, the first of rootMoves.
func (s *AlphaBeta) promote(i, exact int) {
	move, to := s.rootMoves[i], i
	for to > 0 && (to > exact || s.rootMoves[to-1].Score < move.Score) {
		to--
	}
	copy(s.rootMoves[to+1:i+1], s.rootMoves[to:i])
	s.rootMoves[to] = move
}
