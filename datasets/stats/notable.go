package stats

import (
	"cmp"

	"selfplay/engine"
)

// Notable holds whole games to look at. The records are copies.
type Notable struct {
	First   *engine.Record // lowest number; nil without games
	Longest *engine.Record // most plies, the lowest number among equals; nil without games
	// Upset is the most surprising game: a side had the highest score of all games and did
	// not win. Games that were cut off do not count. Among equal scores a lost game comes
	// before a drawn one, then the lowest number. It is nil if no side without a win ever had
	// a positive score.
	Upset *Upset
}

// Upset is a game that a side did not win despite its score.
type Upset struct {
	Record *engine.Record
	Ply    int // the first with the score; earlier plies
	Side   engine.Side
	Score  int  // from the view of Side; a proven end is beyond engine.MaxStatic
	Lost   bool // else drawn
}

// compare returns a negative number if u is more surprising than v.
func (u *Upset) compare(v *Upset) int {
	return cmp.Or(cmp.Compare(v.Score, u.Score), cmp.Compare(v.losses(), u.losses()), cmp.Compare(u.Record.Game, v.Record.Game))
}

// Game returns the record, nil without an upset.
func (u *Upset) Game() *engine.Record {
	if u == nil {
		return nil
	}
	return u.Record
}

// losses returns 1 for a lost game, else 0.
func (u *Upset) losses() int {
	if u.Lost {
		return 1
	}
	return 0
}

// peak is the highest score of a side in a game.
type peak struct{ score, ply int }

// peaks holds the peaks of both sides in the game that is being added.
type peaks [2]peak

func (p *peaks) add(ply, score int, turn engine.Side) {
	if score > p[turn].score {
		p[turn] = peak{score, ply}
	}
}

// add offers a game with the peaks of its scores.
func (n *Notable) add(r *engine.Record, high *peaks) {
	n.offer(Notable{First: r, Longest: r}, copyOf)
	if r.Outcome.Result == engine.NoResult {
		return
	}
	for side, p := range high {
		if outcome := r.Outcome.For(engine.Side(side)); p.score > 0 && outcome <= 0 {
			upset := &Upset{Record: r, Ply: p.ply, Side: engine.Side(side), Score: p.score, Lost: outcome < 0}
			n.offer(Notable{Upset: upset}, copyOf)
		}
	}
}

// merge offers the games of a fork.
func (n *Notable) merge(o *Notable) {
	n.offer(*o, func(r *engine.Record) *engine.Record { return r })
}

// offer takes the games that are more notable than those so far, and keeps what keep returns of them.
func (n *Notable) offer(o Notable, keep func(*engine.Record) *engine.Record) {
	if o.First != nil && (n.First == nil || o.First.Game < n.First.Game) {
		n.First = keep(o.First)
	}
	if o.Longest != nil && (n.Longest == nil || compareLengths(o.Longest, n.Longest) < 0) {
		n.Longest = keep(o.Longest)
	}
	if o.Upset != nil && (n.Upset == nil || o.Upset.compare(n.Upset) < 0) {
		n.Upset = o.Upset
		n.Upset.Record = keep(o.Upset.Record)
	}
}

// compareLengths returns a negative number if a is longer than b, or as long and earlier.
func compareLengths(a, b *engine.Record) int {
	return cmp.Or(cmp.Compare(len(b.Actions), len(a.Actions)), cmp.Compare(a.Game, b.Game))
}

// copyOf copies a record with empty policies. Readers reuse the memory of records.
func copyOf(r *engine.Record) *engine.Record {
	c := new(engine.Record)
	c.CopyFrom(r)
	clear(c.PolicySize)
	c.PolicyAction, c.PolicyWeight = nil, nil
	return c
}

// Notable returns the notable games of those added so far.
func (c *Collector) Notable() Notable { return c.notable }
