package games

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"selfplay/cmd/internal/serve/web"
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

// open is the end of a range without an upper limit.
const open = 1<<31 - 1

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
	maxOffset    = 1 << 31
)

// ParseQuery reads the parameters of a query about games of g.
func ParseQuery(p *web.Params, g *encode.Game) (q Query) {
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

func parseRange(p *web.Params, name string) (r Range) {
	text := p.String(name)
	if text == "" {
		return r
	}
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	r = Range{Max: open, Given: true}
	for _, end := range []struct {
		text string
		into *int
	}{{low, &r.Min}, {high, &r.Max}} {
		if end.text == "" && isRange {
			continue
		}
		n, err := strconv.Atoi(end.text)
		if err != nil || n < 0 || n > open {
			p.Fail("parameter %s: %.40q: expected a range such as 10-20, 10-, -20 or 10", name, text)
			return Range{}
		}
		*end.into = n
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
	case r.Max == open:
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
