package search

import "selfplay/engine"

// Move ordering in stages: the transposition-table move, winning captures by gain,
// killers, then the remaining moves: quiet ones by history, losing ones last. Each stage
// lists its moves only when it is reached, because most cutoffs come early. Within a
// stage, pick selects the next move by key on demand. See
// chessprogramming.org/Move_Ordering and /Move_Generation#Staged_Move_Generation.

// frame is the working memory of one ply.
type frame struct {
	moves    []engine.Move // of the current stage
	keys     []int32       // sort keys, parallel to moves
	next     int           // index of the next move
	sorted   bool          // the rest is taken in list order
	untested bool          // some of the moves may not be legal

	stage     stage
	gain      int32 // of the last move returned, if it is not quiet
	quiet     bool  // the last move returned is quiet
	onlyGains bool  // the remaining moves are not searched

	known      int           // static score that was known before the move to the node was played, else noStatic
	played     engine.Move   // the move that is being searched
	previous   engine.Move   // the move that led to the node
	quietMoves []engine.Move // quiet moves searched without a cutoff
	tableMove  engine.Move   // 0 without one
	killers    [2]engine.Move
	used       bool // by the current search
}

// stage is a step of the move ordering.
type stage uint8

const (
	stageTableMove stage = iota
	stageListCaptures
	stageCaptures
	stageFirstKiller
	stageSecondKiller
	stageListRemaining
	stageRemaining
)

// maxPicked is the number of moves of a stage that are selected by key. If none of them
// caused a cutoff, probably none of the rest will, and selecting costs more than it
// saves.
const maxPicked = 16

// frame returns the frame of a ply.
func (s *AlphaBeta) frame(ply int) *frame {
	f := &s.frames[ply]
	f.used = true
	return f
}

// clear forgets the killers of the previous search. The slices keep their memory.
func (f *frame) clear() { f.used, f.killers = false, [2]engine.Move{} }

// begin starts with the first stage. tableMove is 0 if the table has no move.
func (f *frame) begin(tableMove, previous engine.Move, onlyGains bool) {
	f.stage, f.tableMove, f.previous, f.onlyGains, f.quietMoves = stageTableMove, tableMove, previous, onlyGains, f.quietMoves[:0]
}

// next returns the next move of us, false after the last one.
func (s *AlphaBeta) next(f *frame, us engine.Side) (m engine.Move, ok bool) {
	for {
		switch f.stage {
		case stageTableMove:
			f.stage = stageListCaptures
			if f.tableMove != 0 && s.p.Legal(f.tableMove) {
				f.quiet = s.gain(f.tableMove) == 0
				f.gain = 0
				return f.tableMove, true
			}
			f.tableMove = 0
		case stageListCaptures:
			f.stage = stageFirstKiller
			if s.on(Gains) {
				f.stage = stageCaptures
				s.listCaptures(f)
			}
		case stageFirstKiller, stageSecondKiller:
			m := f.killers[f.stage-stageFirstKiller]
			f.stage++
			if !f.onlyGains && m != 0 && !f.isTableMove(m) && s.gain(m) == 0 && s.p.Legal(m) {
				f.quiet = true
				return m, true
			}
		case stageListRemaining:
			f.stage = stageRemaining
			if f.onlyGains {
				f.next, f.moves = 0, f.moves[:0]
				return 0, false
			}
			s.listRemaining(f, us)
		default: // stageCaptures, stageRemaining
			if m, ok = s.pick(f); ok {
				f.gain = f.keys[f.next-1]
				f.quiet = f.stage == stageRemaining && f.gain >= 0
				return m, true
			}
			if f.stage == stageRemaining {
				return 0, false
			}
			f.stage++
		}
	}
}

// isTableMove reports whether m is the transposition-table move.
func (f *frame) isTableMove(m engine.Move) bool { return m == f.tableMove && m != 0 }

// isKiller reports whether m is a killer of this ply.
func (f *frame) isKiller(m engine.Move) bool {
	return (m == f.killers[0] || m == f.killers[1]) && m != 0
}

// gain returns the gain of a move, 0 if the feature is off.
func (s *AlphaBeta) gain(m engine.Move) int {
	if !s.on(Gains) {
		return 0
	}
	return s.p.Gain(m)
}

// pick returns the remaining legal move with the largest key, false if none is left.
func (s *AlphaBeta) pick(f *frame) (m engine.Move, ok bool) {
	if f.untested {
		return s.pickLegal(f)
	}
	if f.next == len(f.moves) {
		return 0, false
	}
	return f.take(f.top()), true
}

// pickLegal is pick for a list of moves that may not be legal. It removes those, so that the others are
// picked in the same order as without them: the move whose place a picked move takes has to be legal.
func (s *AlphaBeta) pickLegal(f *frame) (m engine.Move, ok bool) {
	for f.next < len(f.moves) {
		top := f.top()
		if !s.lister.LegalCapture(f.moves[top]) {
			f.remove(top)
			continue
		}
		for ; top > f.next && !s.lister.LegalCapture(f.moves[f.next]); top-- {
			f.remove(f.next)
		}
		return f.take(top), true
	}
	return 0, false
}

// top returns the index of the first of the remaining moves with the largest key, or of the next move
// in list order.
func (f *frame) top() int {
	if f.sorted {
		return f.next
	}
	return f.next + largest(f.keys[f.next:len(f.moves)])
}

// take returns a move whose index top returned: one step of a selection sort.
func (f *frame) take(top int) engine.Move {
	i, moves, keys := f.next, f.moves, f.keys[:len(f.moves)]
	f.next++
	m, key := moves[top], keys[top]
	f.sorted = f.sorted || key <= 0 || i >= maxPicked
	moves[top], keys[top] = moves[i], keys[i]
	moves[i], keys[i] = m, key
	return m
}

// reward updates killers and histories after a beta cutoff by m.
func (s *AlphaBeta) reward(f *frame, us engine.Side, m engine.Move, depth int) {
	if !f.quiet {
		return
	}
	if s.on(Killers) && m != f.killers[0] {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	if !s.on(History) {
		return
	}
	bonus := min(depth*depth+1, 64) * s.tuning.HistoryBonus
	s.history.reward(us, f.previous, m, bonus)
	for _, quiet := range f.quietMoves {
		s.history.reward(us, f.previous, quiet, -bonus)
	}
}

// quietKey returns the sort key of a quiet move of us. It is above 0.
func (s *AlphaBeta) quietKey(f *frame, us engine.Side, m engine.Move) int32 {
	if !s.on(Continuation) {
		return int32(s.history.scores[us&1][historyIndex(m)]) + quietBase
	}
	t := s.tuning
	key := s.history.sum(us, f.previous, m) + t.Placement*s.p.Placement(m)
	if t.CheckBonus != 0 && s.p.GivesCheck(m) {
		key += t.CheckBonus
	}
	return int32(max(key, 1-quietBase) + quietBase)
}
