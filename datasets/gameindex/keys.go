package gameindex

import (
	"cmp"
	"slices"
)

// keys gives the games of a column numbers below size that compare as the values do. One of the
// three other fields says where they are; without any, all games have the key 0.
type keys struct {
	size  int
	bytes func(s *shard) []uint8
	words func(s *shard) []uint16
	ranks []uint32 // of pairs of players
}

// keysOf returns the keys of a column. Unknown drops and plies have the last one.
func (s *state) keysOf(c Column) keys {
	switch c {
	case Result:
		return keys{size: 1 << 8, bytes: func(s *shard) []uint8 { return s.result }}
	case Reason:
		return keys{size: 1 << 8, bytes: func(s *shard) []uint8 { return s.reason }}
	case Plies:
		return keys{size: 1 << 16, words: func(s *shard) []uint16 { return s.plies }}
	case Drop:
		return keys{size: 1 << 16, words: func(s *shard) []uint16 { return s.drop }}
	case DropPly:
		return keys{size: 1 << 16, words: func(s *shard) []uint16 { return s.dropPly }}
	case PlayerFirst, PlayerSecond:
		return keys{size: len(s.players.names), ranks: s.players.ranks(int(c - PlayerFirst))}
	}
	return keys{size: 1} // by number
}

// hasUnknown reports whether the last key of a column stands for an unknown value.
func (c Column) hasUnknown() bool { return c == Drop || c == DropPly }

// counters returns counters for tally.
func (k *keys) counters() []uint32 { return make([]uint32, max(k.size, len(k.ranks))) }

// tally counts the games of a shard that fail no condition, or those of ignored only: by key, or by
// pair of players.
func (k *keys) tally(counts []uint32, s *shard, fails []uint8, ignored uint8) {
	switch {
	case k.bytes != nil:
		tally(counts, k.bytes(s), fails, ignored)
	case k.words != nil:
		tally(counts, k.words(s), fails, ignored)
	case k.ranks != nil:
		tally(counts, s.players, fails, ignored)
	default:
		counts[0] += countMatches(fails, ignored)
	}
}

// sum adds the counters of tally to counts by key.
func (k *keys) sum(counts []int, tallied []uint32) {
	for i, n := range tallied {
		if k.ranks == nil {
			counts[i] += int(n)
		} else if i < len(k.ranks) {
			counts[k.ranks[i]] += int(n)
		}
	}
}

// visit calls look for the games of a shard that fail no condition and have a key from low to high,
// until it returns false.
func (k *keys) visit(s *shard, fails []uint8, low, high int, look func(row, key int) bool) bool {
	switch {
	case k.bytes != nil:
		return visit(k.bytes(s), fails, uint8(low), uint8(high), look)
	case k.words != nil:
		return visit(k.words(s), fails, uint16(low), uint16(high), look)
	case k.ranks != nil:
		for row, pair := range s.players {
			if key := int(k.ranks[pair]); key >= low && key <= high && fails[row] == 0 && !look(row, key) {
				return false
			}
		}
		return true
	}
	for row, f := range fails {
		if f == 0 && !look(row, 0) {
			return false
		}
	}
	return true
}

// The loops below run once a game: no branch depends on whether a game matches, because the
// processor could not predict it.

// matched returns 1 if no condition fails, else 0.
func matched(fails uint8) uint32 { return (uint32(fails) - 1) >> 31 }

func tally[V uint8 | uint16 | uint32](counts []uint32, values []V, fails []uint8, ignored uint8) {
	fails = fails[:len(values)]
	for i, v := range values {
		counts[v] += matched(fails[i] &^ ignored)
	}
}

func countMatches(fails []uint8, ignored uint8) (n uint32) {
	for _, f := range fails {
		n += matched(f &^ ignored)
	}
	return n
}

func visit[V uint8 | uint16](values []V, fails []uint8, low, high V, look func(row, key int) bool) bool {
	fails = fails[:len(values)]
	for row, v := range values {
		if v-low <= high-low && fails[row] == 0 && !look(row, int(v)) {
			return false
		}
	}
	return true
}

// ranks returns the rank of the name of a side, for each pair.
func (p *players) ranks(side int) []uint32 {
	rank := make([]uint32, len(p.names))
	for i, name := range p.sorted() {
		rank[name] = uint32(i)
	}
	list := make([]uint32, len(p.pairs))
	for id, of := range p.pairs {
		list[id] = rank[of[side]]
	}
	return list
}

// sorted returns the indexes of names in the order of the names.
func (p *players) sorted() []uint32 {
	list := make([]uint32, len(p.names))
	for i := range list {
		list[i] = uint32(i)
	}
	slices.SortFunc(list, func(a, b uint32) int { return cmp.Compare(p.names[a], p.names[b]) })
	return list
}
