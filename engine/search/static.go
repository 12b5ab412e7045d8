package search

import (
	"slices"

	"selfplay/engine"
)

// scoreCache keeps the last static scores by the hash of their positions. Half of the positions that a
// search scores it has scored before: in an earlier iteration or window, by another order of moves, or
// in the search of the move before. A score depends on the position alone, so what the cache has from
// earlier searches changes no result.
type scoreCache struct {
	of      engine.Evaluator // the position that the scores belong to
	used    bool             // a score costs more than to look it up
	entries [scoreEntries]scoreEntry
}

// scoreEntry holds a score plus knownScore, 0 if it is unused.
type scoreEntry struct {
	key   uint64
	score int32
}

// noStatic marks a node without a static score: the side to move is in check, or nobody has asked.
const noStatic = -infinite

const (
	scoreEntries = 1 << 13 // 128 KiB
	knownScore   = 1 << 20
)

// begin prepares for scores of a position. Another one may be of another game. Where the static score
// is a sum that moves keep up to date, it is computed again: that is faster than memory, most of all
// where other searches use the same cache of the processor.
func (c *scoreCache) begin(p engine.Evaluator, scorer Scorer) {
	if c.of != p {
		*c = scoreCache{of: p}
	}
	_, sum := p.(engine.Additive)
	c.used = scorer != nil || !sum
}

// static returns the static score of the position.
func (s *AlphaBeta) static() int {
	if !s.scores.used {
		return staticScore(s.options.Scorer, s.p)
	}
	key := s.p.Hash()
	e := &s.scores.entries[key%scoreEntries]
	if e.key != key || e.score == 0 {
		e.key, e.score = key, int32(staticScore(s.options.Scorer, s.p)+knownScore)
	}
	return int(e.score) - knownScore
}

// staticOf returns the static score of the position, whose frame is f.
func (s *AlphaBeta) staticOf(f *frame) int {
	if f.known != noStatic {
		return f.known
	}
	return s.static()
}

// staticAfter returns the static score after a move that leads to a position with this hash.
func (s *AlphaBeta) staticAfter(m engine.Move, hash uint64) (score int, ok bool) {
	if !s.scores.used {
		return s.leaves.ScoreAfter(m)
	}
	e := &s.scores.entries[hash%scoreEntries]
	if e.key == hash && e.score != 0 {
		return int(e.score) - knownScore, true
	}
	score, ok = s.leaves.ScoreAfter(m)
	if ok {
		e.key, e.score = hash, int32(score+knownScore)
	}
	return score, ok
}

// boundedStatic returns the static score of a position with a hash, or the score of the table if that
// bounds it: the table has searched the position.
func (s *AlphaBeta) boundedStatic(static int, hash uint64, ply int) int {
	if !s.on(TableScores) || !s.table.enabled() {
		return static
	}
	switch score, bound := s.table.bound(hash, ply); {
	case isProven(score):
	case bound&lowerBound != 0 && score > static, bound&upperBound != 0 && score < static:
		return score
	}
	return static
}

// Most nodes are leaves whose static score ends them at once: at the horizon the side to move stands
// pat, and above it the score is far above beta. Where the score of such a leaf is known without
// playing the move, nothing else is needed.

// leafScorer is what a game (engine.LeafScorer) and a Scorer may know: the static score after a legal
// move, from the view of the side to move there. See engine.LeafScorer.
type leafScorer interface {
	ScoreAfter(m engine.Move) (score int, ok bool)
}

// findLeafScorer finds the source of static scores after moves.
func (s *AlphaBeta) findLeafScorer() {
	s.repeater = nil
	var source any = s.p
	if s.options.Scorer != nil {
		source = s.options.Scorer
	}
	s.leaves, _ = source.(leafScorer)
	s.hasher, _ = s.p.(engine.LeafHasher)
	if s.on(Recurrence) {
		s.repeater, _ = s.p.(engine.LeafRepeater)
	}
}

// leafMove returns the score of a move whose child has a depth and a ply, from the view of the side that
// moves, if the child is a leaf that fails high at once. It counts the leaf. pv says that the child is
// first searched with an open window. Of another child it keeps the static score, if that is known: such
// a child is neither over nor in check.
func (s *AlphaBeta) leafMove(m engine.Move, depth, ply, alpha int, pv bool) (score int, ok bool) {
	s.frames[ply].known = noStatic
	if s.leaves == nil || depth > 0 && (s.hasher == nil || !s.mayPruneChild(depth, ply, alpha, pv)) {
		return 0, false
	}
	score, ok = s.leafScore(m, depth, ply, alpha)
	switch {
	case !ok:
		return 0, false
	case !s.countNode():
		return 0, true
	}
	return -score, true
}

// leafScore returns the score of a child from its view if it fails high at once: that of the table, or
// the static score.
func (s *AlphaBeta) leafScore(m engine.Move, depth, ply, alpha int) (score int, ok bool) {
	var hash uint64
	if s.hasher == nil {
		score, ok = s.leaves.ScoreAfter(m)
	} else {
		hash, ok = s.hasher.HashAfter(m)
		if !ok {
			return 0, false
		}
		if s.on(Recurrence) && s.earlier.has(hash) {
			return 0, alpha >= 0
		}
		if depth > 0 && s.table.enabled() {
			if score, _, cutoff := s.table.probe(hash, depth, -alpha-1, -alpha, ply); cutoff {
				return score, score >= -alpha
			}
		}
		score, ok = s.staticAfter(m, hash)
	}
	if !ok {
		return 0, false
	}
	static := score
	if depth > 0 { // as the child does
		score = s.boundedStatic(static, hash, ply)
	}
	if score-s.tuning.ReverseFutility*depth < -alpha {
		s.frames[ply].known = static
		return 0, false
	}
	if s.repeater != nil && s.repeater.RepeatsAfter(m) {
		return 0, false // it may be a draw, which the static score does not know
	}
	return score, true
}

// mayPruneChild reports whether the static score of a child above the horizon may end it by reverse
// futility: see node.
func (s *AlphaBeta) mayPruneChild(depth, ply, alpha int, pv bool) bool {
	return depth <= s.tuning.ReverseFutilityDepth && s.on(ReverseFutility) && !pv && ply < maxPly && !isProven(alpha) && !isProven(alpha+1)
}

// A game is drawn when a position occurs for the third or fourth time. A shallow search sees that too
// late: with a lead it plays the same moves again and again, until its opponent ends the game. So a
// search counts every position that has occurred before, in the game or on the path, as a draw.

// historian is what a position may know of its game: see engine.Featured.
type historian interface {
	Plies() int
	HashAt(n int) uint64
}

// positionSet holds positions by their hashes. Most positions are in no set, and the counts tell so at
// once.
type positionSet struct {
	hashes []uint64
	counts [1 << 10]uint16 // by the low bits of the hash
}

func (p *positionSet) push(hash uint64) {
	p.hashes = append(p.hashes, hash)
	p.counts[hash%uint64(len(p.counts))]++
}

func (p *positionSet) pop() {
	last := len(p.hashes) - 1
	p.counts[p.hashes[last]%uint64(len(p.counts))]--
	p.hashes = p.hashes[:last]
}

func (p *positionSet) has(hash uint64) bool {
	return p.counts[hash%uint64(len(p.counts))] > 0 && slices.Contains(p.hashes, hash)
}

// beginRecurrence notes the positions of the game, the root included.
func (s *AlphaBeta) beginRecurrence() {
	if !s.on(Recurrence) {
		return
	}
	s.earlier = positionSet{hashes: s.earlier.hashes[:0]}
	if p, ok := s.p.(historian); ok {
		for n := range p.Plies() + 1 {
			s.earlier.push(p.HashAt(n))
		}
	}
}
