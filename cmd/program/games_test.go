package program

import (
	"encoding/json"
	"strings"
	"testing"

	"selfplay/encode"
)

func TestGamesCommandListsTheCatalog(t *testing.T) {
	if got, want := must(t, "games", "--names"), strings.Join(encode.Games().Names(), "\n")+"\n"; got != want {
		t.Errorf("names %q, want %q", got, want)
	}
	var list []encode.Facts
	if err := json.Unmarshal([]byte(must(t, "games", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	text := must(t, "games")
	for i, g := range encode.Games() {
		if list[i].Name != g.Name || list[i].Actions.Count != g.Actions.Count || list[i].Sides != g.Sides {
			t.Errorf("%s: %+v", g.Name, list[i])
		}
		for _, want := range []string{g.Name + ": " + g.Title, g.Sides[0] + " against " + g.Sides[1], g.Reasons[0].String(), "bulk, balanced, strong"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in\n%s", want, text)
			}
		}
	}
}

// TestGamesCommandPrintsTables that the Python package reads.
func TestGamesCommandPrintsTables(t *testing.T) {
	for _, g := range encode.Games() {
		want, err := g.Table()
		if got := must(t, "games", "--table", g.Name); err != nil || got != string(want) {
			t.Errorf("%s: %v, %.100q", g.Name, err, got)
		}
	}
}
