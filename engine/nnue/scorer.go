package nnue

import (
	"slices"

	"selfplay/engine"
)

// Scorer computes static scores of one position at a time. It follows the position lazily:
// only Begin and Score look at it, so moves that are played and taken back in between cost nothing.
// One goroutine owns a Scorer. It satisfies search.Scorer.
type Scorer struct {
	net   *Network
	blend int // percent of the hand-written score

	p    engine.Featured
	base int     // Plies of p at Begin
	used int     // entries that may be known
	path []entry // by plies after base

	removed, added []engine.Feature // scratch

	viewed engine.Viewed // p, if it has several views of a side
	seen   [2][]seen     // by side and view, of all positions so far

	leaves engine.LeafFeatured // p, if it knows the scores after moves

	moves engine.Policied // p, if the network rates moves
	parts []partLogit     // by part
	round uint32          // calls of AppendLogits
}

// entry holds the accumulators of one position on the path from the root.
type entry struct {
	known bool
	hash  uint64
	size  int         // number of active features
	views [2][]uint64 // by side
}

// seen holds the accumulators of a side's view of the last board for which they were refreshed. The
// next one with this view has most of its pieces on the same cells.
type seen struct {
	board engine.Board
	size  int // number of active features
	view  []uint64
}

const (
	// maxPath is the largest number of plies after the root for which accumulators are kept.
	maxPath = 256
	// maxCatchUp is the number of plies over which changes cost less than a new start.
	maxCatchUp = 8
)

// NewScorer returns a Scorer whose scores contain a percentage, from 0 to 100, of the
// hand-written score. If the network corrects that score, corrections are multiplied by
// 1 - blend/100.
func NewScorer(net *Network, blend int) *Scorer {
	if blend < 0 || blend > 100 {
		panic("nnue: blend outside 0 to 100")
	}
	s := &Scorer{net: net, blend: blend, path: make([]entry, maxPath+1)}
	values := make([]uint64, 2*len(s.path)*net.words)
	for i := range s.path {
		for side := range s.path[i].views {
			s.path[i].views[side], values = values[:net.words:net.words], values[net.words:]
		}
	}
	for side := range s.seen {
		for range net.features.Views {
			s.seen[side] = append(s.seen[side], seen{view: slices.Clone(net.bias)})
		}
	}
	s.parts = make([]partLogit, net.PolicySize())
	return s
}

// Begin prepares for the scores of p and of positions that moves on p lead to. p must be an
// engine.Featured with the features of the network.
func (s *Scorer) Begin(p engine.Evaluator) {
	s.p = p.(engine.Featured)
	if *s.p.FeatureSet() != s.net.features {
		panic("nnue: the network has other features than the position")
	}
	s.leaves, _ = p.(engine.LeafFeatured)
	s.viewed, _ = p.(engine.Viewed)
	if s.net.HasPolicy() {
		s.moves = p.(engine.Policied)
	}
	s.base = s.p.Plies()
	for i := range s.path[:s.used] {
		s.path[i].known = false
	}
	s.used = 1
	s.refresh(&s.path[0], s.p.HashAt(s.base)) // so that every later position has one to catch up from
}

// Score returns the score of the position as it is now from the view of the side to move.
func (s *Scorer) Score() int {
	if s.blend == 100 {
		return s.p.Evaluate()
	}
	e := s.current()
	if e.size > s.net.features.Most { // the sums may overflow; no game leads here
		return s.p.Evaluate()
	}
	us := s.p.Turn() & 1
	score := s.net.score(e.views[us], e.views[us^1], e.size)
	if s.net.based || s.blend > 0 {
		score = s.mixed(score, s.p.Evaluate())
	}
	return score
}

// ScoreAfter returns the score after a legal move, as engine.LeafScorer does. The position has to know
// the changes of the move and the hand-written score.
func (s *Scorer) ScoreAfter(m engine.Move) (score int, ok bool) {
	if s.leaves == nil {
		return 0, false
	}
	hand, ok := s.leaves.ScoreAfter(m)
	if !ok || s.blend == 100 {
		return hand, ok
	}
	e := s.current()
	s.removed, s.added, ok = s.leaves.AppendChangesAfter(m, s.removed[:0], s.added[:0])
	if !ok {
		return 0, false
	}
	size := e.size + len(s.added) - len(s.removed)
	if max(e.size, size) > s.net.features.Most { // the sums may overflow, see Score
		return 0, false
	}
	score = s.net.scoreAfter(e, s.p.Turn()&1^1, size, s.added, s.removed)
	if s.net.based || s.blend > 0 {
		score = s.mixed(score, hand)
	}
	return score, true
}

// mixed returns the score from that of the network and the hand-written one.
func (s *Scorer) mixed(score, hand int) int {
	if s.net.based {
		score = min(max(hand+score, -engine.MaxStatic), engine.MaxStatic)
	}
	return (s.blend*hand + (100-s.blend)*score) / 100
}

// current returns the accumulators of the position.
func (s *Scorer) current() *entry {
	plies := s.p.Plies()
	n := plies - s.base
	if n < 0 || n >= len(s.path) { // before the root, or at the end of a long rollout
		return s.refresh(&s.path[len(s.path)-1], s.p.HashAt(plies))
	}
	hash := s.p.HashAt(plies)
	e := &s.path[n]
	if e.known && e.hash == hash {
		return e
	}
	for k := n - 1; k >= max(n-maxCatchUp, 0); k-- {
		if from := &s.path[k]; from.known && from.hash == s.p.HashAt(s.base+k) {
			return s.catchUp(k, n, hash)
		}
	}
	s.used = max(s.used, n+1)
	return s.refresh(e, hash)
}

// catchUp updates the entries after k, which is known, up to n, whose hash is last.
func (s *Scorer) catchUp(k, n int, last uint64) *entry {
	s.used = max(s.used, n+1)
	for ; k < n; k++ {
		hash := last
		if k+1 < n {
			hash = s.p.HashAt(s.base + k + 1)
		}
		var ok bool
		s.removed, s.added, ok = s.p.AppendChanges(s.base+k, s.removed[:0], s.added[:0])
		if !ok {
			s.refresh(&s.path[n], last)
			s.backUp(n, k+1)
			return &s.path[n]
		}
		s.update(&s.path[k+1], &s.path[k], hash)
	}
	return &s.path[n]
}

// backUp sets the entries before n, down to the given one or to a move that gave features other numbers, so
// that the next moves from there have them.
func (s *Scorer) backUp(n, to int) {
	for n--; n >= to; n-- {
		var ok bool
		s.added, s.removed, ok = s.p.AppendChanges(s.base+n, s.added[:0], s.removed[:0])
		if !ok {
			return
		}
		s.update(&s.path[n], &s.path[n+1], s.p.HashAt(s.base+n))
	}
}

// update sets the accumulators of an entry to those of the one before it, with the changes
// that are in s.
func (s *Scorer) update(to, from *entry, hash uint64) {
	to.known, to.hash, to.size = true, hash, from.size+len(s.added)-len(s.removed)
	s.net.update(to.views[0], from.views[0], s.added, s.removed, engine.First)
	s.net.update(to.views[1], from.views[1], s.added, s.removed, engine.Second)
}

// refresh computes the accumulators of an entry from the board.
func (s *Scorer) refresh(e *entry, hash uint64) *entry {
	e.known, e.hash = true, hash
	if s.viewed != nil {
		e.size = s.refreshView(e.views[0], engine.First)
		s.refreshView(e.views[1], engine.Second)
		return e
	}
	s.added = s.p.AppendFeatures(s.added[:0])
	e.size = len(s.added)
	s.net.update(e.views[0], s.net.bias, s.added, nil, engine.First)
	s.net.update(e.views[1], s.net.bias, s.added, nil, engine.Second)
	return e
}

// refreshView sets the accumulators of a side from those last seen in the same view, and returns the number
// of active features.
func (s *Scorer) refreshView(dst []uint64, side engine.Side) int {
	last := &s.seen[side][s.viewed.View(side)]
	s.removed, s.added = s.viewed.AppendDifference(&last.board, s.removed[:0], s.added[:0])
	last.size += len(s.added) - len(s.removed)
	s.net.update(last.view, last.view, s.added, s.removed, side)
	copy(dst, last.view)
	return last.size
}
