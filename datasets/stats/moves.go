package stats

import (
	"cmp"
	"encoding/binary"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

// Actions describes which action numbers occur.
type Actions struct {
	Possible int      `json:"possible"` // numbers that stand for a move
	Seen     int      `json:"seen"`
	Common   []Action `json:"common"`
}

// Action is an action number, its meaning and its frequency.
type Action struct {
	Action int     `json:"action"`
	From   string  `json:"from,omitempty"`
	To     string  `json:"to,omitempty"`
	Kind   string  `json:"kind"`
	Plies  uint64  `json:"plies"`
	Share  float64 `json:"share"` // of all plies
}

// commonActions is the length of Actions.Common.
const commonActions = 12

func (c *Collector) actionsOf() (a Actions) {
	var seen []int
	for n, plies := range c.actions {
		if c.game.Actions.Describe(uint16(n)).Kind != encode.NoAction {
			a.Possible++
		}
		if plies > 0 {
			seen = append(seen, n)
		}
	}
	a.Seen = len(seen)
	slices.SortFunc(seen, func(x, y int) int { return cmp.Or(cmp.Compare(c.actions[y], c.actions[x]), cmp.Compare(x, y)) })
	a.Common = c.Actions(seen[:min(len(seen), commonActions)])
	return a
}

// Actions returns the frequencies of the given action numbers.
func (c *Collector) Actions(numbers []int) (list []Action) {
	for _, n := range numbers {
		d := c.game.Actions.Describe(uint16(n))
		list = append(list, Action{n, d.From, d.To, d.Kind, c.actions[n], share(c.actions[n], c.plies)})
	}
	return list
}

// Played returns the number of plies with each action, indexed by action number.
func (c *Collector) Played() []uint64 { return slices.Clone(c.actions) }

// Legal describes the number of legal moves per ply, in a sample of the games.
type Legal struct {
	Every uint64 `json:"every"` // one of this many games is sampled
	Games uint64 `json:"games"` // sampled games
	Plies uint64 `json:"plies"`
	None  uint64 `json:"none"` // plies without a legal move: an error in the data
	Distribution
	Spread []Range  `json:"spread"`
	ByPly  []MeanAt `json:"by_ply"`
}

// legal counts plies by number of legal moves.
type legal struct {
	games  uint64
	counts []uint64 // plies by number of legal moves
	byPly  means
	moves  []engine.Move
}

func (l *legal) add(ply int, pos engine.Position) {
	l.moves = pos.Moves(l.moves[:0])
	*at(&l.counts, len(l.moves))++
	l.byPly.add(ply, uint64(len(l.moves)))
}

func (l *legal) merge(o *legal) {
	l.games += o.games
	mergeCounts(&l.counts, o.counts)
	l.byPly.merge(o.byPly)
}

func (l *legal) summary(every uint64, scale Scale) *Legal {
	s := &Legal{
		Every: every, Games: l.games, Plies: total(l.counts), Distribution: distributionOf(l.counts), ByPly: l.byPly.list(scale.Plies, 1),
	}
	if s.Plies == 0 {
		return s
	}
	s.None = l.counts[0]
	for part := range slices.Chunk(l.counts, scale.Moves) {
		low := scale.Moves * len(s.Spread)
		s.Spread = append(s.Spread, Range{low, low + scale.Moves - 1, total(part)})
	}
	return s
}

// cells counts the codes of every cell. Codes are those of the layout that identifies
// positions; its first elements are the cells.
type cells struct {
	layout *encode.Layout
	n      int
	wide   bool       // codes are two bytes
	counts [][]uint64 // plies by cell and code
	board  []byte
}

func newCells(g *encode.Game) *cells {
	l := g.Identity()
	n := l.Elements[0].Count
	return &cells{layout: l, n: n, wide: l.Kind.Size() == 2, counts: make([][]uint64, n)}
}

func (c *cells) add(pos engine.Position) {
	c.board = c.layout.Encode(c.board[:0], pos)
	for cell := range c.n {
		code := 0
		if c.wide {
			code = int(binary.LittleEndian.Uint16(c.board[2*cell:]))
		} else {
			code = int(c.board[cell])
		}
		if counts := c.counts[cell]; code < len(counts) { // nearly always
			counts[code]++
			continue
		}
		*at(&c.counts[cell], code)++
	}
}

func (c *cells) merge(o *cells) {
	for cell, counts := range o.counts {
		mergeCounts(&c.counts[cell], counts)
	}
}

// Occupancy returns the number of plies with each code on a cell, indexed by code. Codes
// after the last one that occurred are missing.
func (c *Collector) Occupancy(cell int) []uint64 { return c.cells.counts[cell] }
