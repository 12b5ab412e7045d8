package gameindex

import "selfplay/datasets"

// shard holds the games of a committed shard, column by column. It never changes.
type shard struct {
	commit         *datasets.Commit
	result, reason []uint8
	plies          []uint16
	drop           []uint16 // in 10,000ths, unknown if not known
	dropPly        []uint16 // unknown unless drop is above 0
	players        []uint32 // numbers of pairs
	opening        [OpeningPlies][]uint16
}

// newShard returns a shard with room for its games.
func newShard(c *datasets.Commit) *shard {
	n := c.Games
	s := &shard{
		commit: c, result: make([]uint8, n), reason: make([]uint8, n), plies: make([]uint16, n),
		drop: make([]uint16, n), dropPly: make([]uint16, n), players: make([]uint32, n),
	}
	for ply := range s.opening {
		s.opening[ply] = make([]uint16, n)
	}
	return s
}

// games returns the number of games.
func (s *shard) games() int { return len(s.result) }

// same reports whether the shard holds the games of a commit record.
func (s *shard) same(c *datasets.Commit) bool {
	a, b := s.commit.Files[datasets.GamesFile], c.Files[datasets.GamesFile]
	return s.commit.Shard == c.Shard && s.commit.Games == c.Games && a.SHA256 == b.SHA256
}

// state is what queries see of an index. It never changes.
type state struct {
	shards  []*shard // in the order of their numbers
	players players
	games   int
	status  Status
}

// newState returns a state of shards.
func newState(shards []*shard, p players) *state {
	s := &state{shards: shards, players: p}
	for _, sh := range shards {
		s.games += sh.games()
	}
	return s
}
