package gameindex

import (
	"context"
	"slices"
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
