package plan

import (
	"fmt"
	"math/bits"

	"selfplay/datasets/internal/fault"
	"selfplay/engine"
)

// A game belongs to one split, by its number and the plan. For a share of p thousandths, one game is drawn
// from each interval of the games ceil(1000k/p) to ceil(1000(k+1)/p)-1, by the seed and k. So the share of
// the first n games is exact within one game, for any n.
//
// Joined games keep the split that they had in their source: Plan.Split has the rule of each. Plans store
// the texts: never change them.

// sourceRule is the text of the rule for the games of a source. Games beyond the last rule follow it too.
const sourceRule = "games=%d seed=%d validation=%d"

// Splits says to which split a game belongs.
type Splits []splitRule

// splitRule is the rule of some games, which it numbers from 0.
type splitRule struct {
	games      uint64 // that follow the rule
	validation uint64 // thousandths
	seed       uint64
}

// newSplits returns the rules that texts name, where own is the rule of the games that are numbered as in
// the plan.
func newSplits(texts []string, own splitRule) (rules Splits, err error) {
	if len(texts) == 0 {
		return Splits{own}, nil
	}
	for _, text := range texts {
		r, err := parseSplitRule(text)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// parseSplitRule reads the rule of a source.
func parseSplitRule(text string) (r splitRule, err error) {
	_, err = fmt.Sscanf(text, sourceRule, &r.games, &r.seed, &r.validation)
	if err != nil || r.text() != text || r.games == 0 || r.validation > thousand {
		return r, fmt.Errorf("check plan: split rule %.60q: %w", text, fault.ErrUnsupported)
	}
	return r, nil
}

func (r splitRule) text() string {
	return fmt.Sprintf(sourceRule, r.games, r.seed, r.validation)
}

// texts returns the rules of the first games.
func (s Splits) texts(games uint64) (list []string) {
	for _, r := range s {
		r.games = min(r.games, games)
		if games -= r.games; r.games > 0 {
			list = append(list, r.text())
		}
	}
	return list
}

// Validation reports whether a game belongs to the validation split.
func (s Splits) Validation(game uint64) bool { return s.Count(game, 1) > 0 }

// Of returns the split of a game.
func (s Splits) Of(game uint64) string {
	if s.Validation(game) {
		return Validation
	}
	return Train
}

// Count returns how many of n games from first belong to the validation split. It takes as long for
// any n.
func (s Splits) Count(first, n uint64) uint64 { return s.until(first+n) - s.until(first) }

// until returns how many games before end belong to the validation split.
func (s Splits) until(end uint64) (n uint64) {
	for i, r := range s {
		if end <= r.games || i == len(s)-1 {
			return n + r.until(end)
		}
		n += r.until(r.games)
		end -= r.games
	}
	return n
}

// until returns how many games before end belong to the validation split.
func (r splitRule) until(end uint64) uint64 {
	if r.validation == 0 {
		return 0
	}
	k := r.interval(end)
	if r.drawn(k) < end {
		k++
	}
	return k
}

// thousand is the number of parts that shares are given in.
const thousand = 1000

// interval returns the interval in which a game lies.
func (r splitRule) interval(game uint64) uint64 {
	high, low := bits.Mul64(game, r.validation)
	k, _ := bits.Div64(high, low, thousand)
	return k
}

// drawn returns the validation game of interval k.
func (r splitRule) drawn(k uint64) uint64 {
	begin, end := r.begin(k), r.begin(k+1)
	offset, _ := bits.Mul64(engine.Mix(engine.Mix(r.seed^splitStream)+k), end-begin)
	return begin + offset
}

// splitStream sets the draws of splits apart from the numbers that games draw from the same seed.
const splitStream = 0x73706c6974 // "split"

// begin returns the first game of interval k.
func (r splitRule) begin(k uint64) uint64 {
	return (k*thousand + r.validation - 1) / r.validation
}
