package search

import "selfplay/engine"

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
	if score, ok = s.leaves.ScoreAfter(m); ok {
		e.key, e.score = hash, int32(score+knownScore)
	}
	return score, ok
}
