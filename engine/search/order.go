package search

import (
	"slices"

	"selfplay/engine"
)

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
			if !f.onlyGains && m != 0 && !f.isTableMove(m) && s.p.Legal(m) && s.gain(m) == 0 {
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
			m, ok = s.pick(f)
			if ok {
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

// Sort keys. Captures use their gain, quiet moves their history from 1 on, losing moves their gain
// (-maxGain to -1).
const (
	maxGain   = 1 << 22
	quietBase = 1 << 17 // added to histories, which may be negative
)

// beginList prepares a new list: one key per move, nothing picked yet.
func (f *frame) beginList() {
	if cap(f.keys) < len(f.moves) {
		f.keys = make([]int32, cap(f.moves))
	}
	f.keys = f.keys[:len(f.moves)]
	f.next, f.sorted, f.untested = 0, false, false
}

// listCaptures lists the captures with a positive gain, except the table move.
func (s *AlphaBeta) listCaptures(f *frame) {
	if s.lister != nil {
		s.listCandidates(f, 1)
		f.drop(f.tableMove)
		return
	}
	f.moves = s.p.Captures(f.moves[:0])
	f.beginList()
	n := 0
	for _, m := range f.moves {
		if gain := s.p.Gain(m); gain > 0 && !f.isTableMove(m) {
			f.moves[n], f.keys[n] = m, int32(gain)
			n++
		}
	}
	f.moves, f.keys = f.moves[:n], f.keys[:n]
}

// listCandidates lists the captures that gain at least least. Which of them are legal is tested when
// they are picked.
func (s *AlphaBeta) listCandidates(f *frame, least int) {
	f.moves, f.keys = s.lister.AppendCaptures(f.moves[:0], f.keys[:0], least)
	f.next, f.sorted, f.untested = 0, false, true
}

// drop removes a move from the list, if it is there and not 0.
func (f *frame) drop(m engine.Move) {
	if m == 0 {
		return
	}
	if i := slices.Index(f.moves, m); i >= 0 {
		f.remove(i)
	}
}

// remove removes move i from the list.
func (f *frame) remove(i int) {
	f.moves, f.keys = slices.Delete(f.moves, i, i+1), slices.Delete(f.keys, i, i+1)
}

// listRemaining lists the moves that no earlier stage returned.
func (s *AlphaBeta) listRemaining(f *frame, us engine.Side) {
	f.moves = s.p.Moves(f.moves[:0])
	f.beginList()
	n := 0
	for _, m := range f.moves {
		gain := s.gain(m)
		if gain > 0 || f.isTableMove(m) || gain == 0 && f.isKiller(m) {
			continue
		}
		key := int32(max(gain, -maxGain))
		if gain == 0 {
			key = s.quietKey(f, us, m)
		}
		f.moves[n], f.keys[n] = m, key
		n++
	}
	f.moves, f.keys = f.moves[:n], f.keys[:n]
}

// keyByGain sets the keys for quiescence, by gain. It removes the moves that gain less than least.
func (s *AlphaBeta) keyByGain(f *frame, least int) {
	f.beginList()
	n := 0
	for _, m := range f.moves {
		gain := s.p.Gain(m)
		if gain < least {
			continue
		}
		f.moves[n], f.keys[n] = m, int32(gain)
		n++
	}
	f.moves, f.keys = f.moves[:n], f.keys[:n]
	f.sorted = n < 2 || !s.on(Gains)
}

// listGaining lists the captures for quiescence that gain at least least, as keyByGain does.
func (s *AlphaBeta) listGaining(f *frame, least int) {
	if s.lister == nil {
		f.moves = s.p.Captures(f.moves[:0])
		s.keyByGain(f, least)
		return
	}
	s.listCandidates(f, least)
	f.sorted = len(f.moves) < 2 || !s.on(Gains)
}

// sortByGain sorts root moves by gain and keeps the order of equal gains. It overwrites
// their scores.
func sortByGain(moves []RootMove, p engine.Evaluator) {
	for i := range moves {
		moves[i].Score = p.Gain(moves[i].Move)
	}
	sortStable(moves)
}

// sortStable sorts root moves by descending score and keeps the order of equal scores. Few of them
// differ from 0, so most moves stay where they are.
func sortStable(moves []RootMove) {
	for i := 1; i < len(moves); i++ {
		m, j := moves[i], i
		for ; j > 0 && moves[j-1].Score < m.Score; j-- {
			moves[j] = moves[j-1]
		}
		if j < i {
			moves[j] = m
		}
	}
}

// history is the history heuristic: per side, a score of quiet moves that caused beta
// cutoffs, weighted by depth. Moves are hashed into the table, so two moves may share
// an entry. See chessprogramming.org/History_Heuristic.
type history struct {
	scores [2][historySize]int16 // by side and historyIndex, from -maxHistory to maxHistory
	dirty  bool                  // an entry is not 0

	continuation [continuationSize]int16 // by the move before and the move
}

const (
	historyBits = 11
	historySize = 1 << historyBits
	maxHistory  = 1 << 14
)

// historyIndex returns the index of a move.
func historyIndex(m engine.Move) uint32 {
	const golden = 0x9e3779b1 // 2^32 over the golden ratio: Knuth's multiplicative hashing
	return uint32(m) * golden >> (32 - historyBits)
}

const (
	continuationBits = 14
	continuationSize = 1 << continuationBits
)

// continuationIndex returns the index of a move after another move.
func continuationIndex(previous, m engine.Move) uint32 {
	const golden = 0x9e3779b1
	return (uint32(m)*golden ^ uint32(previous)*0x85ebca6b) >> (32 - continuationBits)
}

// reward adds a bonus, or a malus, to the histories of a move. An entry stays between
// -maxHistory and maxHistory: the larger it is, the less a bonus adds.
func (h *history) reward(us engine.Side, previous, m engine.Move, bonus int) {
	adjust(&h.scores[us&1][historyIndex(m)], bonus)
	adjust(&h.continuation[continuationIndex(previous, m)], bonus)
	h.dirty = true
}

// sum returns the histories of a move after another move.
func (h *history) sum(us engine.Side, previous, m engine.Move) int {
	return int(h.scores[us&1][historyIndex(m)]) + int(h.continuation[continuationIndex(previous, m)])
}

// adjust adds a bonus to an entry.
func adjust(entry *int16, bonus int) {
	value := int(*entry)
	*entry = int16(value + bonus - value*max(bonus, -bonus)/maxHistory)
}

// clear sets all entries to 0.
func (h *history) clear() {
	if h.dirty {
		*h = history{}
	}
}

// vectorKeys is the number of keys of one vector: shorter lists have none.
const vectorKeys = 8

// largest returns the index of the first of the largest keys. There is at least one.
func largest(keys []int32) int {
	if hasVectors && len(keys) >= vectorKeys {
		return largestVectors(keys)
	}
	return largestPlain(keys)
}

func largestPlain(keys []int32) int {
	top, key := 0, keys[0]
	for i := 1; i < len(keys); i++ {
		if keys[i] > key {
			top, key = i, keys[i]
		}
	}
	return top
}
