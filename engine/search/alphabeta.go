package search

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// AlphaBetaOptions limit and configure AlphaBeta. Depth or Nodes must be above 0.
type AlphaBetaOptions struct {
	Depth   int    // turns to search before quiescence, at most MaxDepth; 0 means no limit but Nodes
	Nodes   uint64 // node limit: the iteration that reaches it is completed; 0 means no limit but Depth
	Hash    int    // size of the transposition table in MiB, at most MaxHash; 0 means no table. 1 MiB fits the cache and suffices for 50,000 nodes
	Multi   int    // number of best moves with exact scores (multi-PV); 0 means 1
	Shuffle bool   // shuffle the root moves first, so that src decides between equal scores
	// Exact turns off the features that change scores. Scores in a table depend on the path, so an exact
	// search has none. Nodes is a hard limit: an iteration that reaches it is discarded.
	Exact bool
	// Keep uses what earlier searches of a game left in the table: see NewGame.
	Keep   bool
	Hard   uint64  // node limit inside an iteration, not of an exact search; 0 means none. A search that has no exact move yet goes on until Abort
	Scorer Scorer  // source of static scores, of this searcher alone; nil means Evaluate
	Abort  Abort   // ends the search early
	Off    Feature // features to disable, for tests and measurements
}

// Limits of the options.
const (
	MaxDepth = 64
	MaxHash  = 1 << 16
)

// Feature is a set of AlphaBeta techniques.
type Feature uint32

// The features that Off can disable. These save time and do not change scores.
const (
	Aspiration   Feature = 1 << iota // aspiration windows around the previous iteration's score
	Gains                            // ordering captures by Gain
	Killers                          // killer moves
	History                          // history heuristic
	Continuation                     // quiet moves are ordered by the move before, and by placement
)

// These change scores.
const (
	ReverseFutility    Feature = 1 << (iota + 8) // a static score far above beta ends a node
	Razoring                                     // a static score far below alpha leaves quiescence
	NullMove                                     // a node that fails high although the side passes
	Futility                                     // quiet moves are skipped far below alpha
	LateMovePruning                              // the last quiet moves are skipped
	GainPruning                                  // losing moves are skipped
	LateMoveReductions                           // later moves are searched to a smaller depth first
	InternalReduction                            // nodes without a table move are searched to a smaller depth
	CheckExtension                               // nodes in check are searched one turn deeper
	Delta                                        // captures far below alpha are skipped in quiescence
	CanonicalOrder                               // steps of a turn are played in one order only
	HangingPruning                               // quiet moves to attacked squares are skipped
	TableScores                                  // a score of the table replaces a static score that it bounds
	Recurrence                                   // an earlier position of the game or the path counts as a draw
	Stability                                    // Nodes is less while the best move stays, and more when it changes
	endOfFeatures

	changingScores = endOfFeatures - ReverseFutility
)

// tableEntries returns the size of the transposition table in entries. A small search
// fills a small part of a table, and a small table stays in the cache of the processor.
func (o AlphaBetaOptions) tableEntries() uint64 {
	const perNode, least = 4, 1 << 10
	entries := uint64(o.Hash) << 20 / entrySize
	if o.Nodes > 0 && !o.Keep {
		entries = min(entries, max(perNode*o.Nodes, least))
	}
	return entries
}

// TableBytes returns the size of the transposition table of each search.
func (o AlphaBetaOptions) TableBytes() uint64 { return wholeTable(o.tableEntries()) * entrySize }

// Validate returns an error for the first option out of range.
func (o AlphaBetaOptions) Validate() error {
	switch {
	case o.Depth < 0 || o.Depth > MaxDepth:
		return fmt.Errorf("set depth %d: want 0 to %d", o.Depth, MaxDepth)
	case o.Depth == 0 && o.Nodes == 0:
		return errors.New("set depth and nodes: want at least one of them above 0")
	case o.Hash < 0 || o.Hash > MaxHash:
		return fmt.Errorf("set hash %d: want 0 to %d MiB", o.Hash, MaxHash)
	case o.Hash > 0 && o.Exact:
		return fmt.Errorf("set hash %d: scores in a table depend on the path: want 0 for an exact search", o.Hash)
	case o.Hard > 0 && o.Exact:
		return fmt.Errorf("set hard %d: the node limit of an exact search is hard already: want 0", o.Hard)
	case o.Hard > 0 && o.Hard < o.Nodes:
		return fmt.Errorf("set hard %d: want at least nodes, %d", o.Hard, o.Nodes)
	case o.Keep && o.Hash == 0:
		return errors.New("set keep: only a search with a table keeps it")
	case o.Multi < 0:
		return fmt.Errorf("set multi %d: want 0 or more", o.Multi)
	}
	return nil
}

// AlphaBeta searches by iterative deepening with alpha-beta pruning and quiescence. It prunes and reduces
// moves that are unlikely to matter, so a score is not that of minimax, but a search of the same cost sees
// further. With the option Exact it prunes soundly: a completed iteration has the score of plain minimax.
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

	only      []engine.Move // see SearchOnly
	rootMoves []RootMove    // in the order of the current iteration, see root
	completed []RootMove    // rootMoves after the last completed iteration
	moves     []engine.Move
	frames    [maxPly + 1]frame // by ply
	table     table
	history   history
	scores    scoreCache

	passer     engine.Passer        // p, if it is one
	orderer    engine.Orderer       // p, if it is one
	lister     engine.CaptureLister // p, if it is one
	leaves     leafScorer           // source of static scores after moves, nil without one
	hasher     engine.LeafHasher    // p, if it is one
	repeater   engine.LeafRepeater  // p, if it is one and Recurrence is on
	tuning     *engine.Tuning
	off        Feature        // features disabled by the options or by tuning
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
	return &AlphaBeta{options: o, table: newTable(o.tableEntries())}
}

// Search deepens until it completes Depth, proves the end of the game or uses up Nodes. It completes the
// iteration that uses up Nodes; see keepUnfinished for Hard. With Exact, Nodes holds inside the iterations after the
// first, and an iteration that reaches it is discarded. So all scores come from the same depth, unless Hard
// stopped the last iteration. The first Multi moves are exact and ordered by score; the other moves carry upper bounds
// and keep the order in which they were searched. No limit ends a search that has no Multi exact moves yet,
// but Abort does.
func (s *AlphaBeta) Search(pos engine.Position, src *rand.PCG) Result {
	p := pos.(engine.Evaluator)
	s.begin(p)
	if p.Over() {
		return Result{}
	}
	s.listRootMoves(src)
	finished, score, end := 0, s.static(), Complete
	var costs iterationCosts
	for depth := 1; depth <= s.options.Depth && len(s.rootMoves) > 0; depth++ {
		s.table.nextIteration()
		s.rootDepth = depth
		start := s.nodes
		score = s.iterate(depth, score)
		if s.stopped {
			s.keepUnfinished()
			s.keepAborted()
			end = s.insideLimit()
			break
		}
		finished = depth
		s.noteStability(depth)
		s.completed = append(s.completed[:0], s.rootMoves...)
		if s.isFinal(score, depth) || depth == s.options.Depth {
			break
		}
		end = s.applyNodeLimit(costs.next(s.nodes - start))
		if end != Complete {
			break
		}
	}
	r := newResult(s.completed, s.nodes, finished)
	r.Aborted, r.End = s.aborted, end
	return r
}

// SearchOnly makes the next searches choose among some moves of their root, which must be legal there; nil for all.
// It keeps moves.
func (s *AlphaBeta) SearchOnly(moves []engine.Move) { s.only = moves }

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
	if s.options.Hard > 0 {
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
	s.tune(p.Tuning())
	s.findLeafScorer()
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
		if len(s.only) == 0 || slices.Contains(s.only, m) {
			s.rootMoves = append(s.rootMoves, RootMove{Move: m})
		}
	}
	if s.options.Shuffle {
		shuffle(s.rootMoves, src)
	}
	if s.on(Gains) {
		sortByGain(s.rootMoves, s.p)
	}
}

// isFinal reports that no deeper iteration can change the score: the end of the game is
// proven within the depth that was searched in full width.
func (s *AlphaBeta) isFinal(score, depth int) bool {
	return s.options.Multi == 1 && max(score, -score) >= MateScore-depth
}

// applyNodeLimit returns the limit that ends the search after an iteration: Nodes is used up, or Hard would probably
// end the next iteration, which may cost as many nodes as expected. It makes Nodes the limit inside later iterations of
// an exact search.
func (s *AlphaBeta) applyNodeLimit(expected uint64) End {
	o := &s.options
	if o.Exact && o.Nodes > 0 {
		s.limit, s.pause = o.Nodes, 0
	}
	switch {
	case o.Nodes > 0 && s.nodes >= s.softLimit():
		return ByNodes
	case o.Hard > 0 && s.nodes+expected > o.Hard:
		return ByHard
	}
	return Complete
}

// insideLimit returns the limit that stops an iteration.
func (s *AlphaBeta) insideLimit() End {
	if s.options.Exact {
		return ByNodes
	}
	return ByHard
}

// iterate searches the root to a depth and returns its score. With a single exact move
// it starts with an aspiration window around the previous score, and opens the side on
// which the search fails, step by step. The static score predicts the first iteration too badly.
func (s *AlphaBeta) iterate(depth, previous int) int {
	alpha, beta, width := -infinite, infinite, max(s.tuning.Aspiration, 1)
	if s.options.Multi == 1 && s.on(Aspiration) && !isProven(previous) && depth > 1 {
		alpha, beta = previous-width, previous+width
	}
	for ; ; width *= 4 {
		score := s.root(depth, alpha, beta)
		switch {
		case s.stopped:
			return score
		case score <= alpha && alpha > -infinite:
			alpha = widen(score, -4*width)
		case score >= beta && beta < infinite:
			beta = widen(score, 4*width)
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
		reduction := 0
		if later && i >= s.tuning.ReduceFrom && s.on(LateMoveReductions) && s.gain(m) == 0 {
			reduction = max(s.reductionAt(depth, i)-100, 0) / 100
		}
		score := s.searchMove(us, m, depth-1, reduction, lower, beta, 1, !later)
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

// iterationCosts predicts the nodes of iterations. They grow in steps of one and two turns, so
// the largest factor so far counts.
type iterationCosts struct{ last, factor uint64 }

// next adds an iteration and returns how many nodes the next one may need, 0 if unknown.
func (c *iterationCosts) next(nodes uint64) uint64 {
	if c.last > 0 {
		c.factor = max(c.factor, nodes/c.last)
	}
	c.last = max(nodes, 1)
	return nodes * c.factor
}

// stablePercent is the share of Nodes that ends a search, by the number of iterations since the best move
// changed: a move that stays is probably right.
var stablePercent = [...]uint64{160, 110, 80, 60}

// noteStability compares the best move of an iteration with that of the one before.
func (s *AlphaBeta) noteStability(depth int) {
	if depth == 1 || s.rootMoves[0].Move != s.completed[0].Move {
		s.stable = 0
		return
	}
	s.stable = min(s.stable+1, len(stablePercent)-1)
}

// softLimit returns the number of nodes after which no iteration begins.
func (s *AlphaBeta) softLimit() uint64 {
	if !s.on(Stability) {
		return s.options.Nodes
	}
	return s.options.Nodes * stablePercent[s.stable] / 100
}

// keepUnfinished keeps the result of an iteration that the hard limit stopped, if as many
// of its moves are exact as are wanted. Its first move was searched deeper than before, and
// a better one was found or not.
func (s *AlphaBeta) keepUnfinished() {
	if !s.options.Exact && s.exact >= s.options.Multi {
		s.completed = append(s.completed[:0], s.rootMoves...)
	}
}

// keepAborted makes the moves of an aborted search its result if no iteration was completed. The
// scores of an unfinished one are scores only of moves that are exact in its last window.
func (s *AlphaBeta) keepAborted() {
	if len(s.completed) > 0 {
		return
	}
	s.completed = append(s.completed, s.rootMoves...)
	s.completed[0].Exact = s.exact > 0
}

// widen returns the new bound of the aspiration window after score reached the old one.
func widen(score, step int) int {
	switch bound := score + step; {
	case !isProven(bound):
		return bound
	case step < 0:
		return -infinite
	}
	return infinite
}

// Line follows the moves of the transposition table, from which entries may be missing. Without a table
// it has the best move only.
func (s *AlphaBeta) Line(p engine.Position, limit int) (line []engine.Move) {
	if len(s.completed) == 0 || limit < 1 {
		return nil
	}
	for m := s.completed[0].Move; ; {
		line = append(line, m)
		p.Do(m)
		if len(line) == limit || p.Outcome() != engine.Ongoing || !s.table.enabled() {
			break
		}
		m = s.table.move(p.Hash())
		if !slices.Contains(p.Moves(nil), m) { // no entry, or one of the same cells in a turn that was not open
			break
		}
	}
	for range line {
		p.Undo()
	}
	return line
}

// reductionTable holds reductions of late moves in hundredths of a turn, by depth and move number.
type reductionTable [32][64]int16

// tune adopts the margins of the game that is searched.
func (s *AlphaBeta) tune(t *engine.Tuning) {
	if s.tuning == t {
		return
	}
	s.tuning, s.off = t, s.options.Off|featuresOff(t)
	if s.options.Exact {
		s.off |= changingScores
	}
	for depth := 1; depth < len(s.reductions); depth++ {
		for number := 1; number < len(s.reductions[0]); number++ {
			logs := float64(log(float64(depth)) * log(float64(number)))
			s.reductions[depth][number] = int16(float64(t.ReductionFactor) * logs)
		}
	}
}

// featuresOff returns the features that a game switches off by a false.
func featuresOff(t *engine.Tuning) (off Feature) {
	if !t.Recurrence {
		off |= Recurrence
	}
	if !t.TableScores {
		off |= TableScores
	}
	if !t.Stability {
		off |= Stability
	}
	return off
}

// on reports whether a feature is enabled.
func (s *AlphaBeta) on(f Feature) bool { return s.off&f == 0 }

// reductionAt returns the reduction of a move by its number, in hundredths of a turn.
func (s *AlphaBeta) reductionAt(depth, number int) int {
	return int(s.reductions[min(depth, len(s.reductions)-1)][min(number, len(s.reductions[0])-1)])
}

// softLimits are the node limits whose mean costs a game knows: see engine.Tuning.MeanNodes.
var softLimits = [...]int{100, 300, 1_000, 3_000, 10_000}

// SoftLimit returns the node limit of an alpha-beta search whose mean cost is a number of nodes. The
// limit is soft: the iteration that reaches it is completed, so a search costs two to four times as
// much. It lies on straight lines between the measured limits. It returns 0 if the game knows no costs.
func SoftLimit(t *engine.Tuning, mean int) int {
	limit, cost := 0, 0
	for i, next := range t.MeanNodes {
		if next <= cost {
			return 0
		}
		if mean <= next || i == len(softLimits)-1 {
			return max(1, limit+(mean-cost)*(softLimits[i]-limit)/(next-cost))
		}
		limit, cost = softLimits[i], next
	}
	return 0
}

// countNode counts a node. It returns false if the search stops.
func (s *AlphaBeta) countNode() bool {
	if s.nodes >= s.pause && s.stops() {
		return false
	}
	s.nodes++
	return true
}

// stops stops the search at the node limit, once there are moves to return, or if it is aborted.
func (s *AlphaBeta) stops() bool {
	if s.stopped {
		return true
	}
	if s.options.Abort != nil {
		s.aborted = s.options.Abort()
	}
	hasMoves := len(s.completed) > 0 || s.exact >= s.options.Multi
	s.stopped = s.aborted || s.nodes >= s.limit && hasMoves
	if !s.stopped {
		s.pause = min(s.limit, s.nodes+abortInterval)
	}
	return s.stopped
}
