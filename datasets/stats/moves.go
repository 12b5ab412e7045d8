package stats

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"maps"
	"math"
	"slices"
	"sync"

	"selfplay/datasets/wdl"
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

// openingPlies are the lengths of the lines that are compared.
var openingPlies = []int{2, 4, 8, 16}

// Opening describes the variety of the first plies of games. Shorter games do not count.
type Opening struct {
	Plies int    `json:"plies"`
	Games uint64 `json:"games"`
	Lines uint64 `json:"lines"` // distinct lines, by start and actions
	// Entropy is the entropy of the lines in bits, at most log2(Games).
	Entropy float64 `json:"entropy"`
	// Common is the share of games with the most common line.
	Common float64 `json:"common"`
}

// openings counts lines by their hashes.
type openings struct {
	seed  maphash.Seed
	lines []map[uint64]uint64 // indexed like openingPlies
}

func newOpenings(seed maphash.Seed) openings {
	o := openings{seed: seed}
	for range openingPlies {
		o.lines = append(o.lines, map[uint64]uint64{})
	}
	return o
}

func (o *openings) add(r *engine.Record) {
	var h maphash.Hash
	h.SetSeed(o.seed)
	h.WriteString(r.Start)
	done := 0
	for i, plies := range openingPlies {
		if plies > len(r.Actions) {
			return
		}
		for ; done < plies; done++ {
			h.WriteByte(byte(r.Actions[done]))
			h.WriteByte(byte(r.Actions[done] >> 8))
		}
		o.lines[i][h.Sum64()]++
	}
}

// merge adds lines that were hashed with the same seed.
func (o *openings) merge(other *openings) {
	for i, lines := range other.lines {
		for line, n := range lines {
			o.lines[i][line] += n
		}
	}
}

func (o *openings) list() (list []Opening) {
	for i, lines := range o.lines {
		if len(lines) == 0 {
			break
		}
		list = append(list, newOpening(openingPlies[i], lines))
	}
	return list
}

func newOpening(plies int, lines map[uint64]uint64) Opening {
	counts := slices.Sorted(maps.Values(lines)) // so that floating-point sums are reproducible
	o := Opening{Plies: plies, Games: total(counts), Lines: uint64(len(lines))}
	for _, n := range counts {
		p := share(n, o.Games)
		o.Entropy -= p * math.Log2(p)
	}
	o.Common = share(counts[len(counts)-1], o.Games)
	o.Entropy = max(0, o.Entropy)
	return o
}

// Size of an opening tree: treePlies is its depth, treeWidth the number of branches of a
// node at each ply, treeStarts the number of first positions. After the first ply a branch
// needs at least treeGames games.
const (
	treePlies  = 4
	treeStarts = 4
	treeGames  = 2
)

var treeWidth = [treePlies]int{8, 3, 2, 1}

// Tree is the opening tree of the games from one first position.
type Tree struct {
	Start string   `json:"start"` // text of the position, "" for the start of the game
	Games uint64   `json:"games"`
	Moves uint64   `json:"moves"` // distinct first moves
	Next  []Branch `json:"next"`  // the most common first moves
}

// Branch is a move with its most common continuations.
type Branch struct {
	Move  string   `json:"move"`
	Games uint64   `json:"games"`
	Share float64  `json:"share"` // of all games
	Moves uint64   `json:"moves"` // distinct next moves
	Next  []Branch `json:"next,omitempty"`
}

// beginning holds the first plies of a game.
type beginning struct {
	start   string
	plies   uint8
	actions [treePlies]uint16
}

func beginningOf(r *engine.Record) beginning {
	b := beginning{start: r.Start}
	b.plies = uint8(copy(b.actions[:], r.Actions))
	return b
}

// node is a node of the tree: its number of games and its children by action.
type node struct {
	games uint64
	next  map[uint16]*node
}

func (n *node) child(action uint16) *node {
	if n.next == nil {
		n.next = map[uint16]*node{}
	}
	if n.next[action] == nil {
		n.next[action] = new(node)
	}
	return n.next[action]
}

// treesOf returns the trees of counted beginnings, the most common start first. It plays on
// pos.
func treesOf(g *encode.Game, pos engine.Position, lines map[beginning]uint64) (trees []Tree) {
	roots, all := map[string]*node{}, uint64(0)
	for b, games := range lines {
		at := roots[b.start]
		if at == nil {
			at = new(node)
			roots[b.start] = at
		}
		at.games += games
		all += games
		for _, action := range b.actions[:b.plies] {
			at = at.child(action)
			at.games += games
		}
	}
	starts := slices.SortedFunc(maps.Keys(roots), func(a, b string) int {
		return cmp.Or(cmp.Compare(roots[b].games, roots[a].games), cmp.Compare(a, b))
	})
	for _, start := range starts[:min(len(starts), treeStarts)] {
		if engine.Begin(pos, start) != nil {
			continue // cannot happen: the replay would have refused the record
		}
		root := roots[start]
		trees = append(trees, Tree{start, root.games, uint64(len(root.next)), root.branches(g, pos, 0, all)})
	}
	return trees
}

// branches returns the most common moves of a node. Its position is on pos.
func (n *node) branches(g *encode.Game, pos engine.Position, ply int, all uint64) (list []Branch) {
	if ply == treePlies {
		return nil
	}
	actions := slices.SortedFunc(maps.Keys(n.next), func(a, b uint16) int {
		return cmp.Or(cmp.Compare(n.next[b].games, n.next[a].games), cmp.Compare(a, b))
	})
	for _, action := range actions[:min(len(actions), treeWidth[ply])] {
		next := n.next[action]
		if ply > 0 && next.games < treeGames {
			break
		}
		m, err := g.Actions.Move(pos, action)
		if err != nil {
			continue // cannot happen, as above
		}
		b := Branch{Move: encode.MoveText(pos, m), Games: next.games, Share: share(next.games, all), Moves: uint64(len(next.next))}
		pos.Do(m)
		b.Next = next.branches(g, pos, ply+1, all)
		pos.Undo()
		list = append(list, b)
	}
	return list
}

// Positions counts distinct positions. Clocks and history do not count: see package encode
// for when two positions are the same.
type Positions struct {
	Distinct uint64  `json:"distinct"`
	Share    float64 `json:"share"` // of all plies
	// Validation is the number of plies in the validation split. Leakage is the share of
	// them whose position also occurs in the train split.
	Validation uint64  `json:"validation"`
	Leakage    float64 `json:"leakage"`
	// Estimated is set if there were too many positions to keep: then Distinct and Leakage
	// are estimates from a sample by hash.
	Estimated bool `json:"estimated"`
}

// maxDistinct bounds the memory: a hash takes about 40 bytes.
const maxDistinct = 1 << 22

// distinct counts hashes and distinct hashes. If there are too many it keeps those whose low
// bits are zero: a uniform sample of the distinct ones (Gibbons, "Distinct sampling for
// highly-accurate answers", 2001) that does not depend on their order. It may be used by
// several goroutines.
type distinct struct {
	mu   sync.Mutex
	seen map[uint64]splits
	mask uint64 // bits that are zero in every kept hash
	most int

	plies, validation uint64 // of all hashes, also of dropped ones
}

// splits counts the occurrences of a hash by split.
type splits struct{ train, validation uint32 }

func newDistinct() *distinct { return &distinct{seen: map[uint64]splits{}, most: maxDistinct} }

// add counts the hashes of a game.
func (d *distinct) add(hashes []uint64, validation bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.plies += uint64(len(hashes))
	if validation {
		d.validation += uint64(len(hashes))
	}
	for _, hash := range hashes {
		if hash&d.mask != 0 {
			continue
		}
		n := d.seen[hash]
		if validation {
			n.validation++
		} else {
			n.train++
		}
		d.seen[hash] = n
		for len(d.seen) > d.most {
			d.halve()
		}
	}
}

// halve drops about half of the hashes.
func (d *distinct) halve() {
	d.mask = d.mask<<1 | 1
	for hash := range d.seen {
		if hash&d.mask != 0 {
			delete(d.seen, hash)
		}
	}
}

// positions returns the counts. Both shares are relative to the plies that were counted, not
// to the sample. Leakage is computed from the plies that do not leak: a few positions, such
// as the first, occur in every game, and a sample would have them too often or not at all.
func (d *distinct) positions() Positions {
	var own uint64 // validation plies whose position is not in the train split
	for _, n := range d.seen {
		if n.train == 0 {
			own += uint64(n.validation)
		}
	}
	n, scale := uint64(len(d.seen)), d.mask+1
	p := Positions{Distinct: min(n*scale, d.plies), Validation: d.validation, Estimated: d.mask != 0}
	p.Share = share(p.Distinct, d.plies)
	if d.validation > 0 {
		p.Leakage = 1 - share(min(own*scale, d.validation), d.validation)
	}
	return p
}

// LeadPlies is the number of searched plies in which a side must have a lead for its position to count as won.
const LeadPlies = 20

// leads counts drawn games in which a side had a won position.
type leads struct {
	least int                       // score that is a lead, 0 if none is known
	game  [2]int                    // by side: plies of the current game in which it led
	drawn map[engine.Outcome]uint64 // drawn games from a won position
}

// newLeads takes the lead from the model of the files, or else from the first model of the game. A game
// without models has none.
func newLeads(g *encode.Game, model *encode.WDL) leads {
	l := leads{drawn: map[engine.Outcome]uint64{}}
	if model == nil && len(g.Models) > 0 {
		model = g.ReferenceModel()
	}
	if model != nil {
		l.least = wdl.ModelOf(model).Lead()
	}
	return l
}

// add counts a searched ply of the current game. The score is from the view of the side to move; proven ends
// are leads as well.
func (l *leads) add(score int, turn engine.Side) {
	switch {
	case score >= l.least:
		l.game[turn]++
	case score <= -l.least:
		l.game[turn.Other()]++
	}
}

// endGame ends the current game.
func (l *leads) endGame(end engine.Outcome) {
	if l.least > 0 && end.Result == engine.Draw && max(l.game[0], l.game[1]) >= LeadPlies {
		l.drawn[end]++
	}
	l.game = [2]int{}
}

func (l *leads) merge(o *leads) {
	for end, n := range o.drawn {
		l.drawn[end] += n
	}
}
