package encode_test

import (
	"os"
	"strings"
	"testing"

	"selfplay/encode"
)

// TestReadmeHasTheTables compares the generated tables of the README with the lists that
// make the files; -update rewrites them.
func TestReadmeHasTheTables(t *testing.T) {
	const path = "../README.md"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	tables := map[string]string{
		"positions of cotulenh": encode.ColumnTable(encode.View{Layout: &encode.CoTuLenh().Layouts[0]}.Columns()),
		"conditions":            encode.ConditionTable(),
		"columns on request":    encode.ExtraTable(),
		"models":                encode.WDLTable(),
	}
	for _, g := range encode.Games() { // a section on a game is optional
		if mark := "board of " + g.Name; strings.Contains(text, "<!-- generated: "+mark+" -->") {
			tables[mark] = encode.ElementTable(g.Layouts[0].Elements)
		}
	}
	for mark, table := range tables {
		begin := "<!-- generated: " + mark + " -->\n"
		before, rest, ok := strings.Cut(text, begin)
		if !ok {
			t.Errorf("README.md has no mark %q", begin)
			continue
		}
		_, after, ok := strings.Cut(rest, "<!-- end -->")
		if !ok {
			t.Fatalf("README.md does not end the table after %q", begin)
		}
		text = before + begin + table + "<!-- end -->" + after
	}
	if text == string(raw) {
		return
	}
	if !*update {
		t.Fatal("the tables of README.md differ from the program: run with -update")
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
