package workers

import (
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// playing returns a series of chess.
func playing(t *testing.T, player string, opening Opening, e Exploration, a Adjudication) Series {
	t.Helper()
	game, err := encode.Find("chess")
	if err != nil {
		t.Fatal(err)
	}
	s := thinkingSeries(t, game, player)
	s.Opening, s.Exploration, s.Adjudication = opening, e, a
	return s
}

// TestSettings: a plan names the rules that are in force and who draws and weighs for
// them.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		name   string
		series Series
		want   []string
	}{
		{"played from the start to the end", playing(t, "ab", Opening{}, Exploration{}, Adjudication{PlayOut: 0}), nil},
		{"drawn plies", playing(t, "ab", Opening{MinPlies: 4, MaxPlies: 10}, Exploration{}, Adjudication{}),
			[]string{"opening-plies=4-10 by random v1"}},
		{"drawn plies that are weighed", playing(t, "random", Opening{MaxPlies: 3, MaxScore: 300}, Exploration{}, Adjudication{}),
			[]string{"opening-plies=0-3 by random v1", "opening-max-score=300 by ab:depth=2 v1"}},
		{"a book", playing(t, "ab", Opening{Book: []string{"a", "b"}}, Exploration{}, Adjudication{}),
			[]string{"book=911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2"}},
		{"any move explored", playing(t, "ab", Opening{}, Exploration{Moves: 2, Last: 9, Window: 50}, Adjudication{}),
			[]string{"explore=2 moves in plies 0-9 by random v1"}},
		{"good moves explored", playing(t, "ab", Opening{}, Exploration{Moves: 2, First: 1, Last: 9, Among: 3}, Adjudication{}),
			[]string{"explore=2 moves in plies 1-9 among 3"}},
		{"near moves explored", playing(t, "ab", Opening{}, Exploration{Moves: 2, Last: 9, Among: 3, Window: 50}, Adjudication{}),
			[]string{"explore=2 moves in plies 0-9 among 3 within 50"}},
		{"explored by some who have no opinion", playing(t, "0.5*random + 0.5*ab", Opening{}, Exploration{Moves: 2, Last: 9, Among: 3}, Adjudication{}),
			[]string{"explore=2 moves in plies 0-9 among 3 or by random v1"}},
		{"adjudication", playing(t, "ab", Opening{}, Exploration{}, Adjudication{WinRule{900, 4}, DrawRule{5, 6, 40}, 200}),
			[]string{"adjudicate-win=900,4", "adjudicate-draw=5,6,40", "play-out=0.2"}},
	} {
		if got := c.series.Settings(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestSettingsNameTheDice: where a game throws dice of its own, a plan says which.
func TestSettingsNameTheDice(t *testing.T) {
	s := Series{Game: encode.Game{Game: diced}, Opening: Opening{MaxPlies: 4}, Exploration: Exploration{Moves: 1}}
	want := []string{"opening-plies=0-4 by random:tile=0.25 v1", "explore=1 moves in plies 0-0 by random:uniform v1"}
	if got := s.Settings(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSettingsChangeWithVersions: what a player draws or weighs for both sides is in
// the games, so a new version of it is another plan, and one that is not asked is not.
func TestSettingsChangeWithVersions(t *testing.T) {
	all := playing(t, "ab", Opening{MaxPlies: 4, MaxScore: 300}, Exploration{Moves: 1}, Adjudication{})
	drawn := playing(t, "ab", Opening{MaxPlies: 4}, Exploration{Moves: 1, Among: 3}, Adjudication{})
	for _, c := range []struct {
		raised string // the kind of player with a new version
		series Series
		want   string // the settings that differ
	}{
		{"random", all, "opening-plies explore"},
		{"ab", all, "opening-max-score"},
		{"mcts", all, ""},
		{"random", drawn, "opening-plies"},
		{"ab", drawn, ""},
	} {
		before := c.series.Settings()
		after := c.series.settings(func(name string) PlayerSpec {
			spec := neutral(&c.series.Game.Game, name)
			if kind, _, _ := strings.Cut(name, ":"); kind == c.raised {
				spec.version++
			}
			return spec
		})
		var differ []string
		for i := range before {
			if before[i] != after[i] {
				name, _, _ := strings.Cut(before[i], "=")
				differ = append(differ, name)
			}
		}
		if got := strings.Join(differ, " "); got != c.want {
			t.Errorf("a new version of %s changes %q, want %q", c.raised, got, c.want)
		}
	}
}

// TestNeutralPlayersAreTheOnesNamed: what a plan names is what plays.
func TestNeutralPlayersAreTheOnesNamed(t *testing.T) {
	s := playing(t, "ab", Opening{MaxPlies: 4, MaxScore: 300}, Exploration{Moves: 1}, Adjudication{})
	for _, game := range []engine.Game{s.Game.Game, diced} {
		if _, dice := neutral(&game, openingPlayer).make().(loaded); dice != (len(game.Samplers) > 0) {
			t.Errorf("%s: openings are drawn by dice: %t", game.Name, dice)
		}
		if _, ok := neutral(&game, explorePlayer).make().(uniform); !ok {
			t.Errorf("%s: explored moves are not drawn alike", game.Name)
		}
	}
	if o := newOpener(&s); o.judge == nil || o.draw == nil {
		t.Error("an opening has nobody who draws or weighs")
	}
	if o := newOpener(&Series{}); o.judge != nil || o.draw != nil {
		t.Error("an opening without rules has players")
	}
}
