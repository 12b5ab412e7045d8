package encode_test

import (
	"testing"

	"selfplay/encode"
	"selfplay/engine/enginetest"
)

// TestDocsHaveTheTables compares the generated tables of the docs with the lists that make
// the files; -update rewrites them.
func TestDocsHaveTheTables(t *testing.T) {
	format := map[string]string{
		"positions of cotulenh": encode.ColumnTable(encode.View{Layout: &encode.CoTuLenh().Layouts[0]}.Columns()),
		"columns on request":    encode.ExtraTable(),
	}
	for _, g := range encode.Games() {
		format["board of "+g.Name] = encode.ElementTable(g.Layouts[0].Elements)
	}
	enginetest.Tables(t, "../docs/datasets.md", format)
	enginetest.Tables(t, "../docs/conditions.md", map[string]string{"words": encode.WhereTable(), "values": encode.Games().WorthTable()})
	enginetest.Tables(t, "../docs/scores.md", map[string]string{"models": encode.Games().WDLTable()})
}
