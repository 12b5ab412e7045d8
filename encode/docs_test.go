package encode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
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

const pythonGames = "../python/src/selfplay/games"

// TestPythonHasTheTables compares the tables in the Python package with the catalog; -update
// rewrites them.
func TestPythonHasTheTables(t *testing.T) {
	for _, g := range encode.Games() {
		t.Run(g.Name, func(t *testing.T) {
			text := must.Get(g.Table())(t)
			enginetest.Golden(t, filepath.Join(pythonGames, g.Name+".json"), string(text), "The package reads other tables than the program writes")
		})
	}
}

// TestActionsWithoutFactorsAreListed one by one.
func TestActionsWithoutFactorsAreListed(t *testing.T) {
	g := encodetest.TicTacToe()
	text, err := g.Table()
	const want = `"actions": {"version":1,"count":9,"kinds":["place"],"from":[-1,-1,-1,-1,-1,-1,-1,-1,-1],` +
		`"to":[0,1,2,3,4,5,6,7,8],"kind":[0,0,0,0,0,0,0,0,0],"flip":[0,1,2,3,4,5,6,7,8]}`
	if err != nil || !bytes.Contains(text, []byte(want)) || !bytes.Contains(text, []byte(`"rank_one_on_top": true`)) {
		t.Errorf("%v:\n%s", err, text)
	}
}

// TestWrongFactorsAreRefused: a table must not say what is not so.
func TestWrongFactorsAreRefused(t *testing.T) {
	for _, f := range []encode.Factors{{Rays: 84, Whats: 4}, {Rays: 83, Whats: 5}, {Rays: 5, Whats: 84}} {
		g := encode.CoTuLenh()
		g.Actions.Factors = f
		if _, err := g.Table(); err == nil {
			t.Errorf("%+v: no error", f)
		}
	}
}

// TestNamesInTheLanguageOfThePlayers: every piece has one if any has, and the pages of the game list them.
func TestNamesInTheLanguageOfThePlayers(t *testing.T) {
	for _, g := range encode.Games() {
		b := &g.Board
		if b.Language == "" {
			continue
		}
		names := []string{b.RingNative}
		for _, k := range b.Kinds {
			names = append(names, k.Native)
		}
		for _, page := range []string{g.Name + ".md", g.Name + "." + b.Language + ".md"} {
			text := string(must.Get(os.ReadFile("../docs/games/" + page))(t))
			for i, name := range names {
				if name == "" || !strings.Contains(text, name) {
					t.Errorf("%s: no name %q of kind %d", page, name, i-1)
				}
			}
		}
	}
}
