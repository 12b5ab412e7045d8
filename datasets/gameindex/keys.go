package gameindex

import (
	"cmp"
	"slices"
)

// keys gives the games of a column keys that compare as the values do. Keys are below size.
type keys struct {
	size int
	of   func(s *shard, row int) int
}

// keysOf returns the keys of a column. The key of an unknown drop is the last one.
func (s *state) keysOf(c Column) keys {
	switch c {
	case Result:
		return keys{256, func(s *shard, row int) int { return int(s.result[row]) }}
	case Reason:
		return keys{256, func(s *shard, row int) int { return int(s.reason[row]) }}
	case Plies:
		return keys{1 << 16, func(s *shard, row int) int { return int(s.plies[row]) }}
	case Drop:
		return keys{1 << 16, func(s *shard, row int) int { return int(s.drop[row]) }}
	case DropPly:
		return keys{1 << 16, dropPlyKey}
	case PlayerFirst, PlayerSecond:
		ranks := s.players.ranks(int(c - PlayerFirst))
		return keys{max(1, len(s.players.names)), func(s *shard, row int) int { return int(ranks[s.players[row]]) }}
	}
	return keys{1, func(*shard, int) int { return 0 }} // by number
}

// dropPlyKey returns the ply of a drop above 0, else unknown.
func dropPlyKey(s *shard, row int) int {
	if d := s.drop[row]; d == 0 || d == unknown {
		return unknown
	}
	return int(s.dropPly[row])
}

// hasUnknown reports whether the last key of a column stands for an unknown value.
func (c Column) hasUnknown() bool { return c == Drop || c == DropPly }

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
