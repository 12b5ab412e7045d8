// Package stats computes statistics of the games of a dataset: results, lengths, openings,
// distinct positions, occupancy of cells, legal moves, scores and policies.
//
//	stats.go     Collector and Summary
//	lengths.go   lengths of games, and results by length; mean and percentiles
//	openings.go  variety of openings; tree.go the opening tree
//	distinct.go  distinct positions in bounded memory
//	scores.go    root scores; auc.go how well they predict the winner
//	leads.go     drawn games in which a side had a won position
//	policy.go    sizes and entropies of policies
//	moves.go     moves that were played, numbers of legal moves, and occupancy of cells
//	notable.go   whole games to look at
//
// Collectors of parts of a dataset can be merged. The result does not depend on how the
// games were divided among them. The floating-point numbers here are for people: no dataset
// depends on them.
package stats

import (
	"cmp"
	"hash/maphash"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

// Summary holds the statistics of the games that were added. Shares are from 0 to 1.
type Summary struct {
	Games    uint64   `json:"games"`
	Plies    uint64   `json:"plies"`
	Endings  []Ending `json:"endings"`  // by result and reason
	Decisive float64  `json:"decisive"` // share of games with a winner
	Lengths  Lengths  `json:"lengths"`

	Openings  []Opening `json:"openings"`
	Trees     []Tree    `json:"trees"`
	Positions Positions `json:"positions"`
	Choices   Choices   `json:"choices"`
	Actions   Actions   `json:"actions"`
	Legal     *Legal    `json:"legal,omitempty"`  // of a sample of the games
	Scores    *Scores   `json:"scores,omitempty"` // of searched plies
	Policy    *Policy   `json:"policy,omitempty"`
}

// Ending counts the games with one result and reason.
type Ending struct {
	Result engine.Result `json:"result"`
	Winner string        `json:"winner,omitempty"` // name of the side that won
	Reason string        `json:"reason"`
	Games  uint64        `json:"games"`
	// Led is the number of drawn games in which a side led by Scores.Lead in LeadPlies searched plies or more.
	Led uint64 `json:"led,omitzero"`
}

// Choices are shares of all plies.
type Choices struct {
	Random   float64 `json:"random"`   // the move was random
	Best     float64 `json:"best"`     // the best move found, or the only one searched
	Other    float64 `json:"other"`    // another move by its rank
	Searched float64 `json:"searched"` // the position was searched, whatever move was played
}

// Collector computes the statistics of the records of one dataset. Only one goroutine may
// use it; Fork makes collectors for others.
type Collector struct {
	game    encode.Game
	variant string
	pos     engine.Position
	every   uint64 // legal moves are listed in one of this many games; 0: in none

	endings  map[engine.Outcome]uint64
	lengths  lengths
	plies    uint64
	random   uint64 // plies with a random move
	best     uint64
	searched uint64
	seed     maphash.Seed
	openings openings
	lines    map[beginning]uint64
	distinct *distinct // shared with forks
	hashes   []uint64  // of the game that is being added
	actions  []uint64  // plies by action number
	cells    *cells
	legal    legal
	scores   scores
	policy   policy
	leads    leads
	notable  Notable
}

// New returns a collector for games of a variant of g. model is what the files say about scores, nil if
// nothing; it is compared with the results. The collector lists the legal moves of one game
// in every, which takes several times as long as the rest; with 0 of none.
func New(g encode.Game, variant string, model *encode.WDL, every uint64) *Collector {
	return newCollector(g, variant, model, every, maphash.MakeSeed(), newDistinct())
}

// Fork returns an empty collector for another goroutine. Merge it into c at the end.
func (c *Collector) Fork() *Collector {
	return newCollector(c.game, c.variant, c.scores.model, c.every, c.seed, c.distinct)
}

func newCollector(g encode.Game, variant string, model *encode.WDL, every uint64, seed maphash.Seed, d *distinct) *Collector {
	return &Collector{
		game: g, variant: variant, pos: g.New(variant), every: every, endings: map[engine.Outcome]uint64{}, seed: seed,
		openings: newOpenings(seed), lines: map[beginning]uint64{}, distinct: d,
		actions: make([]uint64, g.Actions.Count), cells: newCells(&g), scores: newScores(model), leads: newLeads(&g, model),
	}
}

// Add adds a game of the validation or the train split. A record that does not fit the rules
// is an error; after an error the collector is invalid.
func (c *Collector) Add(r *engine.Record, validation bool) error {
	list := c.every > 0 && engine.Mix(r.Game)%c.every == 0
	c.hashes = c.hashes[:0]
	policy := 0 // first policy entry of the ply
	var high peaks
	err := c.game.Replay(c.pos, r, func(ply int, _ engine.Move) {
		c.hashes = append(c.hashes, c.pos.Hash())
		c.cells.add(c.pos)
		c.actions[r.Actions[ply]]++
		if ply < len(r.Nodes) && r.Nodes[ply] > 0 {
			c.searched++
			c.scores.add(ply, int(r.Scores[ply]), c.pos.Turn(), r.Outcome)
			c.leads.add(int(r.Scores[ply]), c.pos.Turn())
			high.add(ply, int(r.Scores[ply]), c.pos.Turn())
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
	c.scores.endGame()
	c.leads.endGame(r.Outcome)
	c.distinct.add(c.hashes, validation)
	c.notable.add(r, &high)
	c.count(r)
	return nil
}

// count adds the statistics that need no position.
func (c *Collector) count(r *engine.Record) {
	c.endings[r.Outcome]++
	c.openings.add(r)
	c.lines[beginningOf(r)]++
	c.lengths.add(len(r.Actions), r.Outcome.Result)
	c.plies += uint64(len(r.Actions))
	for _, rank := range r.MoveRanks {
		switch rank {
		case engine.RankRandom:
			c.random++
		case engine.RankBest:
			c.best++
		}
	}
}

// Merge adds the games of a fork.
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
	c.random += o.random
	c.best += o.best
	c.searched += o.searched
	c.cells.merge(o.cells)
	c.legal.merge(&o.legal)
	c.scores.merge(&o.scores)
	c.leads.merge(&o.leads)
	c.policy.merge(&o.policy)
	c.notable.merge(&o.notable)
}

// Scale holds the widths of ranges in a summary. Summaries with one scale have the same
// ranges.
type Scale struct {
	Plies int // of ranges of plies
	Moves int // of ranges of numbers of legal moves
}

// Scale returns the scale that suits the games added so far.
func (c *Collector) Scale() Scale { return Scale{width(len(c.lengths)), width(len(c.legal.counts))} }

// With returns the coarser of two scales.
func (s Scale) With(o Scale) Scale { return Scale{max(s.Plies, o.Plies), max(s.Moves, o.Moves)} }

// Summary returns the statistics of the games added so far.
func (c *Collector) Summary(scale Scale) Summary {
	s := Summary{Plies: c.plies, Openings: c.openings.list(), Positions: c.distinct.positions(), Actions: c.actionsOf()}
	s.Trees = treesOf(&c.game, c.pos, c.lines)
	won := uint64(0)
	for o, n := range c.endings {
		s.Games += n
		if o.Result == engine.FirstWins || o.Result == engine.SecondWins {
			won += n
		}
		s.Endings = append(s.Endings, Ending{o.Result, c.winner(o.Result), c.game.ReasonName(o.Reason), n, c.leads.drawn[o]})
	}
	slices.SortFunc(s.Endings, func(a, b Ending) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Result, b.Result), cmp.Compare(a.Reason, b.Reason))
	})
	if s.Games == 0 {
		return s
	}
	s.Decisive = share(won, s.Games)
	s.Lengths = c.lengths.summary(scale.Plies)
	s.Choices = Choices{share(c.random, c.plies), share(c.best, c.plies), share(c.plies-c.random-c.best, c.plies), share(c.searched, c.plies)}
	if c.legal.games > 0 {
		s.Legal = c.legal.summary(c.every, scale)
	}
	if c.searched > 0 {
		s.Scores = c.scores.summary(c.scoreWidth(), scale.Plies)
		s.Scores.Lead = c.leads.least
	}
	if c.policy.plies > 0 {
		s.Policy = c.policy.summary(scale.Plies)
	}
	return s
}

// scoreWidth is the width of a range of scores: a quarter of what multiplies the odds of a
// win by e, the same for all players of a game.
func (c *Collector) scoreWidth() int { return max(10, c.game.ReferenceModel().B/40*10) }

// winner returns the name of the side that won, "" if neither did.
func (c *Collector) winner(r engine.Result) string {
	switch r {
	case engine.FirstWins:
		return c.game.Sides[engine.First]
	case engine.SecondWins:
		return c.game.Sides[engine.Second]
	default:
		return ""
	}
}

// share returns n / all, 0 if all is 0.
func share(n, all uint64) float64 {
	if all == 0 {
		return 0
	}
	return float64(n) / float64(all)
}
