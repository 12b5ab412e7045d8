package encode

import (
	"fmt"
	"strings"
)

// The lists that document columns and elements are written here as the tables of
// the README and of the dataset card.

// ColumnTable returns a Markdown table of columns.
func ColumnTable(columns []Column) string {
	var b strings.Builder
	b.WriteString("| column | type | meaning |\n|---|---|---|\n")
	for _, c := range columns {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Name, c.Type(), tableCell(c.Doc))
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
		fmt.Fprintf(&b, "| %s | %s | %s |\n", index, e.Name, tableCell(e.Doc))
		at += e.Count
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

// tableCell keeps a text inside one cell of a Markdown table.
func tableCell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
