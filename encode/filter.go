package encode

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine"
)

// Filter says which decisions of a game get a row. It is asked in the order of its
// parts: rows for which a condition holds are left out; of the others a share is
// kept; of those no more than so many a game. The zero Filter leaves out nothing.
//
// Games are played, recorded and replayed in full whatever the filter: it is no
// part of them, and another one can be laid over the same games.
type Filter struct {
	Skip    []Condition     // each kind at most once, in the order of their kinds
	Keep    engine.Fraction // of the rows left, drawn for each; 0 keeps all
	MaxRows int             // of a game, drawn from the rows left; 0 keeps all
}

// Condition is a question about a decision. Rows for which it holds are left out.
type Condition struct {
	kind  *conditionKind
	limit int
}

// String returns the condition as a filter is written: check, ply<8.
func (c Condition) String() string {
	if c.kind.most == 0 {
		return c.kind.name
	}
	return c.kind.name + strconv.Itoa(c.limit)
}

// holds asks the record and, at the position of the ply, the replayer.
func (c *Condition) holds(r *Replayer, rec *engine.Record, ply int) (bool, error) {
	if c.kind.holds != nil {
		return c.kind.holds(rec, ply, c.limit), nil
	}
	return c.kind.holdsOn(r, rec, ply)
}

// conditionKind is a kind of condition.
type conditionKind struct {
	name        string // as it is written, with < or > before a number
	doc         string
	least, most int // of the number; most is 0 where there is none
	// holds asks the record. It is nil where the position is asked too.
	holds func(rec *engine.Record, ply, limit int) bool
	// holdsOn asks the position that the decision is made in.
	holdsOn func(r *Replayer, rec *engine.Record, ply int) (bool, error)
}

// conditionKinds lists the conditions in the order in which they are asked: a row
// counts as left out by the first that holds. Names and order stand in plans: append,
// never change. Those that ask the record alone come first, for they cost nothing.
var conditionKinds = []conditionKind{
	{name: "limit", doc: "the game was cut off by the ply limit",
		holds: func(rec *engine.Record, _, _ int) bool { return rec.Outcome.Reason == engine.PlyLimit }},
	{name: "ply<", doc: "fewer than N decisions were made before", least: 1, most: math.MaxUint16,
		holds: func(_ *engine.Record, ply, limit int) bool { return ply < limit }},
	{name: "ply>", doc: "more than N decisions were made before", most: math.MaxUint16,
		holds: func(_ *engine.Record, ply, limit int) bool { return ply > limit }},
	{name: "random", doc: "the move was drawn at random: rank is 255",
		holds: func(rec *engine.Record, ply, _ int) bool { return rec.MoveRanks[ply] == engine.RankRandom }},
	{name: "unsearched", doc: "nothing was searched",
		holds: func(rec *engine.Record, ply, _ int) bool { return !searched(rec, ply) }},
	{name: "score>", doc: "the root score is more than N ahead, for either side", most: math.MaxInt16,
		holds: func(rec *engine.Record, ply, limit int) bool {
			return searched(rec, ply) && max(int(rec.Scores[ply]), -int(rec.Scores[ply])) > limit
		}},
	{name: "check", doc: "the side to move is in check; never in Contrast",
		holdsOn: func(r *Replayer, _ *engine.Record, _ int) (bool, error) { return r.pos.Check(), nil }},
	{name: "capture", doc: "the best move takes something, or where nothing was searched the move played; never in Contrast",
		holdsOn: (*Replayer).takes},
}

// searched reports whether a decision of a record was searched.
func searched(rec *engine.Record, ply int) bool {
	return len(rec.Nodes) > 0 && rec.Nodes[ply] != 0
}

// ConditionTable returns a Markdown table of the conditions.
func ConditionTable() string {
	var b strings.Builder
	b.WriteString("| condition | holds where |\n|---|---|\n")
	for i, k := range conditionKinds {
		fmt.Fprintf(&b, "| `%s` | %s |\n", ConditionNames()[i], k.doc)
	}
	return b.String()
}

// ParseSkip reads conditions, check,ply<8, in any order.
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
			return nil, fmt.Errorf("condition %q: there is another of its kind", item)
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
		if !ok || number != "" && k.most == 0 {
			continue
		}
		if k.most == 0 {
			return Condition{kind: k}, nil
		}
		n, err := strconv.ParseUint(number, 10, 32)
		if err != nil || int(n) < k.least || int(n) > k.most {
			return Condition{}, fmt.Errorf("condition %q: want a number from %d to %d after %s", text, k.least, k.most, k.name)
		}
		return Condition{k, int(n)}, nil
	}
	return Condition{}, fmt.Errorf("unknown condition %q: want some of %s", text, strings.Join(ConditionNames(), ", "))
}

// ConditionNames returns how conditions are written, in order.
func ConditionNames() (names []string) {
	for _, k := range conditionKinds {
		if k.most > 0 {
			k.name += "N"
		}
		names = append(names, k.name)
	}
	return names
}

// order returns the place of the kind in the list.
func (k *conditionKind) order() int {
	return slices.IndexFunc(conditionKinds, func(other conditionKind) bool { return other.name == k.name })
}

// Parts of a filter as a plan keeps them.
const (
	skipPart    = "skip="
	keepPart    = "keep="
	maxRowsPart = "max-rows-per-game="
)

// Texts returns the parts of the filter in the order in which they are asked, as a
// plan keeps them. Rows that are left out are counted by these.
func (f *Filter) Texts() (list []string) {
	for _, c := range f.Skip {
		list = append(list, skipPart+c.String())
	}
	if f.Keep > 0 {
		list = append(list, keepPart+f.Keep.String())
	}
	if f.MaxRows > 0 {
		list = append(list, maxRowsPart+strconv.Itoa(f.MaxRows))
	}
	return list
}

// ParseFilter reads what Texts returns, and nothing else.
func ParseFilter(texts []string) (f Filter, err error) {
	var skip []string
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		switch name + "=" {
		case skipPart:
			skip = append(skip, value)
		case keepPart:
			f.Keep, err = ParseKeep(value)
		case maxRowsPart:
			f.MaxRows, err = strconv.Atoi(value)
		default:
			err = fmt.Errorf("unknown part")
		}
		if err != nil {
			return Filter{}, fmt.Errorf("filter %q: %w", text, err)
		}
	}
	if f.Skip, err = ParseSkip(strings.Join(skip, ",")); err != nil {
		return Filter{}, err
	}
	if !slices.Equal(f.Texts(), texts) {
		return Filter{}, fmt.Errorf("filter %q: want it written %q", texts, f.Texts())
	}
	return f, nil
}

// ParseKeep reads the share of rows to keep. That of all is no part of a filter.
func ParseKeep(text string) (engine.Fraction, error) {
	share, err := engine.ParseFraction(text)
	if err == nil && share == 0 {
		err = fmt.Errorf("%q: want a share above 0", text)
	}
	if share == engine.One {
		share = 0
	}
	return share, err
}
