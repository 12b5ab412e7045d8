package encode_test

import (
	"os"
	"strings"
	"testing"

	"selfplay/encode"
)

// TestDocsShowTheTables keeps the tables of docs/datasets.md equal to the lists that the
// files are made from; -update rewrites them.
func TestDocsShowTheTables(t *testing.T) {
	const path = "../docs/datasets.md"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	tables := map[string]string{}
	for _, game := range encode.Games() {
		tables["board of "+game.Name] = encode.ElementTable(game.Layouts[0].Elements)
	}
	tables["positions of cotulenh"] = encode.ColumnTable(encode.View{Layout: &encode.CoTuLenh().Layouts[0]}.Columns())
	tables["conditions"] = encode.ConditionTable()
	tables["columns on request"] = encode.ExtraTable()
	for mark, table := range tables {
		begin := "<!-- generated: " + mark + " -->\n"
		before, rest, ok := strings.Cut(text, begin)
		if !ok {
			t.Fatalf("docs/datasets.md has no mark %q", begin)
		}
		_, after, ok := strings.Cut(rest, "<!-- end -->")
		if !ok {
			t.Fatalf("docs/datasets.md does not end the table after %q", begin)
		}
		text = before + begin + table + "<!-- end -->" + after
	}
	if text == string(raw) {
		return
	}
	if !*update {
		t.Fatal("the tables of docs/datasets.md are not those of the program: run with -update")
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
