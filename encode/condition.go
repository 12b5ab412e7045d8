package encode

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine"
)

// Condition is a property of a decision. Rows for which it holds are dropped.
type Condition struct {
	kind  *conditionKind
	limit int
}

// String returns the condition as it is written in a filter: check, ply<8.
func (c Condition) String() string {
	if c.kind.max == 0 {
		return c.kind.name
	}
	return c.kind.name + strconv.Itoa(c.limit)
}

// holds evaluates the condition. The replayer is at the position of the ply.
func (c *Condition) holds(r *Replayer, rec *engine.Record, ply int) (bool, error) {
	if c.kind.holds != nil {
		return c.kind.holds(rec, ply, c.limit), nil
	}
	return c.kind.holdsOn(r, rec, ply, c.limit)
}

// conditionKind is a kind of condition.
type conditionKind struct {
	name     string // as it is written, with < or > before a number
	doc      string
	min, max int // of the number; max is 0 if the condition has none
	// holds evaluates the condition on the record. It is nil if the condition needs the
	// position.
	holds func(rec *engine.Record, ply, limit int) bool
	// holdsOn evaluates the condition on the position of the decision.
	holdsOn func(r *Replayer, rec *engine.Record, ply, limit int) (bool, error)
	// applies reports whether the condition can hold in a game. Nil: in every game.
	applies func(g *Game) bool
}

// conditionKinds lists the conditions in the order in which they are evaluated: a row
// counts as dropped by the first one that holds. Names and order are stored in plans:
// append, never change. Conditions on the record come first because they cost nothing.
var conditionKinds = []conditionKind{
	{name: "limit", doc: "the game was cut off by the ply limit",
		holds: func(rec *engine.Record, _, _ int) bool { return rec.Outcome.Reason == engine.PlyLimit }},
	{name: "ply<", doc: "the game had fewer than N earlier decisions", min: 1, max: math.MaxUint16,
		holds: func(_ *engine.Record, ply, limit int) bool { return ply < limit }},
	{name: "ply>", doc: "the game had more than N earlier decisions", max: math.MaxUint16,
		holds: func(_ *engine.Record, ply, limit int) bool { return ply > limit }},
	{name: "random", doc: "the move was random: its rank is 255",
		holds: func(rec *engine.Record, ply, _ int) bool { return rec.MoveRanks[ply] == engine.RankRandom }},
	{name: "unsearched", doc: "the position was not searched",
		holds: func(rec *engine.Record, ply, _ int) bool { return !searched(rec, ply) }},
	{name: "score>", doc: "the root score is above N or below -N", max: math.MaxInt16,
		holds: func(rec *engine.Record, ply, limit int) bool {
			return searched(rec, ply) && max(int(rec.Scores[ply]), -int(rec.Scores[ply])) > limit
		}},
	{name: "mate", doc: "the root score is beyond 20,000 or -20,000: the search proved the end of the game",
		holds: func(rec *engine.Record, ply, _ int) bool {
			return searched(rec, ply) && max(int(rec.Scores[ply]), -int(rec.Scores[ply])) > engine.MaxStatic
		}},
	{name: "check", doc: "the side to move is in check; never in games without check",
		holdsOn: func(r *Replayer, _ *engine.Record, _, _ int) (bool, error) { return r.pos.Check(), nil },
		applies: func(g *Game) bool { return g.HasCheck }},
	{name: "capture", doc: "the best move captures (without a search, the move that was played); never in games without captures",
		holdsOn: (*Replayer).isBestCapture,
		applies: func(g *Game) bool { return g.Actions.IsCapture != nil }},
	{name: "only", doc: "the position has one legal move",
		holdsOn: func(r *Replayer, _ *engine.Record, _, _ int) (bool, error) { return r.countLegal() == 1, nil }},
	{name: "unlikely>", doc: "the game ended against the root score: it is above N but the side to move did not win, or below -N but it did not lose; never if the game was cut off", max: math.MaxInt16,
		holdsOn: (*Replayer).isUnlikely},
	{name: "pieces<", doc: "the board has fewer than N pieces of both sides together", min: 1, max: math.MaxUint8,
		holdsOn: func(r *Replayer, _ *engine.Record, _, limit int) (bool, error) { return r.countPieces() < limit, nil },
		applies: func(g *Game) bool { return g.Actions.IsCapture != nil }},
	{name: "cheap", doc: "the search rated no moves: a cheap one of playout cap randomisation, or of a player that records no policy",
		holds: func(rec *engine.Record, ply, _ int) bool { return searched(rec, ply) && !rated(rec, ply) }},
}

// isUnlikely reports whether the score of a ply and the outcome of the game disagree.
func (r *Replayer) isUnlikely(rec *engine.Record, ply, limit int) (bool, error) {
	if !searched(rec, ply) || rec.Outcome.Reason == engine.PlyLimit {
		return false, nil
	}
	score, outcome := int(rec.Scores[ply]), rec.Outcome.For(r.pos.Turn())
	return score > limit && outcome <= 0 || score < -limit && outcome >= 0, nil
}

// searched reports whether a decision of a record was searched.
func searched(rec *engine.Record, ply int) bool {
	return len(rec.Nodes) > 0 && rec.Nodes[ply] != 0
}

// rated reports whether a decision of a record has a policy.
func rated(rec *engine.Record, ply int) bool {
	return len(rec.PolicySize) > 0 && rec.PolicySize[ply] != 0
}

// ConditionTable returns a Markdown table of the conditions.
func ConditionTable() string {
	var b strings.Builder
	b.WriteString("| condition | holds if |\n|---|---|\n")
	for i := range conditionKinds {
		fmt.Fprintf(&b, "| `%s` | %s |\n", conditionKinds[i].usage(), conditionKinds[i].doc)
	}
	return b.String()
}

// ConditionNames returns how conditions are written, in order.
func ConditionNames() (names []string) {
	for i := range conditionKinds {
		names = append(names, conditionKinds[i].usage())
	}
	return names
}

// Conditions returns how the conditions that can hold in the game are written, in order.
func (g *Game) Conditions() (names []string) {
	for i := range conditionKinds {
		if k := &conditionKinds[i]; k.applies == nil || k.applies(g) {
			names = append(names, k.usage())
		}
	}
	return names
}

// usage returns how a condition is written, with N for its number.
func (k *conditionKind) usage() string {
	if k.max > 0 {
		return k.name + "N"
	}
	return k.name
}

// ParseSkip parses comma-separated conditions in any order: check,ply<8.
func ParseSkip(text string) (list []Condition, err error) {
	if text == "" {
		return nil, nil
	}
	for _, item := range strings.Split(text, ",") {
		c, err := parseCondition(item)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(other Condition) bool { return other.kind == c.kind }) {
			return nil, fmt.Errorf("condition %q: its kind is given twice", item)
		}
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b Condition) int { return a.kind.order() - b.kind.order() })
	return list, nil
}

func parseCondition(text string) (Condition, error) {
	for i := range conditionKinds {
		k := &conditionKinds[i]
		number, ok := strings.CutPrefix(text, k.name)
		if !ok || number != "" && k.max == 0 {
			continue
		}
		if k.max == 0 {
			return Condition{kind: k}, nil
		}
		n, err := strconv.ParseUint(number, 10, 32)
		if err != nil || int(n) < k.min || int(n) > k.max {
			return Condition{}, fmt.Errorf("condition %q: want a number from %d to %d after %s", text, k.min, k.max, k.name)
		}
		return Condition{k, int(n)}, nil
	}
	return Condition{}, fmt.Errorf("unknown condition %q: want some of %s", text, strings.Join(ConditionNames(), ", "))
}

// order returns the index of the kind in the list.
func (k *conditionKind) order() int {
	return slices.IndexFunc(conditionKinds, func(other conditionKind) bool { return other.name == k.name })
}
