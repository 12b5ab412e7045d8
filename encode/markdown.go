package encode

import (
	"fmt"
	"strings"
)

// Tables of the README and of dataset cards, made from the lists that define the files.

// ColumnTable returns a Markdown table of columns.
func ColumnTable(columns []Column) string {
	var b strings.Builder
	b.WriteString("| column | type | meaning |\n|---|---|---|\n")
	for _, c := range columns {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Name, c.Type(), TableCell(c.Doc))
	}
	return b.String()
}

// ElementTable returns a Markdown table of the elements of a board.
func ElementTable(elements []Element) string {
	var b strings.Builder
	b.WriteString("| index | element | meaning |\n|---|---|---|\n")
	at := 0
	for _, e := range elements {
		index := fmt.Sprint(at)
		if e.Count > 1 {
			index = fmt.Sprintf("%d-%d", at, at+e.Count-1)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", index, e.Name, TableCell(e.Doc))
		at += e.Count
	}
	return b.String()
}

// WDLTable returns a Markdown table of the models of all games.
func (c Catalog) WDLTable() string {
	var b strings.Builder
	b.WriteString("| game | used for games of | version | a | b | drawn at 0 |\n|---|---|---|---|---|---|\n")
	for _, g := range c {
		for _, m := range g.Models {
			at0 := ""
			if m.DrawnAt0 > 0 {
				at0 = fmt.Sprintf("%d %%", m.DrawnAt0)
			}
			fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %s |\n", g.Name, m.Games, m.Version, m.A, m.B, at0)
		}
	}
	return b.String()
}

// Type returns the type of the column's cells in words.
func (c *Column) Type() string {
	switch {
	case c.Kind == String:
		return "string"
	case c.Len == Var:
		return "list of " + c.Kind.String()
	case c.Len > 0:
		return fmt.Sprintf("%d x %s", c.Len, c.Kind)
	}
	return c.Kind.String()
}

// TableCell escapes a text for a cell of a Markdown table.
func TableCell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
