package catalog

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"selfplay/datasets/gameindex"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
)

// Query says which games are wanted, in which order, and which page of them. Its parameters are
// those of a URL; parameters with their default are left out.
type Query struct {
	Result   string // a name of encode.Game.Results, or NoResult; "": all
	Reason   string // "": all
	Plies    Range
	Drop     Range    // largest loss of expected result, in 10,000ths
	Leads    [2]Range // largest leads in material of the side that begins, and of the other
	Player   string   // of either side
	First    string   // player of side 0
	Second   string   // player of the other side
	Opening  []string // moves that the game begins with, in wire form
	Games    Range    // numbers
	Shards   Range
	Split    string
	Position string // text, or hash:HEX
	Material string
	Sort     string // a column of the index; with - before it descending; "": by number
	Offset   int
	Limit    int
	Cursor   string // of a search for a position or a material
}

// Range is a range of numbers, both ends included: 10-20, 10- or -20. The zero Range has all
// numbers.
type Range struct {
	Min, Max int
	Given    bool
}

// unlimited is the end of a range without an upper limit.
const unlimited = 1<<31 - 1

// NoResult is the result of games that were cut off.
const NoResult = "none"

// openingSeparator is between the moves of an opening. No notation of moves has it.
const openingSeparator = "|"

// leadNames are the parameters of the largest leads.
var leadNames = [2]string{gameindex.LeadFirst.String(), gameindex.LeadSecond.String()}

// Limits of a page.
const (
	DefaultLimit = 50
	MaxLimit     = 200
	maxOffset    = min(1<<31, math.MaxInt)
)

// ParseQuery reads the parameters of a query about games of g.
func ParseQuery(p *Params, g *encode.Game) (q Query) {
	results := append([]string{""}, g.Results()[1:]...)
	q.Result = p.OneOf("result", append(results, NoResult)...)
	q.Reason = p.OneOf("reason", reasonsOf(g)...)
	q.Plies, q.Drop = parseRange(p, "plies"), parseRange(p, "drop")
	for side, name := range leadNames {
		q.Leads[side] = parseRange(p, name)
		if lacks := g.LacksMaterial(); q.Leads[side].Given && lacks != "" {
			p.Fail("parameter %s: %s", name, lacks)
		}
	}
	q.Player, q.First, q.Second = p.String("player"), p.String("player_first"), p.String("player_second")
	if text := p.String("opening"); text != "" {
		q.Opening = strings.Split(text, openingSeparator)
	}
	q.Games, q.Shards = parseRange(p, "games"), parseRange(p, "shards")
	q.Split = p.OneOf("split", "", plan.Train, plan.Validation)
	q.Position, q.Material = p.String("position"), p.String("material")
	if q.Position != "" && q.Material != "" {
		p.Fail("parameters position and material exclude each other")
	}
	q.Sort = p.OneOf("sort", sorts()...)
	q.Offset = p.Int("offset", 0, 0, maxOffset)
	q.Limit = p.Int("limit", DefaultLimit, 1, MaxLimit)
	q.Cursor = p.String("cursor")
	return q
}

// reasonsOf returns "" and the names of the reasons for which a game can end.
func reasonsOf(g *encode.Game) []string {
	return append([]string{""}, g.AllReasonNames()...)
}

// sorts returns "" and all orders.
func sorts() []string {
	list := []string{""}
	for _, name := range gameindex.Columns() {
		list = append(list, name, "-"+name)
	}
	return list
}

func parseRange(p *Params, name string) (r Range) {
	text := p.String(name)
	if text == "" {
		return r
	}
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	r = Range{Max: unlimited, Given: true}
	for _, end := range []struct {
		text string
		into *int
	}{{low, &r.Min}, {high, &r.Max}} {
		if end.text == "" && isRange {
			continue
		}
		n, err := strconv.Atoi(end.text)
		if err != nil || n < 0 || n > unlimited {
			p.Fail("parameter %s: %.40q: expected a range such as 10-20, 10-, -20 or 10", name, text)
			return Range{}
		}
		*end.into = n
	}
	if r.Min > r.Max {
		p.Fail("parameter %s: %.40q: expected the smaller number first", name, text)
		return Range{}
	}
	return r
}

// String returns the range as a parameter has it.
func (r Range) String() string {
	switch {
	case !r.Given:
		return ""
	case r.Min == r.Max:
		return strconv.Itoa(r.Min)
	case r.Max == unlimited:
		return strconv.Itoa(r.Min) + "-"
	}
	return strconv.Itoa(r.Min) + "-" + strconv.Itoa(r.Max)
}

// Values returns the parameters of the query.
func (q Query) Values() url.Values {
	v := url.Values{}
	for name, value := range map[string]string{
		"result": q.Result, "reason": q.Reason, "plies": q.Plies.String(), "drop": q.Drop.String(),
		leadNames[0]: q.Leads[0].String(), leadNames[1]: q.Leads[1].String(), "player": q.Player,
		"player_first": q.First, "player_second": q.Second, "opening": strings.Join(q.Opening, openingSeparator),
		"games": q.Games.String(), "shards": q.Shards.String(), "split": q.Split, "position": q.Position, "material": q.Material,
		"sort": q.Sort, "cursor": q.Cursor,
	} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if q.Offset > 0 {
		v.Set("offset", strconv.Itoa(q.Offset))
	}
	if q.Limit != DefaultLimit {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	return v
}

// With returns the parameters of the query with another value of one, from the first page on.
func (q Query) With(name, value string) string {
	v := q.Values()
	v.Del("cursor")
	v.Del("offset")
	v.Set(name, value)
	if value == "" {
		v.Del(name)
	}
	return "?" + v.Encode()
}

// JoinOpening returns the value of the parameter opening.
func JoinOpening(moves []string) string { return strings.Join(moves, openingSeparator) }

// ResultNumber returns the result of the query. Result must not be empty.
func (q *Query) ResultNumber(g *encode.Game) engine.Result {
	if q.Result == NoResult {
		return engine.NoResult
	}
	return engine.Result(slices.Index(g.Results(), q.Result))
}

// filter returns the query as a filter of an index.
func (q *Query) filter(ix *gameindex.Index) (f gameindex.Filter, err error) {
	g := &ix.Shape().Game
	f = gameindex.Filter{
		Plies: q.Plies.limits(), Drop: q.Drop.limits(), Player: q.Player,
		Leads:   [2]*gameindex.Range{q.Leads[0].limits(), q.Leads[1].limits()},
		Players: [2]string{q.First, q.Second}, Games: q.Games.limits(), Shards: q.Shards.limits(), Split: q.Split,
	}
	if q.Result != "" {
		f.Results = []engine.Result{q.ResultNumber(g)}
	}
	if q.Reason != "" {
		reason, _ := g.Reason(q.Reason) // ParseQuery knows all names
		f.Reasons = []engine.Reason{reason}
	}
	if len(q.Opening) > gameindex.OpeningPlies {
		return f, BadRequest("an opening of %d plies: the index has the first %d", len(q.Opening), gameindex.OpeningPlies)
	}
	if f.Opening, err = ix.Opening(q.Opening); err != nil {
		return f, BadRequest("%v", err)
	}
	return f, nil
}

// limits returns the range for an index, nil for all numbers.
func (r Range) limits() *gameindex.Range {
	if !r.Given {
		return nil
	}
	return &gameindex.Range{Min: r.Min, Max: r.Max}
}

// order returns the order of the query.
func (q *Query) order() gameindex.Order {
	name, descending := strings.CutPrefix(q.Sort, "-")
	by, err := gameindex.ColumnNamed(name)
	if err != nil { // ParseQuery knows all names
		by = gameindex.GameNumber
	}
	return gameindex.Order{By: by, Descending: descending}
}
