package gameindex

import (
	"cmp"
	"context"
	"slices"
)

// keys gives the games of a column numbers below size that compare as the values do.
type keys struct {
	*column
	size  int
	ranks []uint32 // keys of the values; nil: the values are the keys
}

// keysOf returns the keys of a column. Unknown values have the last one. If a shard has no values
// of the column, all games have the key 0.
func (s *state) keysOf(c Column) keys {
	if c == PlayerFirst || c == PlayerSecond {
		return keys{&columns[c], len(s.players.names), s.players.ranks(int(c - PlayerFirst))}
	}
	return keys{&columns[c], 1 << (8 * columns[c].kind.Size()), nil}
}

// count counts the games of each key that fail no condition, or those of ignored only.
func (s *Selection) count(ctx context.Context, k keys, ignored uint8) ([]int, error) {
	counts, err := s.sum(ctx, max(k.size, len(k.ranks)), func(counts []uint32, i int) {
		switch values := k.values(s.state.shards[i]).(type) {
		case []uint8:
			tally(counts, values, s.fails[i], ignored)
		case []uint16:
			tally(counts, values, s.fails[i], ignored)
		case []uint32:
			tally(counts, values, s.fails[i], ignored)
		default:
			counts[0] += countMatches(s.fails[i], ignored)
		}
	})
	if k.ranks == nil {
		return counts, err
	}
	byRank := make([]int, k.size)
	for value, rank := range k.ranks {
		byRank[rank] += counts[value]
	}
	return byRank, err
}

// visit calls look for the games of a shard that fail no condition and have a key from low to high,
// until it returns false.
func (k *keys) visit(s *shard, fails []uint8, low, high int, look func(row, key int) bool) bool {
	switch values := k.values(s).(type) {
	case []uint8:
		return visit(values, fails, uint8(low), uint8(high), look)
	case []uint16:
		return visit(values, fails, uint16(low), uint16(high), look)
	case []uint32:
		for row, v := range values {
			if key := int(k.ranks[v]); key >= low && key <= high && fails[row] == 0 && !look(row, key) {
				return false
			}
		}
	default:
		for row, f := range fails {
			if f == 0 && !look(row, 0) {
				return false
			}
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
