package search

import (
	"math/bits"

	"selfplay/engine"
)

// table is the transposition table. A search takes scores of all its iterations and of greater depths, so they
// may come from another path to the position, with other repetitions and clocks: the graph history interaction
// problem. See chessprogramming.org/Transposition_Table and /Graph_History_Interaction.
//
// The key is the hash of the position. The hash need not include whether the turn is open.
//
// Nothing is cleared between searches. Iterations are numbered, entries hold the number
// of theirs, and entries of earlier searches are ignored, unless they are of the same game and it
// keeps them.
type table struct {
	entries   []entry // a power of two, or none
	iteration uint64  // number of the current iteration
	first     uint64  // number of the first iteration whose entries count: of this search, or of its game
}

// entry takes 16 bytes.
//
// tag holds the number of the iteration in its low iterationBits and the high bits of
// the key above them. The low bits of the key select the bucket.
//
// data holds, from the low end: move (32 bits), score (16), depth (8), bound (2).
type entry struct{ tag, data uint64 }

const (
	entrySize  = 16
	bucketSize = 4 // entries, one cache line

	iterationBits = 20
	maxIteration  = 1 << iterationBits

	scoreShift = 32
	depthShift = 48
	boundShift = 56
)

// The kinds of bounds. An exact score is both.
const (
	upperBound uint64 = 1
	lowerBound uint64 = 2
	exactScore uint64 = upperBound | lowerBound
)

// newTable returns a table with the given number of entries, rounded down to a power of
// two; 0 returns a disabled table.
func newTable(entries uint64) table {
	if entries == 0 {
		return table{}
	}
	return table{entries: make([]entry, wholeTable(entries))}
}

// wholeTable rounds a number of entries down to a power of two, or to 0.
func wholeTable(entries uint64) uint64 {
	if entries == 0 {
		return 0
	}
	return 1 << (bits.Len64(entries) - 1)
}

// enabled reports whether the table has memory. A disabled table must not be used by
// probe and store.
func (t *table) enabled() bool { return len(t.entries) > 0 }

// nextSearch invalidates all entries, or keeps those of its game.
func (t *table) nextSearch(keep bool) {
	switch {
	case !keep:
		t.reserve(MaxDepth)
	case t.iteration+MaxDepth >= t.first+gameIterations:
		t.nextGame() // a game that is so long forgets what it kept
	}
}

// gameIterations is the number of iterations that a game has numbers for: at least 8,000 searches.
const gameIterations = maxIteration / 2

// nextGame invalidates all entries. What a game finds in the table then depends on the game alone.
func (t *table) nextGame() { t.reserve(gameIterations) }

// reserve invalidates all entries. None of the next n numbers of iterations is in use then.
func (t *table) reserve(n uint64) {
	if t.iteration+n >= maxIteration {
		clear(t.entries)
		t.iteration = 0
	}
	t.first = t.iteration + 1
}

// nextIteration gives later entries a higher number: victim keeps them longer.
func (t *table) nextIteration() { t.iteration++ }

// bucket returns the entries that may hold a key.
func (t *table) bucket(key uint64) *[bucketSize]entry {
	i := int(key) & (len(t.entries) - 1) &^ (bucketSize - 1)
	return (*[bucketSize]entry)(t.entries[i:])
}

// probe looks up a position. cutoff reports that score decides the window, by a search to depth or
// deeper. move is the best move, 0 if none is known.
func (t *table) probe(key uint64, depth, alpha, beta, ply int) (score int, move engine.Move, cutoff bool) {
	for _, e := range t.bucket(key) {
		if (e.tag^key)>>iterationBits != 0 || e.tag%maxIteration < t.first {
			continue
		}
		move = engine.Move(e.data)
		if int(uint8(e.data>>depthShift)) < depth {
			return 0, move, false
		}
		score, cutoff = e.decides(alpha, beta, ply)
		return score, move, cutoff
	}
	return 0, 0, false
}

// bound returns the score of a position and which bound it is, 0 if the table has none.
func (t *table) bound(key uint64, ply int) (score int, bound uint64) {
	for _, e := range t.bucket(key) {
		if (e.tag^key)>>iterationBits == 0 && e.tag%maxIteration >= t.first {
			return fromNode(int(int16(e.data>>scoreShift)), ply), e.data >> boundShift
		}
	}
	return 0, 0
}

// decides returns the score of an entry and whether it decides the window; else 0.
func (e entry) decides(alpha, beta, ply int) (score int, cutoff bool) {
	score = fromNode(int(int16(e.data>>scoreShift)), ply)
	switch bound := e.data >> boundShift; {
	case bound == exactScore,
		bound == lowerBound && score >= beta,
		bound == upperBound && score <= alpha:
		return score, true
	}
	return 0, false
}

// store saves the result of a search with the window alpha to beta. move is the best
// move, 0 if the search failed low.
func (t *table) store(key uint64, move engine.Move, best, depth, alpha, beta, ply int) {
	bound := exactScore
	switch {
	case best >= beta:
		bound = lowerBound
	case best <= alpha:
		bound = upperBound
	}
	e := t.victim(key)
	if move == 0 && (e.tag^key)>>iterationBits == 0 && e.tag%maxIteration >= t.first {
		move = engine.Move(e.data) // a fail-low has no best move: keep the old one
	}
	e.tag = key&^(maxIteration-1) | t.iteration
	e.data = uint64(move) | uint64(uint16(toNode(best, ply)))<<scoreShift |
		uint64(depth)<<depthShift | bound<<boundShift
}

// victim returns the entry to overwrite: the entry of the same position, else the one of
// the oldest iteration, among those the one with the least depth, among those the one with
// the lowest key. The order inside the bucket must not matter: it depends on earlier
// searches.
func (t *table) victim(key uint64) *entry {
	bucket := t.bucket(key)
	var victim *entry
	lowest := ^uint64(0)
	for i := range bucket {
		e := &bucket[i]
		if (e.tag^key)>>iterationBits == 0 {
			return e
		}
		priority := e.tag%maxIteration<<8 | e.data>>depthShift&255
		if priority < lowest || priority == lowest && e.tag < victim.tag {
			victim, lowest = e, priority
		}
	}
	return victim
}

// toNode converts a score for the table: the table counts the plies to a proven end from
// the node, the search counts them from the root.
func toNode(score, ply int) int {
	switch {
	case score > engine.MaxStatic:
		return score + ply
	case score < -engine.MaxStatic:
		return score - ply
	}
	return score
}

// fromNode is the inverse of toNode.
func fromNode(score, ply int) int {
	switch {
	case score > engine.MaxStatic:
		return score - ply
	case score < -engine.MaxStatic:
		return score + ply
	}
	return score
}

// move returns the best move of a position that this search has stored, 0 if none is known.
func (t *table) move(key uint64) engine.Move {
	for _, e := range t.bucket(key) {
		if (e.tag^key)>>iterationBits == 0 && e.tag%maxIteration >= t.first {
			return engine.Move(e.data)
		}
	}
	return 0
}
