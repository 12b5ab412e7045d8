package encode

import (
	"fmt"
	"slices"

	"selfplay/engine"
)

// Which rows a filter keeps of those that no condition leaves out is drawn, each
// by a number that is a function of the plan's seed, the game and the ply, and of
// nothing else: not of the other parts of the filter, nor of who makes the row. So
// a larger share keeps what a smaller one keeps, and so does a larger number of
// rows a game.
//
// Every byte of a sampled dataset depends on drawing and kept. Never change them.

// What is drawn for; two draws of one row are independent.
const (
	keepDraw    = 0x6b656570 // "keep"
	maxRowsDraw = 0x726f7773 // "rows"
)

// drawing returns what the draws of a game have in common.
func drawing(seed, purpose, game uint64) uint64 {
	return engine.Mix(engine.Mix(seed^engine.Mix(purpose)) ^ game)
}

// draw returns the number of a ply. Numbers of two plies of a game differ.
func draw(drawing uint64, ply uint16) uint64 { return engine.Mix(drawing ^ uint64(ply)) }

// kept reports whether a number lies in the share of all numbers.
func kept(number uint64, share engine.Fraction) bool {
	return number>>32*uint64(engine.One)>>32 < uint64(share)
}

// choice is the plies of a game that get a row, and how it was made.
type choice struct {
	plies   []uint16
	all     []uint16 // every ply, as far as a game was ever long
	numbers []uint64
}

// choose returns the plies of rec that get a row, in order, and adds to dropped how
// many do not, one number a part of the filter: each counts where it falls out. The
// record has been checked; the position is anywhere before and after.
func (r *Replayer) choose(rec *engine.Record, dropped []uint64) ([]uint16, error) {
	f, c := &r.view.Filter, &r.choice
	n := len(rec.Actions)
	for len(c.all) < n {
		c.all = append(c.all, uint16(len(c.all)))
	}
	if r.parts == 0 {
		return c.all[:n], nil
	}
	if len(dropped) != r.parts {
		return nil, fmt.Errorf("%d counts for a filter of %d parts", len(dropped), r.parts)
	}
	c.plies = append(c.plies[:0], c.all[:n]...)
	if err := r.skip(rec, dropped); err != nil {
		return nil, err
	}
	dropped = dropped[len(f.Skip):]
	if f.Keep > 0 {
		d := drawing(r.view.Seed, keepDraw, rec.Game)
		dropped[0] += c.leaveOut(func(ply uint16) bool { return kept(draw(d, ply), f.Keep) })
		dropped = dropped[1:]
	}
	if f.MaxRows > 0 && len(c.plies) > f.MaxRows {
		d := drawing(r.view.Seed, maxRowsDraw, rec.Game)
		last := c.smallest(d, f.MaxRows)
		dropped[0] += c.leaveOut(func(ply uint16) bool { return draw(d, ply) <= last })
	}
	return c.plies, nil
}

// leaveOut takes the plies out that are not kept, and returns how many.
func (c *choice) leaveOut(keep func(ply uint16) bool) uint64 {
	n := len(c.plies)
	c.plies = slices.DeleteFunc(c.plies, func(ply uint16) bool { return !keep(ply) })
	return uint64(n - len(c.plies))
}

// smallest returns the n-th smallest of the numbers of the plies, of which there are
// more: those up to it are n of them, drawn without putting any back.
func (c *choice) smallest(drawing uint64, n int) uint64 {
	c.numbers = c.numbers[:0]
	for _, ply := range c.plies {
		c.numbers = append(c.numbers, draw(drawing, ply))
	}
	slices.Sort(c.numbers)
	return c.numbers[n-1]
}

// skip takes out the plies for which a condition holds. Those that ask the record
// come first; what is left is asked while the game is played again.
func (r *Replayer) skip(rec *engine.Record, dropped []uint64) error {
	skip, c := r.view.Filter.Skip, &r.choice
	for i := range skip {
		holds, limit := skip[i].kind.holds, skip[i].limit
		if holds == nil {
			return r.skipOnBoard(rec, i, dropped)
		}
		dropped[i] += c.leaveOut(func(ply uint16) bool { return !holds(rec, int(ply), limit) })
	}
	return nil
}

// skipOnBoard is skip from a condition on, with the position of each ply.
func (r *Replayer) skipOnBoard(rec *engine.Record, first int, dropped []uint64) error {
	skip, c := r.view.Filter.Skip, &r.choice
	if err := engine.Begin(r.pos, rec.Start); err != nil {
		return err
	}
	left := c.plies[:0] // behind the reader
	at := 0
	for ply, action := range rec.Actions {
		if at == len(c.plies) {
			break
		}
		if int(c.plies[at]) == ply {
			at++
			part, err := r.firstThatHolds(skip[first:], rec, ply)
			switch {
			case err != nil:
				return fmt.Errorf("ply %d: %w", ply, err)
			case part >= 0:
				dropped[first+part]++
			default:
				left = append(left, uint16(ply))
			}
		}
		m, err := r.game.Actions.Move(r.pos, action)
		if err != nil {
			return fmt.Errorf("ply %d: %w", ply, err)
		}
		r.pos.Do(m)
	}
	c.plies = left
	return nil
}

// firstThatHolds returns the first condition that holds on the board, -1 if none
// does.
func (r *Replayer) firstThatHolds(skip []Condition, rec *engine.Record, ply int) (int, error) {
	for i := range skip {
		holds, err := skip[i].holds(r, rec, ply)
		if holds || err != nil {
			return i, err
		}
	}
	return -1, nil
}

// takes reports whether the best move of a ply takes something.
func (r *Replayer) takes(rec *engine.Record, ply int) (bool, error) {
	if r.game.Actions.Takes == nil {
		return false, nil
	}
	action := rec.Actions[ply]
	if searched(rec, ply) {
		action = rec.Best[ply]
	}
	m, err := r.game.Actions.Move(r.pos, action)
	if err != nil {
		return false, fmt.Errorf("best move: %w", err)
	}
	return r.game.Actions.Takes(r.pos, m), nil
}
