// Package stats computes statistics of the games of a dataset: results, lengths, openings,
// distinct positions, occupancy of cells, legal moves, scores and policies.
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
	// Led is the number of drawn games in which a side led by the lead of the scores in 20 searched plies or more: see LeadPlies.
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

// results is the number of results: see engine.Result.
const results = 4

// Lengths describes the lengths of games in plies.
type Lengths struct {
	Distribution
	// Spans counts games by length and result.
	Spans []Span `json:"spans,omitempty"`
}

// Span is a range of plies, inclusive. Counts are indexed by engine.Result.
type Span struct {
	From  int             `json:"from"`
	To    int             `json:"to"`
	Games [results]uint64 `json:"games"` // games that ended in the span
	Going [results]uint64 `json:"going"` // games that reached From, by their later result
}

// widths are the possible widths of ranges.
var widths = []int{1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000}

// width returns the smallest width that divides n values into at most 40 ranges.
func width(n int) int {
	for _, w := range widths {
		if n <= 40*w {
			return w
		}
	}
	return widths[len(widths)-1]
}

// lengths counts games by number of plies and result.
type lengths [][results]uint64

func (l *lengths) add(plies int, result engine.Result) { at(l, plies)[result%results]++ }

func (l *lengths) merge(other lengths) {
	for plies, games := range other {
		add(at(l, plies), games)
	}
}

// summary returns the statistics.
func (l lengths) summary(width int) Lengths {
	games := make([]uint64, len(l))
	for plies, counts := range l {
		games[plies] = total(counts[:])
	}
	return Lengths{Distribution: distributionOf(games), Spans: l.spans(width)}
}

func (l lengths) spans(width int) (list []Span) {
	var going [results]uint64
	for _, counts := range l {
		add(&going, counts)
	}
	for part := range slices.Chunk(l, width) {
		from := width * len(list)
		s := Span{From: from, To: from + width - 1, Going: going}
		for _, counts := range part {
			add(&s.Games, counts)
		}
		for i := range going {
			going[i] -= s.Games[i]
		}
		list = append(list, s)
	}
	return list
}

func add(to *[results]uint64, more [results]uint64) {
	for i, n := range more {
		to[i] += n
	}
}

func total(counts []uint64) (n uint64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// Distribution describes how often whole numbers occur. Without any number all fields are 0.
type Distribution struct {
	Mean   float64 `json:"mean"`
	Least  int     `json:"least"`
	Median int     `json:"median"`
	P90    int     `json:"p90"` // 90th percentile
	Most   int     `json:"most"`
}

// distributionOf returns the distribution of numbers, where number n occurs counts[n] times.
func distributionOf(counts []uint64) (d Distribution) {
	var total, sum uint64
	for n, count := range counts {
		total += count
		sum += uint64(n) * count
	}
	d.Mean = share(sum, total)
	before := uint64(0) // occurrences of smaller numbers
	for n, count := range counts {
		if count == 0 {
			continue
		}
		if before == 0 {
			d.Least = n
		}
		if before < (total+1)/2 {
			d.Median = n
		}
		if before*10 < total*9 {
			d.P90 = n
		}
		d.Most = n
		before += count
	}
	return d
}

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
