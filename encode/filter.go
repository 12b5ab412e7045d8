package encode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine"
)

// Filter selects which decisions of a game get a row. Its parts apply in order: rows that fail a
// condition of Where are dropped; of the others a random fraction is kept; of those at most MaxRows
// per game. The zero Filter keeps all rows.
//
// Games are played, recorded and replayed in full whatever the filter, so another
// filter can be applied to the same games.
type Filter struct {
	Where   *Where          // nil matches all rows
	Keep    engine.Fraction // fraction of the remaining rows, drawn row by row; 0 keeps all
	MaxRows int             // of a game, drawn from the remaining rows; 0 keeps all
}

// Prefixes of the parts of a filter in a plan.
const (
	wherePart   = "where="
	keepPart    = "keep="
	maxRowsPart = "max-rows-per-game="
)

// Texts returns the parts of the filter in order, as a plan stores them. Dropped rows are
// counted by part.
func (f *Filter) Texts() (list []string) {
	for _, c := range f.Where.Texts() {
		list = append(list, wherePart+c)
	}
	if f.Keep > 0 {
		list = append(list, keepPart+f.Keep.String())
	}
	if f.MaxRows > 0 {
		list = append(list, maxRowsPart+strconv.Itoa(f.MaxRows))
	}
	return list
}

// ParseFilter parses the parts that Texts returns, and only in that form.
func (g *Game) ParseFilter(texts []string) (f Filter, err error) {
	var conditions []string
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		switch name + "=" {
		case wherePart:
			conditions = append(conditions, value)
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
	if conditions != nil {
		if f.Where, err = g.ParseWhere(strings.Join(conditions, ","), nil); err != nil {
			return Filter{}, err
		}
	}
	if !slices.Equal(f.Texts(), texts) {
		return Filter{}, fmt.Errorf("filter %q: want it written as %q", texts, f.Texts())
	}
	return f, nil
}

// ParseKeep parses the fraction of rows to keep. It returns 1 as 0, since keeping all rows
// is no part of a filter.
func ParseKeep(text string) (engine.Fraction, error) {
	keep, err := engine.ParseFraction(text)
	if err == nil && keep == 0 {
		err = fmt.Errorf("%q: want a fraction above 0", text)
	}
	if keep == engine.One {
		keep = 0
	}
	return keep, err
}
