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
	page := s.collect(k, o.window(counts, offset, limit))
	if backwards {
		slices.Reverse(page)
	}
	return page, nil
}

// slot is what a page takes of the games with one key, in order.
type slot struct{ skip, take, at int } // games to skip, then to take, to place at in the page

// window returns what a page takes of each key, given the number of games of each key.
func (o Order) window(counts []int, offset, limit int) map[int]*slot {
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
	slots, at := map[int]*slot{}, 0
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

// collect returns the games of the slots.
func (s *Selection) collect(k keys, slots map[int]*slot) []Game {
	low, high, left := k.size, 0, 0
	for key, slot := range slots {
		low, high, left = min(low, key), max(high, key), left+slot.take
	}
	wanted := make([]*slot, high-low+1)
	for key, slot := range slots {
		wanted[key-low] = slot
	}
	page := make([]Game, left)
	for i, sh := range s.state.shards {
		more := k.visit(sh, s.fails[i], low, high, func(row, key int) bool {
			switch w := wanted[key-low]; {
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
