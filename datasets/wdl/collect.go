package wdl

import (
	"selfplay/encode"
	"selfplay/engine"
)

// blocks is the number of blocks of whole games for the standard errors.
const blocks = 20

// Sources counts the games of a fit, and what it excludes.
type Sources struct {
	Games       uint64 `json:"games"`
	Cut         uint64 `json:"games_cut_off"`
	Adjudicated uint64 `json:"games_adjudicated"`
	Proven      uint64 `json:"plies_proven"`
}

// Collector tallies the scores of games with their results, in blocks of whole games. It
// belongs to one goroutine; Fork makes collectors for others.
type Collector struct {
	Sources
	// CountAdjudicated counts adjudicated games like others. Without them the games of a
	// dataset that adjudicates are mostly draws. Set it before Add.
	CountAdjudicated bool
	// Known is compared with the fit; nil: nothing is.
	Known *encode.WDL

	game    encode.Game
	variant string
	pos     engine.Position
	blocks  [blocks]Tally
}

// NewCollector returns a collector for games of a variant of g.
func NewCollector(g encode.Game, variant string) *Collector {
	c := &Collector{game: g, variant: variant, pos: g.New(variant)}
	for i := range c.blocks {
		c.blocks[i] = Tally{}
	}
	return c
}

// Fork returns a collector without games.
func (c *Collector) Fork() *Collector {
	fork := NewCollector(c.game, c.variant)
	fork.CountAdjudicated = c.CountAdjudicated
	return fork
}

// Merge adds the games of a fork.
func (c *Collector) Merge(fork *Collector) {
	for i, t := range fork.blocks {
		c.blocks[i].AddAll(t)
	}
	c.Games += fork.Games
	c.Cut += fork.Cut
	c.Adjudicated += fork.Adjudicated
	c.Proven += fork.Proven
}

// Add tallies the searched plies of a game. It replays the game, because only the position
// knows the side to move. It excludes games that were cut off, which have no result, and,
// unless CountAdjudicated is set, adjudicated games, whose result follows from the scores. The block depends on the number
// of the game, so that the result does not depend on how games are divided among readers.
// The split does not matter.
func (c *Collector) Add(r *engine.Record, _ bool) error {
	switch {
	case r.Outcome.Result == engine.NoResult:
		c.Cut++
		return nil
	case r.Outcome.Reason == engine.Adjudicated && !c.CountAdjudicated:
		c.Adjudicated++
		return nil
	}
	block := c.blocks[r.Game%blocks]
	c.Games++
	return c.game.Replay(c.pos, r, func(ply int, _ engine.Move) {
		if ply < len(r.Nodes) && r.Nodes[ply] > 0 {
			c.count(block, int(r.Scores[ply]), r.Outcome.For(c.pos.Turn()))
		}
	})
}

// count tallies a score, unless it is a proven end and needs no model.
func (c *Collector) count(block Tally, score int, outcome int8) {
	if max(score, -score) > engine.MaxStatic {
		c.Proven++
		return
	}
	block.Add(score, outcome)
}

// Report describes a fit. A and B are in centi-units.
type Report struct {
	A      float64 `json:"a"`
	B      float64 `json:"b"`
	ErrorA float64 `json:"a_error,omitempty"` // standard error, if there are enough games
	ErrorB float64 `json:"b_error,omitempty"`
	N      uint64  `json:"n"` // plies

	DrawnAt0 float64 `json:"drawn_at_0"` // share of draws at a score of 0
	At0      uint64  `json:"n_at_0"`     // plies with it

	LogLoss         float64 `json:"log_loss"`          // of the fit, in nats
	LogLossConstant float64 `json:"log_loss_constant"` // of constant probabilities, in nats
	Known           *Known  `json:"known,omitempty"`

	Sources
	Buckets []Bucket `json:"buckets"`
}

// Known is a model that was fitted earlier, and its log loss on these games.
type Known struct {
	encode.WDL
	LogLoss float64 `json:"log_loss"`
}

// Fit fits the model to all games. For errors see the function Fit.
func (c *Collector) Fit() (*Report, error) {
	all := Tally{}
	for _, t := range c.blocks {
		all.AddAll(t)
	}
	m, err := Fit(all)
	if err != nil {
		return nil, err
	}
	r := &Report{
		A: m.A, B: m.B, DrawnAt0: m.DrawnAt0, N: all.Sum().All(), At0: all[0].All(), LogLoss: all.LogLoss(m), LogLossConstant: all.ConstantLoss(),
		Sources: c.Sources, Buckets: all.Buckets(&m, BucketCount),
	}
	if c.Known != nil {
		r.Known = &Known{*c.Known, all.LogLoss(ModelOf(c.Known))}
	}
	if a, b, err := Errors(c.blocks[:]); err == nil {
		r.ErrorA, r.ErrorB = a, b
	}
	return r, nil
}
