package encode

import (
	"fmt"
	"slices"

	"selfplay/engine"
)

// Sampling of rows. The random number of a row is a function of the plan's seed, the game
// and the ply, and of nothing else: it does not depend on the other parts of the filter or
// on the process that makes the row. So a larger fraction, or a larger number of rows per
// game, keeps every row that a smaller one keeps.
//
// Every byte of a sampled dataset depends on gameKey, rowNumber and inFraction. Never
// change them.

// Purposes of random numbers. Numbers of one row for two purposes are independent.
const (
	keepPurpose    = 0x6b656570 // "keep"
	maxRowsPurpose = 0x726f7773 // "rows"
)

// gameKey returns the part of the random numbers that the rows of a game share.
func gameKey(seed, purpose, game uint64) uint64 {
	return engine.Mix(engine.Mix(seed^engine.Mix(purpose)) ^ game)
}

// rowNumber returns the random number of a ply. Two plies of a game never share one.
func rowNumber(key uint64, ply uint16) uint64 { return engine.Mix(key ^ uint64(ply)) }

// inFraction reports whether a random number is in the lowest fraction f of all numbers.
func inFraction(number uint64, f engine.Fraction) bool {
	return number>>32*uint64(engine.One)>>32 < uint64(f)
}

// choice holds the plies of a game that get a row. Its memory is reused for every game.
type choice struct {
	plies   []uint16
	all     []uint16 // 0, 1, 2, ... up to the longest game so far
	numbers []uint64
}

// choose returns the plies of rec that get a row, in order: of those that are given, or of all if none are. A
// filter of more than Where chooses among all. It adds the number of dropped
// plies to dropped, which has one counter per part of the filter: a ply counts for the
// first part that drops it. The record has been checked. The replayer's position may be
// anywhere before and after.
func (r *Replayer) choose(rec *engine.Record, among []uint16, dropped []uint64) ([]uint16, error) {
	f, c := &r.view.Filter, &r.choice
	n := len(rec.Actions)
	for len(c.all) < n {
		c.all = append(c.all, uint16(len(c.all)))
	}
	if among == nil {
		among = c.all[:n]
	}
	if r.parts == 0 {
		return among, nil
	}
	if len(dropped) != r.parts {
		return nil, fmt.Errorf("%d counters for a filter of %d parts", len(dropped), r.parts)
	}
	c.plies = append(c.plies[:0], among...)
	if f.Where != nil {
		if err := r.retainWhere(rec, dropped); err != nil {
			return nil, err
		}
		dropped = dropped[len(f.Where.tests):]
	}
	if f.Keep > 0 {
		key := gameKey(r.view.Seed, keepPurpose, rec.Game)
		dropped[0] += c.retain(func(ply uint16) bool { return inFraction(rowNumber(key, ply), f.Keep) })
		dropped = dropped[1:]
	}
	if f.MaxRows > 0 && len(c.plies) > f.MaxRows {
		key := gameKey(r.view.Seed, maxRowsPurpose, rec.Game)
		last := c.smallest(key, f.MaxRows)
		dropped[0] += c.retain(func(ply uint16) bool { return rowNumber(key, ply) <= last })
	}
	return c.plies, nil
}

// retain keeps the plies that keep accepts and returns the number of the others.
func (c *choice) retain(keep func(ply uint16) bool) uint64 {
	n := len(c.plies)
	c.plies = slices.DeleteFunc(c.plies, func(ply uint16) bool { return !keep(ply) })
	return uint64(n - len(c.plies))
}

// smallest returns the n-th smallest random number of the plies, of which there are more
// than n. The plies up to it are a sample of n without replacement.
func (c *choice) smallest(key uint64, n int) uint64 {
	c.numbers = c.numbers[:0]
	for _, ply := range c.plies {
		c.numbers = append(c.numbers, rowNumber(key, ply))
	}
	slices.Sort(c.numbers)
	return c.numbers[n-1]
}

// retainOnBoard keeps the chosen plies that keep accepts. It replays the game up to the last of
// them, and calls keep with the replayer at the position of each.
func (r *Replayer) retainOnBoard(rec *engine.Record, keep func(ply int) (bool, error)) error {
	c := &r.choice
	if err := engine.Begin(r.pos, rec.Start); err != nil {
		return err
	}
	kept := c.plies[:0] // written behind the plies that are still to be read
	next := 0
	for ply, action := range rec.Actions {
		if next == len(c.plies) {
			break
		}
		if int(c.plies[next]) == ply {
			next++
			switch ok, err := keep(ply); {
			case err != nil:
				return fmt.Errorf("ply %d: %w", ply, err)
			case ok:
				kept = append(kept, uint16(ply))
			}
		}
		m, err := r.game.Actions.Move(r.pos, action)
		if err != nil {
			return fmt.Errorf("ply %d: %w", ply, err)
		}
		r.pos.Do(m)
	}
	c.plies = kept
	return nil
}
