package gameindex

import (
	"fmt"

	"selfplay/engine"
)

// Filter says which games match. The zero value matches all games.
type Filter struct {
	Results []engine.Result // any of these; nil: all
	Reasons []engine.Reason // any of these; nil: all
	Plies   *Range
	Drop    *Range    // in 10,000ths; games whose drop is unknown never match. nil: all
	Player  string    // of either side; "": all
	Players [2]string // of the side that moves first, and of the other; "": all
	// Opening is the actions that the game begins with, at most OpeningPlies. Games that begin at
	// a position of their own match only the empty opening.
	Opening []uint16
	Games   *Range // numbers in the dataset
	Shards  *Range
	Split   string // datasets.Train or datasets.Validation; "": both
}

// Range is a range of numbers, both ends included. A nil range has all numbers.
type Range struct{ Min, Max int }

// has reports whether the range includes v.
func (r *Range) has(v int) bool { return r == nil || v >= r.Min && v <= r.Max }

// limits returns the numbers of the range from 0 to most. ok is false if there are none.
func (r *Range) limits(most int) (low, high uint16, ok bool) {
	if r.Max < 0 || r.Min > most || r.Min > r.Max {
		return 0, 0, false
	}
	return uint16(max(r.Min, 0)), uint16(min(r.Max, most)), true
}

// check returns an error if the index cannot apply the filter.
func (f *Filter) check() error {
	if len(f.Opening) > OpeningPlies {
		return fmt.Errorf("filter games: an opening of %d plies: the index has the first %d", len(f.Opening), OpeningPlies)
	}
	return nil
}

// The conditions of a filter, as bits. A game has the bits of the conditions that it fails.
const (
	failsResult  uint8 = 1 << 0
	failsReason  uint8 = 1 << 1
	failsPlies   uint8 = 1 << 2
	failsDrop    uint8 = 1 << 3
	failsPlayers uint8 = 1 << 4
	failsOpening uint8 = 1 << 5
	failsPlace   uint8 = 1 << 6 // number, shard or split
)

// conditionOf returns the condition on a column.
func conditionOf(c Column) uint8 {
	switch c {
	case Result:
		return failsResult
	case Reason:
		return failsReason
	case Plies:
		return failsPlies
	case Drop:
		return failsDrop
	case PlayerFirst, PlayerSecond:
		return failsPlayers
	case GameNumber:
		return failsPlace
	}
	return 0
}
