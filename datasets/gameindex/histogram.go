package gameindex

import (
	"context"
	"slices"

	"selfplay/encode"
)

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
