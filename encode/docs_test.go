package encode_test

import (
	"os"
	"strings"
	"testing"

	"selfplay/encode"
)

// TestDocsHaveTheTables compares the generated tables of the docs with the lists that make
// the files; -update rewrites them.
func TestDocsHaveTheTables(t *testing.T) {
	format := map[string]string{
		"positions of cotulenh": encode.ColumnTable(encode.View{Layout: &encode.CoTuLenh().Layouts[0]}.Columns()),
		"conditions":            encode.ConditionTable(),
		"columns on request":    encode.ExtraTable(),
	}
	for _, g := range encode.Games() {
		format["board of "+g.Name] = encode.ElementTable(g.Layouts[0].Elements)
	}
	compareTables(t, "../docs/datasets.md", format)
	compareTables(t, "../docs/players.md", map[string]string{"models": encode.Games().WDLTable()})
}

// compareTables compares tables, by their mark, with those of a page.
func compareTables(t *testing.T, page string, tables map[string]string) {
	t.Helper()
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for mark, table := range tables {
		begin, end := "<!-- generated: "+mark+" -->\n", "<!-- end -->"
		before, rest, found := strings.Cut(text, begin)
		_, after, ended := strings.Cut(rest, end)
		if !found || !ended {
			t.Errorf("%s has no table %q", page, mark)
			continue
		}
		text = before + begin + table + end + after
	}
	if text == string(raw) {
		return
	}
	if !*update {
		t.Errorf("the tables of %s differ from the program: run with -update", page)
	} else if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
