package gameindex

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

// Order is an order of games. Games with equal values are in the order of their numbers. Games
// whose value is unknown come last.
type Order struct {
	By         Column
	Descending bool
}

// Page returns at most limit games in an order, without the first offset ones.
func (s *Selection) Page(ctx context.Context, o Order, offset, limit int) ([]Game, error) {
	offset = max(0, offset)
	limit = min(max(0, limit), s.total-min(offset, s.total))
	if limit == 0 {
		return nil, context.Cause(ctx)
	}
	backwards := o.By == GameNumber && o.Descending
	if backwards { // the page in ascending order, turned around
		offset = s.total - offset - limit
	}
	k := s.state.keysOf(o.By)
	counts, err := s.count(ctx, k, 0)
	if err != nil {
		return nil, err
	}
	page := s.collect(k, o.window(counts, offset, limit), limit)
	if backwards {
		slices.Reverse(page)
	}
	return page, nil
}

// slot is what a page takes of the games with one key, in order.
type slot struct{ skip, take, at int } // games to skip, then to take, to place at in the page

// window returns what a page takes of each key, nil for nothing, given the number of games of each key.
func (o Order) window(counts []int, offset, limit int) []*slot {
	order := make([]int, len(counts))
	for key := range order {
		order[key] = key
	}
	known := order
	if columns[o.By].unknown {
		known = order[:len(order)-1]
	}
	if o.Descending {
		slices.Reverse(known)
	}
	slots, at := make([]*slot, len(counts)), 0
	for _, key := range order {
		skip := min(offset, counts[key])
		offset -= skip
		if take := min(counts[key]-skip, limit-at); take > 0 {
			slots[key] = &slot{skip, take, at}
			at += take
		}
	}
	return slots
}

// collect returns the games of the slots, limit in all.
func (s *Selection) collect(k keys, slots []*slot, limit int) []Game {
	page, left := make([]Game, limit), limit
	low, high := 0, len(slots)-1
	for slots[low] == nil {
		low++
	}
	for slots[high] == nil {
		high--
	}
	for i, sh := range s.state.shards {
		more := k.visit(sh, s.fails[i], low, high, func(row, key int) bool {
			switch w := slots[key]; {
			case w == nil || w.take == 0:
			case w.skip > 0:
				w.skip--
			default:
				page[w.at] = s.state.game(sh, row)
				w.at, w.take, left = w.at+1, w.take-1, left-1
			}
			return left > 0
		})
		if !more {
			break
		}
	}
	return page
}

// keys gives the games of a column numbers below size that compare as the values do.
type keys struct {
	*column
	size  int
	ranks []uint32 // keys of the values; nil: the values are the keys
}

// keysOf returns the keys of a column. Unknown values have the last one. If a shard has no values
// of the column, all games have the key 0.
func (s *state) keysOf(c Column) keys {
	if c == PlayerFirst || c == PlayerSecond {
		return keys{&columns[c], len(s.players.names), s.players.ranks(int(c - PlayerFirst))}
	}
	return keys{&columns[c], 1 << (8 * columns[c].kind.Size()), nil}
}

// count counts the games of each key that fail no condition, or those of ignored only.
func (s *Selection) count(ctx context.Context, k keys, ignored uint8) ([]int, error) {
	counts, err := s.sum(ctx, max(k.size, len(k.ranks)), func(counts []uint32, i int) {
		switch values := k.values(s.state.shards[i]).(type) {
		case []uint8:
			tally(counts, values, s.fails[i], ignored)
		case []uint16:
			tally(counts, values, s.fails[i], ignored)
		case []uint32:
			tally(counts, values, s.fails[i], ignored)
		default:
			counts[0] += countMatches(s.fails[i], ignored)
		}
	})
	if k.ranks == nil {
		return counts, err
	}
	byRank := make([]int, k.size)
	for value, rank := range k.ranks {
		byRank[rank] += counts[value]
	}
	return byRank, err
}

// visit calls look for the games of a shard that fail no condition and have a key from low to high,
// until it returns false.
func (k *keys) visit(s *shard, fails []uint8, low, high int, look func(row, key int) bool) bool {
	switch values := k.values(s).(type) {
	case []uint8:
		return visit(values, fails, uint8(low), uint8(high), look)
	case []uint16:
		return visit(values, fails, uint16(low), uint16(high), look)
	case []uint32:
		for row, v := range values {
			if key := int(k.ranks[v]); key >= low && key <= high && fails[row] == 0 && !look(row, key) {
				return false
			}
		}
	default:
		for row, f := range fails {
			if f == 0 && !look(row, 0) {
				return false
			}
		}
	}
	return true
}

// The loops below run once a game: no branch depends on whether a game matches, because the
// processor could not predict it.

// matched returns 1 if no condition fails, else 0.
func matched(fails uint8) uint32 { return (uint32(fails) - 1) >> 31 }

func tally[V uint8 | uint16 | uint32](counts []uint32, values []V, fails []uint8, ignored uint8) {
	fails = fails[:len(values)]
	for i, v := range values {
		counts[v] += matched(fails[i] &^ ignored)
	}
}

func countMatches(fails []uint8, ignored uint8) (n uint32) {
	for _, f := range fails {
		n += matched(f &^ ignored)
	}
	return n
}

func visit[V uint8 | uint16](values []V, fails []uint8, low, high V, look func(row, key int) bool) bool {
	fails = fails[:len(values)]
	for row, v := range values {
		if v-low <= high-low && fails[row] == 0 && !look(row, int(v)) {
			return false
		}
	}
	return true
}

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

// Histogram says how often the values of a column occur among games that match all conditions of
// a filter but the one on this column.
type Histogram struct {
	Column  Column
	Bars    []Bar // ascending by value; players by number of games, descending
	Unknown int   // games whose value is unknown
	Games   int   // all games that were counted
}

// Bar counts the games with a value from Min to Max, or with a player.
type Bar struct {
	Min, Max int
	Player   string
	Games    int
}

// Histogram counts the values of a column. It has at most bars bars, 1 or more: ranges of equal
// width, or the most frequent players. Results and reasons have a bar each.
func (s *Selection) Histogram(ctx context.Context, c Column, bars int) (Histogram, error) {
	if c == GameNumber {
		return s.numbers(ctx, bars)
	}
	column, h := columns[c], Histogram{Column: c}
	counts, err := s.count(ctx, s.state.keysOf(c), column.fails)
	if err != nil {
		return h, err
	}
	for _, n := range counts {
		h.Games += n
	}
	if column.unknown {
		h.Unknown, counts = counts[unknown], counts[:unknown]
	}
	switch column.kind {
	case encode.Uint8:
		h.Bars = valueBars(counts)
	case encode.Uint16:
		h.Bars = rangeBars(counts, bars)
	default:
		h.Bars = s.state.players.bars(counts, bars)
	}
	return h, nil
}

// numbers counts games by their numbers.
func (s *Selection) numbers(ctx context.Context, bars int) (Histogram, error) {
	h, end := Histogram{Column: GameNumber}, 0
	if n := len(s.state.shards); n > 0 {
		last := s.state.shards[n-1]
		end = int(last.commit.FirstGame) + last.games()
	}
	width := barWidth(0, end-1, bars)
	counts, err := s.sum(ctx, (end+width-1)/width, func(counts []uint32, i int) {
		number := int(s.state.shards[i].commit.FirstGame)
		for fails := s.fails[i]; len(fails) > 0; {
			n := min(len(fails), width-number%width)
			counts[number/width] += countMatches(fails[:n], failsPlace)
			number, fails = number+n, fails[n:]
		}
	})
	for bar, n := range counts {
		h.Bars = append(h.Bars, Bar{Min: bar * width, Max: min((bar+1)*width, end) - 1, Games: n})
		h.Games += n
	}
	return h, err
}

// bars returns the most frequent players.
func (p *players) bars(counts []int, most int) (list []Bar) {
	for rank, name := range p.sorted() {
		if counts[rank] > 0 {
			list = append(list, Bar{Player: p.names[name], Games: counts[rank]})
		}
	}
	slices.SortStableFunc(list, func(a, b Bar) int { return b.Games - a.Games })
	return list[:min(len(list), max(1, most))]
}

// valueBars returns a bar for each value that occurs.
func valueBars(counts []int) (list []Bar) {
	for v, n := range counts {
		if n > 0 {
			list = append(list, Bar{Min: v, Max: v, Games: n})
		}
	}
	return list
}

// rangeBars returns bars of equal width from the least to the greatest value that occurs.
func rangeBars(counts []int, bars int) (list []Bar) {
	occurs := func(n int) bool { return n > 0 }
	first := slices.IndexFunc(counts, occurs)
	if first < 0 {
		return nil
	}
	last := len(counts) - 1
	for counts[last] == 0 {
		last--
	}
	width := barWidth(first, last, bars)
	for low := first - first%width; low <= last; low += width {
		b := Bar{Min: low, Max: low + width - 1}
		for _, n := range counts[low:min(low+width, len(counts))] {
			b.Games += n
		}
		list = append(list, b)
	}
	return list
}

// barWidth returns the least width of 1, 2 or 5 times a power of ten with which at most bars bars,
// which begin at multiples of the width, cover the values from low to high.
func barWidth(low, high, bars int) int {
	for power := 1; ; power *= 10 {
		for _, digit := range [3]int{1, 2, 5} {
			if width := digit * power; high/width-low/width+1 <= max(1, bars) || width > high {
				return width
			}
		}
	}
}

// Continuation counts the games that continue an opening with an action.
type Continuation struct {
	Action  uint16
	Games   int
	Results [resultCount]int // by engine.Result
}

// Continuations counts the next actions after the opening of the filter, the most frequent first
// and at most limit. There are none after OpeningPlies.
func (s *Selection) Continuations(ctx context.Context, limit int) ([]Continuation, error) {
	ply := len(s.filter.Opening)
	if ply == OpeningPlies {
		return nil, nil
	}
	counts, err := s.sum(ctx, resultCount*unknown, func(counts []uint32, i int) {
		sh := s.state.shards[i]
		for row, fails := range s.fails[i] {
			if action := sh.opening[ply][row]; fails == 0 && action != unknown {
				counts[resultCount*int(action)+int(sh.result[row])%resultCount]++
			}
		}
	})
	return mostFrequent(counts, limit), err
}

// resultCount is the number of results.
const resultCount = 4

// mostFrequent returns the actions with games, given the number of games of each action and result.
func mostFrequent(counts []int, limit int) (list []Continuation) {
	for action := range unknown {
		n := [resultCount]int(counts[resultCount*action:])
		if games := n[0] + n[1] + n[2] + n[3]; games > 0 {
			list = append(list, Continuation{uint16(action), games, n})
		}
	}
	slices.SortFunc(list, func(a, b Continuation) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Action, b.Action))
	})
	return list[:min(len(list), max(0, limit))]
}

// Opening returns the actions of moves from the start of the game.
func (ix *Index) Opening(moves []string) ([]uint16, error) {
	pos := ix.shape.Game.New(ix.shape.Variant)
	var actions []uint16
	for i, text := range moves {
		m, err := pos.ParseMove(text)
		if err != nil {
			return nil, fmt.Errorf("read opening: move %d: %w", i+1, err)
		}
		actions = append(actions, ix.shape.Game.Actions.Number(m))
		pos.Do(m)
	}
	return actions, nil
}

// OpeningTexts is the inverse of Opening.
func (ix *Index) OpeningTexts(actions []uint16) (moves []string, err error) {
	pos := ix.shape.Game.New(ix.shape.Variant)
	err = replay(&ix.shape.Game, pos, &engine.Record{Actions: actions}, func(_ int, m engine.Move) bool {
		moves = append(moves, pos.FormatMove(m))
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("read opening: %w", err)
	}
	return moves, nil
}
