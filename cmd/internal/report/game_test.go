package report

import (
	"strings"
	"testing"

	"selfplay/datasets/stats"
	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/internal/must"
)

func mustReplay(t *testing.T, g *encode.Game, r *engine.Record) Game {
	t.Helper()
	game := must.Get(newGame(g, "", r, nil))(t)
	return game
}

// TestChosenGamesAreListedOnce even if a game is chosen for several reasons.
func TestChosenGamesAreListedOnce(t *testing.T) {
	g := encode.Chess()
	short, long := encodetest.Knights(t, 2), encodetest.Knights(t, 6)
	long.Game = 5
	games, err := gamesOf(&g, "", stats.Notable{First: short, Longest: long, Upset: &stats.Upset{Record: long, Ply: 3, Side: engine.Second, Score: 250}}, g.ReferenceModel())
	if err != nil || len(games) != 2 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	if titleOf(&games[0]) != "First game" || titleOf(&games[1]) != "Longest and most surprising game" {
		t.Errorf("%q and %q", titleOf(&games[0]), titleOf(&games[1]))
	}
	if m := games[1].Missed; m == nil || m.Ply != 3 || m.Side != "black" || m.Chance < 0.5 || m.Chance >= 1 {
		t.Errorf("%+v", games[1].Missed)
	}
	if games, err := gamesOf(&g, "", stats.Notable{}, nil); err != nil || games != nil {
		t.Errorf("without games: %v, %v", games, err)
	}
	long.Actions[0] = 0
	if _, err := gamesOf(&g, "", stats.Notable{First: long, Longest: long}, nil); err == nil {
		t.Error("a game that breaks the rules was replayed")
	}
}

// TestLongGamesAreCut, so that the size of a page is bounded.
func TestLongGamesAreCut(t *testing.T) {
	g := encode.Chess()
	game := mustReplay(t, &g, encodetest.Knights(t, maxSteps+4))
	if game.Plies != maxSteps+4 || len(game.played.Steps) != maxSteps || len(game.played.Steps[maxSteps-1].Changed) != 4 {
		t.Fatalf("%d plies, %d steps", game.Plies, len(game.played.Steps))
	}
	d := sound()
	d.Games = []Game{game, game, game}
	for i := range d.Games {
		d.Games[i].Choices = []string{FirstGame}
	}
	empty, full := pageOf(t, sound(), sound()), pageOf(t, d, d)
	if !strings.Contains(full, "The page has the first 1,000 plies.") {
		t.Error("the page does not say that games are cut")
	}
	if grown := len(full) - len(empty); grown > 2_000_000 {
		t.Errorf("six games of %d plies take %d bytes", maxSteps, grown)
	}
}

// TestOpeningBarsAreRelativeToTheMostCommonMove: rare moves are visible too.
func TestOpeningBarsAreRelativeToTheMostCommonMove(t *testing.T) {
	got := newTree(stats.Tree{Next: []stats.Branch{
		{Move: "e4", Share: 0.08, Next: []stats.Branch{{Move: "e5", Share: 0.02}}},
		{Move: "d4", Share: 0.06},
		{Move: "a3", Share: 0.0001},
	}})
	if got.Longest != 0.08 {
		t.Errorf("the longest bar stands for %v, want 0.08", got.Longest)
	}
	for i, want := range []string{"100.0", "75.0", "2.0"} {
		if got.Next[i].Bar != want {
			t.Errorf("%s: bar of width %s, want %s", got.Next[i].Move, got.Next[i].Bar, want)
		}
	}
	if bar := got.Next[0].Next[0].Bar; bar != "25.0" {
		t.Errorf("e5: bar of width %s, want 25.0", bar)
	}
	if barWidth(0, 0) != "0" {
		t.Errorf("without games: bar of width %s", barWidth(0, 0))
	}
}

// TestHeatMapsHaveAScale with numbers: a strip for each side whose pieces are counted.
func TestHeatMapsHaveAScale(t *testing.T) {
	d := sound()
	d.Stats.Plies = 200
	text := pageOf(t, d)
	if n := strings.Count(text, `<div class="scale">`); n != 3 { // origins, destinations, sides
		t.Errorf("%d scales, want 3", n)
	}
	g := encode.Chess()
	s := (&Report{game: &g}).newScale(0.3, "of the plies", 0, 1)
	if len(s.Strips) != 2 || s.Strips[0] == s.Strips[1] || strings.Join(s.Ticks, ", ") != "0 %, 15 %, 30 %" {
		t.Errorf("%d strips with the numbers %v", len(s.Strips), s.Ticks)
	}
}
