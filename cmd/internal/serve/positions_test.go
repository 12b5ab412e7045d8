package serve

import (
	"testing"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/encode"
)

// TestPositionsOfDatasetsAreArrays.
func TestPositionsOfDatasetsAreArrays(t *testing.T) {
	dir := t.TempDir()
	for _, g := range encode.Games().Names() {
		servetest.Make(t, dir, g, servetest.Dataset{Game: g})
	}
	s := newServer(t, dir, nil)
	for _, g := range encode.Games() {
		type array struct {
			Array []int `json:"board_array"`
		}
		l := &g.Layouts[0]
		want := l.Values(nil, l.Encode(nil, g.New("")))
		if got := askJSON[array](t, s, "/api/game/"+g.Name+":3@0/board_array").Array; len(got) != len(want) || got[0] != want[0] {
			t.Errorf("%s: %v", g.Name, got)
		}
		if last := askJSON[map[string]any](t, s, "/api/game/"+g.Name+":3"); last["game"] != g.Name || last["position"] == g.New("").String() {
			t.Errorf("%s: the last position is %v", g.Name, last)
		}
	}
}
