// Package stats sums up what the games of a dataset are like: how they end, how long
// they are, how much their beginnings and positions differ, where pieces stand and go,
// how many moves there are, and what their scores and policies are worth.
//
//	stats.go     the numbers, and collecting them record by record
//	lengths.go   how long games are, and how those end that get so far
//	openings.go  how beginnings differ; tree.go which there are
//	distinct.go  counting distinct positions in bounded memory
//	scores.go    scores; auc.go how well they tell winners from losers
//	policy.go    how many moves the searches weigh, and how evenly
//	moves.go     which moves are played, and how many are legal
//	cells.go     what stands where
//
// Collectors of parts of a dataset can be merged: what comes out does not depend on how
// the games were shared out. The floats here are for readers: no dataset depends on them.
package stats

import (
	"cmp"
	"hash/maphash"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

// Summary is what a collector has seen. Shares are between 0 and 1.
type Summary struct {
	Games    uint64   `json:"games"`
	Plies    uint64   `json:"plies"`
	Endings  []Ending `json:"endings"`  // by result and reason
	Decisive float64  `json:"decisive"` // share of games that somebody won
	Lengths  Lengths  `json:"lengths"`

	Openings  []Opening `json:"openings"`
	Trees     []Tree    `json:"trees"`
	Positions Positions `json:"positions"`
	Choices   Choices   `json:"choices"`
	Actions   Actions   `json:"actions"`
	Legal     *Legal    `json:"legal,omitempty"`  // of the games that were sampled
	Scores    *Scores   `json:"scores,omitempty"` // of games that were searched
	Policy    *Policy   `json:"policy,omitempty"`
}

// Ending is how many games ended in one way.
type Ending struct {
	Result engine.Result `json:"result"`
	Reason string        `json:"reason"`
	Games  uint64        `json:"games"`
}

// Choices are shares of all plies.
type Choices struct {
	Drawn    float64 `json:"drawn"`    // at random
	Best     float64 `json:"best"`     // the best move found, or the only one looked at
	Other    float64 `json:"other"`    // another one that was looked at
	Searched float64 `json:"searched"` // with a score, whatever was played then
}

// Collector collects records of a game's dataset. It belongs to one goroutine.
type Collector struct {
	game    encode.Game
	variant string
	pos     engine.Position
	every   uint64 // legal moves are listed in one game of so many; 0: in none

	endings  map[engine.Outcome]uint64
	lengths  lengths
	plies    uint64
	drawn    uint64
	best     uint64
	searched uint64
	seed     maphash.Seed
	openings openings
	lines    map[beginning]uint64
	distinct *distinct // shared with forks
	hashes   []uint64  // of the game that is added
	actions  []uint64  // plies by number
	cells    *cells
	legal    legal
	scores   scores
	policy   policy
}

// New returns a collector for games of a variant of g. It lists the legal moves of one
// game of so many, which takes several times as long as all the rest; of none for 0.
func New(g encode.Game, variant string, every uint64) *Collector {
	return newCollector(g, variant, every, maphash.MakeSeed(), newDistinct())
}

// Fork returns a collector without games, for another goroutine, to be merged into c.
func (c *Collector) Fork() *Collector {
	return newCollector(c.game, c.variant, c.every, c.seed, c.distinct)
}

func newCollector(g encode.Game, variant string, every uint64, seed maphash.Seed, d *distinct) *Collector {
	return &Collector{
		game: g, variant: variant, pos: g.New(variant), every: every, endings: map[engine.Outcome]uint64{}, seed: seed,
		openings: newOpenings(seed), lines: map[beginning]uint64{}, distinct: d,
		actions: make([]uint64, g.Actions.Count), cells: newCells(&g), scores: newScores(),
	}
}

// Add counts a game. After an error, which a record that does not fit the rules is, the
// collector is of no use.
func (c *Collector) Add(r *engine.Record, validation bool) error {
	list := c.every > 0 && engine.Mix(r.Game)%c.every == 0
	c.hashes = c.hashes[:0]
	policy := 0 // entries of the plies before
	err := c.game.Replay(c.pos, r, func(ply int, _ engine.Move) {
		c.hashes = append(c.hashes, c.pos.Hash())
		c.cells.add(c.pos)
		c.actions[r.Actions[ply]]++
		if ply < len(r.Nodes) && r.Nodes[ply] > 0 {
			c.searched++
			c.scores.add(ply, int(r.Scores[ply]), c.pos.Turn(), r.Outcome)
		}
		if ply < len(r.PolicySize) && r.PolicySize[ply] > 0 {
			size := int(r.PolicySize[ply])
			c.policy.add(ply, r.PolicyWeight[policy:policy+size])
			policy += size
		}
		if list {
			c.legal.add(ply, c.pos)
		}
	})
	if err != nil {
		return err
	}
	if list {
		c.legal.games++
	}
	c.distinct.add(c.hashes, validation)
	c.count(r)
	return nil
}

// count counts what needs no position.
func (c *Collector) count(r *engine.Record) {
	c.endings[r.Outcome]++
	c.openings.add(r)
	c.lines[beginningOf(r)]++
	c.lengths.add(len(r.Actions), r.Outcome.Result)
	c.plies += uint64(len(r.Actions))
	for _, rank := range r.MoveRanks {
		switch rank {
		case engine.RankRandom:
			c.drawn++
		case engine.RankBest:
			c.best++
		}
	}
}

// Merge adds what a fork has seen.
func (c *Collector) Merge(o *Collector) {
	for outcome, n := range o.endings {
		c.endings[outcome] += n
	}
	for line, n := range o.lines {
		c.lines[line] += n
	}
	for action, n := range o.actions {
		c.actions[action] += n
	}
	c.openings.merge(&o.openings)
	c.lengths.merge(o.lengths)
	c.plies += o.plies
	c.drawn += o.drawn
	c.best += o.best
	c.searched += o.searched
	c.cells.merge(o.cells)
	c.legal.merge(&o.legal)
	c.scores.merge(&o.scores)
	c.policy.merge(&o.policy)
}

// Scale is how finely a summary tells things apart. Summaries of one scale can be laid
// over each other.
type Scale struct {
	Plies int // a span has so many
	Moves int // numbers of legal moves that are counted together
}

// Scale returns one that suits what was seen so far.
func (c *Collector) Scale() Scale { return Scale{width(len(c.lengths)), width(len(c.legal.counts))} }

// With returns the coarser of two scales.
func (s Scale) With(o Scale) Scale { return Scale{max(s.Plies, o.Plies), max(s.Moves, o.Moves)} }

// Summary returns what was seen so far.
func (c *Collector) Summary(scale Scale) Summary {
	s := Summary{Plies: c.plies, Openings: c.openings.list(), Positions: c.distinct.positions(), Actions: c.actionsOf()}
	s.Trees = treesOf(&c.game, c.pos, c.lines)
	won := uint64(0)
	for o, n := range c.endings {
		s.Games += n
		if o.Result == engine.FirstWins || o.Result == engine.SecondWins {
			won += n
		}
		s.Endings = append(s.Endings, Ending{o.Result, o.Reason.String(), n})
	}
	slices.SortFunc(s.Endings, func(a, b Ending) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Result, b.Result), cmp.Compare(a.Reason, b.Reason))
	})
	if s.Games == 0 {
		return s
	}
	s.Decisive = share(won, s.Games)
	s.Lengths = c.lengths.summary(s.Games, c.plies, scale.Plies)
	s.Choices = Choices{share(c.drawn, c.plies), share(c.best, c.plies), share(c.plies-c.drawn-c.best, c.plies), share(c.searched, c.plies)}
	if c.legal.games > 0 {
		s.Legal = c.legal.summary(c.every, scale)
	}
	if c.searched > 0 {
		s.Scores = c.scores.summary(c.game.WDL, scale.Plies)
	}
	if c.policy.plies > 0 {
		s.Policy = c.policy.summary(scale.Plies)
	}
	return s
}

// share returns n of all, 0 of nothing.
func share(n, all uint64) float64 {
	if all == 0 {
		return 0
	}
	return float64(n) / float64(all)
}
