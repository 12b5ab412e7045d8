package plan

import (
	"strconv"

	"selfplay/datasets/colfile"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/engine"
)

// Description explains the numbers of a dataset: the columns of the positions table, the
// elements of the board array, the names of sides, results and reasons. plan.json holds
// it, so that a program that does not know the game can read the dataset and write its
// card. The data files hold its texts too, so its hash is part of the plan.
type Description struct {
	Title      string               // name of the game
	Sides      [2]string            // side 0, which moves first in the start position of the game, then side 1
	Results    []string             // by number; the first is "", for no result
	Reasons    []string             // by number; "" for 0 (no reason) and for reasons the game does not use
	OwnReasons []encode.NamedReason // reasons that only this game has, ascending from engine.FirstOwnReason
	Actions    int                  // number of actions
	Columns    []encode.Column      // of the positions table
	Elements   []encode.Element     // of the board array
	Metadata   []encode.KeyValue    // added to every data file, in this order
}

// The JSON of a description. It is frozen like that of the plan.
type (
	descriptionJSON struct {
		Title    string         `json:"title"`
		Sides    [2]string      `json:"sides"`
		Results  []string       `json:"results"`
		Reasons  []string       `json:"reasons"`
		Own      []reasonJSON   `json:"own_reasons,omitempty"`
		Actions  int            `json:"actions"`
		Columns  []columnJSON   `json:"columns"`
		Elements []elementJSON  `json:"elements"`
		Metadata []keyValueJSON `json:"metadata"`
	}
	columnJSON struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
		Len  int    `json:"len"` // 0 for one value, -1 for a list, n for an array of n values
		Doc  string `json:"doc"`

		Label bool `json:"label,omitempty"`
	}
	elementJSON struct {
		Name  string `json:"name"`
		Count int    `json:"count"`
		Doc   string `json:"doc"`
	}
	reasonJSON struct {
		Number uint8  `json:"number"`
		Name   string `json:"name"`
	}
	keyValueJSON struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
)

// ResultName returns the name of a result, or its digits if it has none.
func (d *Description) ResultName(n uint8) string { return nameOf(d.Results, n) }

// ReasonName returns the name of a reason, or its digits if it has none.
func (d *Description) ReasonName(n uint8) string {
	for _, own := range d.OwnReasons {
		if own.Reason == engine.Reason(n) {
			return own.Name
		}
	}
	return nameOf(d.Reasons, n)
}

// nameOf returns the name of a number, or the number in digits if it has no name.
func nameOf(names []string, n uint8) string {
	if int(n) < len(names) {
		return names[n]
	}
	return strconv.Itoa(int(n))
}

// Hash returns the SHA-256 of the canonical JSON of the description, in hexadecimal.
func (d Description) Hash() string { return canonical.Hash(d.toJSON()) }

func (d Description) toJSON() descriptionJSON {
	j := descriptionJSON{Title: d.Title, Sides: d.Sides, Results: d.Results, Reasons: d.Reasons, Actions: d.Actions}
	j.Columns = columnsJSON(d.Columns)
	j.Elements = elementsJSON(d.Elements)
	j.Own = reasonsJSON(d.OwnReasons)
	for _, kv := range d.Metadata {
		j.Metadata = append(j.Metadata, keyValueJSON(kv))
	}
	return j
}

func columnsJSON(columns []encode.Column) []columnJSON {
	var j []columnJSON
	for _, c := range columns {
		j = append(j, columnJSON{c.Name, c.Kind.String(), c.Len, c.Doc, c.Label})
	}
	return j
}

func reasonsJSON(own []encode.NamedReason) []reasonJSON {
	var j []reasonJSON
	for _, r := range own {
		j = append(j, reasonJSON{uint8(r.Reason), r.Name})
	}
	return j
}

func elementsJSON(elements []encode.Element) []elementJSON {
	var j []elementJSON
	for _, e := range elements {
		j = append(j, elementJSON(e))
	}
	return j
}

func (j descriptionJSON) description() (Description, error) {
	d := Description{Title: j.Title, Sides: j.Sides, Results: j.Results, Reasons: j.Reasons, Actions: j.Actions}
	for _, c := range j.Columns {
		kind, ok := colfile.KindNamed(c.Kind)
		if !ok {
			return d, fault.Corrupt("column %s: unknown kind %q", c.Name, c.Kind)
		}
		d.Columns = append(d.Columns, encode.Column{Name: c.Name, Kind: kind, Len: c.Len, Doc: c.Doc, Label: c.Label})
	}
	for _, r := range j.Own {
		d.OwnReasons = append(d.OwnReasons, encode.NamedReason{Reason: engine.Reason(r.Number), Name: r.Name})
	}
	for _, e := range j.Elements {
		d.Elements = append(d.Elements, encode.Element(e))
	}
	for _, kv := range j.Metadata {
		d.Metadata = append(d.Metadata, encode.KeyValue(kv))
	}
	return d, colfile.CheckColumns(d.Columns)
}

// ColumnNames returns the names of columns, in order.
func ColumnNames(columns []encode.Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}
