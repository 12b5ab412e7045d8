package search

import "selfplay/engine"

// table remembers scores of positions that several move orders lead to. Scores
// serve only in the iteration that found them and only at their depth: then they
// are what a search would find again. The moves serve later iterations too, for
// order. See chessprogramming.org/Transposition_Table.
//
// The key is the hash of the position. Whether the turn is open, which a hash need
// not tell and on which depends what depth is worth, is not in it: within an
// iteration depth and side to move tell it, because the turns on every path belong
// to the sides alternately, from the same side on, and each costs one of depth.
//
// Nothing is cleared between searches. Every iteration has a number, kept in the
// entries, and what a search before wrote does not count.
type table struct {
	entries []entry // a power of two of them, or none
	now     uint64  // number of the iteration
	first   uint64  // number of the first iteration of this search
}

// entry is 16 bytes. id holds the number of the iteration in its low bits and the
// high bits of the key; the low bits of the key say where the entry is.
//
// data, from the low end: move 32, score 16, depth 8, bound 2.
type entry struct{ id, data uint64 }

const (
	entrySize = 16
	perBucket = 4 // a cache line

	numberBits = 20
	numbers    = 1 << numberBits

	scoreShift = 32
	depthShift = 48
	boundShift = 56
)

// What a stored score tells about the value.
const (
	upper uint64 = 1 // at most
	lower uint64 = 2 // at least
	value uint64 = upper | lower
)

// newTable returns a table of so many MiB, rounded down to a power of two.
func newTable(mib int) table {
	if mib == 0 {
		return table{}
	}
	n := 1
	for 2*n*entrySize <= mib<<20 {
		n *= 2
	}
	return table{entries: make([]entry, n)}
}

// on reports whether there is a table at all: probe and store need one.
func (t *table) on() bool { return len(t.entries) > 0 }

// nextSearch forgets everything.
func (t *table) nextSearch() {
	// Room for the numbers of all iterations of one search, so that none comes twice.
	if t.now+MaxDepth >= numbers {
		clear(t.entries)
		t.now = 0
	}
	t.first = t.now + 1
}

// nextIteration forgets the scores. A repetition or a clock may see the same
// position at the same depth but at another ply, or with another past.
func (t *table) nextIteration() { t.now++ }

// bucket returns the entries where a key may be.
func (t *table) bucket(key uint64) *[perBucket]entry {
	i := int(key) & (len(t.entries) - 1) &^ (perBucket - 1)
	return (*[perBucket]entry)(t.entries[i:])
}

// probe looks a position up: cut tells that score settles it for the window, and
// move is the best one known, 0 if none is.
func (t *table) probe(key uint64, depth, alpha, beta, ply int) (score int, move engine.Move, cut bool) {
	for _, e := range t.bucket(key) {
		number := e.id % numbers
		if (e.id^key)>>numberBits != 0 || number < t.first {
			continue
		}
		move = engine.Move(e.data)
		if number != t.now || int(uint8(e.data>>depthShift)) != depth {
			return 0, move, false
		}
		score = atRoot(int(int16(e.data>>scoreShift)), ply)
		switch bound := e.data >> boundShift; {
		case bound == value,
			bound == lower && score >= beta,
			bound == upper && score <= alpha:
			return score, move, true
		}
		return 0, move, false
	}
	return 0, 0, false
}

// store remembers what a search with a window found: best, and the move it is
// owed to, 0 if none was better than alpha.
func (t *table) store(key uint64, move engine.Move, best, depth, alpha, beta, ply int) {
	bound := value
	switch {
	case best >= beta:
		bound = lower
	case best <= alpha:
		bound = upper
	}
	e := t.victim(key)
	if move == 0 && (e.id^key)>>numberBits == 0 && e.id%numbers >= t.first {
		move = engine.Move(e.data) // a bound from above knows no move: keep the old one
	}
	e.id = key&^(numbers-1) | t.now
	e.data = uint64(move) | uint64(uint16(atNode(best, ply)))<<scoreShift |
		uint64(depth)<<depthShift | bound<<boundShift
}

// victim returns the entry to write to: the position's own; else the one with the
// oldest number, of equals the one with the least depth.
func (t *table) victim(key uint64) *entry {
	bucket := t.bucket(key)
	var found *entry
	least := ^uint64(0)
	for i := range bucket {
		e := &bucket[i]
		if (e.id^key)>>numberBits == 0 {
			return e
		}
		if worth := e.id%numbers<<8 | e.data>>depthShift&255; worth < least {
			found, least = e, worth
		}
	}
	return found
}

// Wins and losses are stored by their distance from the node and used by that from
// the root.

func atNode(score, ply int) int {
	switch {
	case score > engine.MaxStatic:
		return score + ply
	case score < -engine.MaxStatic:
		return score - ply
	}
	return score
}

func atRoot(score, ply int) int {
	switch {
	case score > engine.MaxStatic:
		return score - ply
	case score < -engine.MaxStatic:
		return score + ply
	}
	return score
}
