// Package stats sums up what the games of a dataset are like: how they end, how long
// they are, how much their beginnings and positions differ, and what their scores are
// worth.
//
//	stats.go     the numbers, and collecting them record by record
//	openings.go  how beginnings differ
//	distinct.go  counting distinct positions in bounded memory
//	auc.go       how well scores tell winners from losers
//
// The floats here are for readers: no dataset depends on them.
package stats

import (
	"slices"

	"selfplay/cmd/internal/wdl"
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
	Positions Positions `json:"positions"`
	Choices   Choices   `json:"choices"`
	Scores    *Scores   `json:"scores,omitempty"` // of games that were searched
}

// Ending is how many games ended in one way.
type Ending struct {
	Result engine.Result `json:"result"`
	Reason string        `json:"reason"`
	Games  uint64        `json:"games"`
}

// Lengths are in plies.
type Lengths struct {
	Mean   float64 `json:"mean"`
	Least  int     `json:"least"`
	Median int     `json:"median"`
	P90    int     `json:"p90"` // nine games of ten are no longer
	Most   int     `json:"most"`
}

// Choices are shares of all plies.
type Choices struct {
	Drawn float64 `json:"drawn"` // at random
	Best  float64 `json:"best"`  // the best move found, or the only one looked at
	Other float64 `json:"other"` // another one that was looked at
}

// Scores tell what the scores of searched plies are worth, seen by the side that
// decides.
type Scores struct {
	Plies uint64 `json:"plies"`
	// Proven are plies whose score is a proven end. They need no model and are in
	// nothing below.
	Proven uint64 `json:"proven"`
	// AUC is the chance that of two plies, one of a side that won and one of a side
	// that lost, the first has the better score; 0.5 is worth nothing.
	AUC float64 `json:"auc"`
	// Loss is the log loss of the game's model of wins, draws and losses, in nats;
	// ConstantLoss that of their shares alone.
	Loss         float64  `json:"log_loss"`
	ConstantLoss float64  `json:"log_loss_constant"`
	Buckets      []Bucket `json:"buckets"`
}

// Bucket is a range of scores, both ends included, with shares of wins, draws and
// losses as the model has them and as they were.
type Bucket struct {
	Low       int        `json:"low"`
	High      int        `json:"high"`
	Plies     uint64     `json:"plies"`
	Predicted [3]float64 `json:"predicted"`
	Seen      [3]float64 `json:"seen"`
}

// buckets is how many ranges of scores are told apart.
const buckets = 12

// Collector collects records of a game's dataset. It belongs to one goroutine.
type Collector struct {
	game encode.Game
	pos  engine.Position

	endings  map[engine.Outcome]uint64
	lengths  []int // games by plies
	plies    uint64
	drawn    uint64
	best     uint64
	openings openings
	distinct distinct
	scores   wdl.Tally
	proven   uint64
}

// New returns a collector for games of a variant of g.
func New(g encode.Game, variant string) *Collector {
	return &Collector{
		game: g, pos: g.New(variant), endings: map[engine.Outcome]uint64{},
		openings: newOpenings(), distinct: newDistinct(), scores: wdl.Tally{},
	}
}

// Add counts a game. A record that does not fit the rules is an error.
func (c *Collector) Add(r *engine.Record) error {
	err := c.game.Replay(c.pos, r, func(ply int, _ engine.Move) {
		c.distinct.add(c.pos.Hash())
		if ply < len(r.Nodes) && r.Nodes[ply] > 0 {
			c.score(int(r.Scores[ply]), r.Outcome.For(c.pos.Turn()))
		}
	})
	if err != nil {
		return err
	}
	c.endings[r.Outcome]++
	c.openings.add(r)
	n := len(r.Actions)
	c.lengths = append(c.lengths, make([]int, max(0, n+1-len(c.lengths)))...)
	c.lengths[n]++
	c.plies += uint64(n)
	for _, rank := range r.Ranks {
		switch rank {
		case engine.RankRandom:
			c.drawn++
		case engine.RankBest:
			c.best++
		}
	}
	return nil
}

// score counts the score of a ply and what it led to.
func (c *Collector) score(score int, outcome int8) {
	if max(score, -score) > engine.MaxStatic {
		c.proven++
		return
	}
	c.scores.Add(score, outcome)
}

// Summary returns what was seen so far.
func (c *Collector) Summary() Summary {
	s := Summary{Plies: c.plies, Openings: c.openings.list(), Positions: c.distinct.positions()}
	won := uint64(0)
	for o, n := range c.endings {
		s.Games += n
		if o.Result == engine.FirstWins || o.Result == engine.SecondWins {
			won += n
		}
		s.Endings = append(s.Endings, Ending{o.Result, o.Reason.String(), n})
	}
	slices.SortFunc(s.Endings, func(a, b Ending) int { return int(b.Games) - int(a.Games) })
	if s.Games == 0 {
		return s
	}
	s.Decisive = share(won, s.Games)
	s.Lengths = lengthsOf(c.lengths, s.Games, c.plies)
	s.Choices = Choices{share(c.drawn, c.plies), share(c.best, c.plies), share(c.plies-c.drawn-c.best, c.plies)}
	if len(c.scores) > 0 {
		s.Scores = c.worth()
	}
	return s
}

// worth sums the scores up.
func (c *Collector) worth() *Scores {
	known := wdl.Model{A: float64(c.game.WDL.A), B: float64(c.game.WDL.B)}
	s := &Scores{
		Plies: c.scores.Sum().All() + c.proven, Proven: c.proven, AUC: auc(c.scores),
		Loss: c.scores.LogLoss(known), ConstantLoss: c.scores.ConstantLoss(),
	}
	for _, b := range c.scores.Buckets(known, buckets) {
		s.Buckets = append(s.Buckets, Bucket{b.Low, b.High, b.Plies, b.Predicted, b.Found})
	}
	return s
}

// lengthsOf sums up how many games have each number of plies.
func lengthsOf(counts []int, games, plies uint64) Lengths {
	l := Lengths{Mean: share(plies, games), Least: -1}
	seen := uint64(0)
	for n, count := range counts {
		if count == 0 {
			continue
		}
		if l.Least < 0 {
			l.Least = n
		}
		if before := seen; before < (games+1)/2 {
			l.Median = n
		}
		if before := seen; before*10 < games*9 {
			l.P90 = n
		}
		l.Most = n
		seen += uint64(count)
	}
	return l
}

// share returns n of all, 0 of nothing.
func share(n, all uint64) float64 {
	if all == 0 {
		return 0
	}
	return float64(n) / float64(all)
}
