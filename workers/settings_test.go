package workers

import (
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// chessSeries returns a series of chess with the given rules.
func chessSeries(t *testing.T, player string, opening Opening, e Exploration, a Adjudication) Series {
	t.Helper()
	s := searchSeries(t, encode.Chess(), player)
	s.Opening, s.Exploration, s.Adjudication = opening, e, a
	return s
}

// The texts name the rules in force with their auxiliary players.
func TestSettingsNameTheRules(t *testing.T) {
	for _, c := range []struct {
		name   string
		series Series
		want   []string
	}{
		{"no rules", chessSeries(t, "ab", Opening{}, Exploration{}, Adjudication{PlayOut: 0}), nil},
		{"random opening plies", chessSeries(t, "ab", Opening{MinPlies: 4, MaxPlies: 10}, Exploration{}, Adjudication{}),
			[]string{"opening-plies=4-10 by random v1"}},
		{"random opening plies with a score limit", chessSeries(t, "random", Opening{MaxPlies: 3, MaxScore: 300}, Exploration{}, Adjudication{}),
			[]string{"opening-plies=0-3 by random v1", "opening-max-score=300 by ab:depth=2,net=none v1"}},
		{"book", chessSeries(t, "ab", Opening{Book: []string{"a", "b"}}, Exploration{}, Adjudication{}),
			[]string{"book=911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2"}},
		{"exploration of all legal moves", chessSeries(t, "ab", Opening{}, Exploration{Moves: 2, Last: 9, Window: 50}, Adjudication{}),
			[]string{"explore=2 moves in plies 0-9 by random v1"}},
		{"exploration of the best moves", chessSeries(t, "ab", Opening{}, Exploration{Moves: 2, First: 1, Last: 9, Among: 3}, Adjudication{}),
			[]string{"explore=2 moves in plies 1-9 among 3"}},
		{"exploration within a score window", chessSeries(t, "ab", Opening{}, Exploration{Moves: 2, Last: 9, Among: 3, Window: 50}, Adjudication{}),
			[]string{"explore=2 moves in plies 0-9 among 3 within 50"}},
		{"exploration by a mixture with a random player", chessSeries(t, "0.5*random + 0.5*ab", Opening{}, Exploration{Moves: 2, Last: 9, Among: 3}, Adjudication{}),
			[]string{"explore=2 moves in plies 0-9 among 3 or by random v1"}},
		{"adjudication", chessSeries(t, "ab", Opening{}, Exploration{}, Adjudication{WinRule{900, 4}, DrawRule{5, 6, 40}, 200}),
			[]string{"adjudicate-win=900,4", "adjudicate-draw=5,6,40", "play-out=0.2"}},
	} {
		if got := c.series.Settings(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// If a game has samplers, the texts name the one that is used.
func TestSettingsNameTheSampler(t *testing.T) {
	s := Series{Game: encode.Game{Game: twoSamplers}, Opening: Opening{MaxPlies: 4}, Exploration: Exploration{Moves: 1}}
	want := []string{"opening-plies=0-4 by random:tile=0.25 v1", "explore=1 moves in plies 0-0 by random:uniform v1"}
	if got := s.Settings(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A new version of an auxiliary player changes the settings that use it, and no others.
func TestSettingsChangeWithVersionsOfAuxiliaryPlayers(t *testing.T) {
	all := chessSeries(t, "ab", Opening{MaxPlies: 4, MaxScore: 300}, Exploration{Moves: 1}, Adjudication{})
	openingOnly := chessSeries(t, "ab", Opening{MaxPlies: 4}, Exploration{Moves: 1, Among: 3}, Adjudication{})
	for _, c := range []struct {
		raised string // the player type with a new version
		series Series
		want   string // the settings that differ
	}{
		{"random", all, "opening-plies explore"},
		{"ab", all, "opening-max-score"},
		{"mcts", all, ""},
		{"random", openingOnly, "opening-plies"},
		{"ab", openingOnly, ""},
	} {
		before := c.series.Settings()
		after := c.series.settings(func(name string) PlayerSpec {
			spec := auxiliary(&c.series.Game.Game, name)
			if typeName, _, _ := strings.Cut(name, ":"); typeName == c.raised {
				spec.version++
			}
			return spec
		})
		var changed []string
		for i := range before {
			if before[i] != after[i] {
				name, _, _ := strings.Cut(before[i], "=")
				changed = append(changed, name)
			}
		}
		if got := strings.Join(changed, " "); got != c.want {
			t.Errorf("a new version of %s changes settings %q, want %q", c.raised, got, c.want)
		}
	}
}

func TestAuxiliaryPlayersAreTheOnesNamed(t *testing.T) {
	s := chessSeries(t, "ab", Opening{MaxPlies: 4, MaxScore: 300}, Exploration{Moves: 1}, Adjudication{})
	for _, game := range []engine.Game{s.Game.Game, twoSamplers} {
		if _, sampled := auxiliary(&game, openingPlayer).newPlayer(nil).(samplerPlayer); sampled != (len(game.Samplers) > 0) {
			t.Errorf("%s: openings use a sampler: %t", game.Name, sampled)
		}
		if _, ok := auxiliary(&game, explorePlayer).newPlayer(nil).(uniformPlayer); !ok {
			t.Errorf("%s: explored moves are not uniform", game.Name)
		}
	}
	if o := newOpener(&s, nil); o.score == nil || o.random == nil {
		t.Error("the opener has no random player or no scorer")
	}
	if o := newOpener(&Series{}, nil); o.score != nil || o.random != nil {
		t.Error("the opener of a series without rules has auxiliary players")
	}
}

// TestModelBelongsToAKindOfGames: models of scores are known for some limits of the search, none
// for the exact one.
func TestModelBelongsToAKindOfGames(t *testing.T) {
	for player, known := range map[string]bool{
		"ab:depth=2,net=none": true, "ab:depth=2,exact=true": false, "ab:net=none": true, "ab:nodes=1234,net=none": false, "mcts": false,
	} {
		s := seriesOf(t, encode.Chess(), player)
		if s.WDL() != nil != known {
			t.Errorf("%s: model %+v", player, s.WDL())
		}
	}
}

// TestModelBelongsToAVariant: the default by its name or without one, another one only if a model is fitted to it.
func TestModelBelongsToAVariant(t *testing.T) {
	for variant, known := range map[string]bool{"": true, "after": true, "before": false} {
		s := seriesOf(t, encode.Contrast(), "ab:depth=3,net=none")
		s.Variant = variant
		if s.WDL() != nil != known {
			t.Errorf("variant %q: model %+v", variant, s.WDL())
		}
		if before := (encode.SearchedGames{Variant: "before", Depth: 3}); variant == "before" {
			s.Game.Models = append(s.Game.Models, encode.Model{Games: before, Version: 1, A: 1, B: 2})
			if m := s.WDL(); m == nil || m.FittedTo != "ab:depth=3,net=none against itself, variant before" {
				t.Errorf("model %+v", m)
			}
		}
	}
}

// TestModelBelongsToANetwork: a model of games with a network is for that network alone, whole.
func TestModelBelongsToANetwork(t *testing.T) {
	for _, c := range []struct {
		game       encode.Game
		win        WinRule
		parameters string
		known      bool
	}{
		{encode.CoTuLenh(), WinRule{1000, 6}, "nodes=60", true},
		{encode.CoTuLenh(), WinRule{1500, 6}, "nodes=500,net=cotulenh", true},
		{encode.CoTuLenh(), WinRule{1000, 6}, "nodes=60,blend=40", false},
		{encode.CoTuLenh(), WinRule{1000, 6}, "nodes=60,net=none", false},
		{encode.CoTuLenh(), WinRule{1500, 6}, "nodes=5000", false},
		{encode.Contrast(), WinRule{}, "nodes=75", true},
		{encode.Contrast(), WinRule{}, "nodes=75,net=small", false},
		{encode.Contrast(), WinRule{}, "nodes=75,net=none", false},
	} {
		spec := must.Get(PlayerTypes().Parse(&c.game.Game, "ab:"+c.parameters, testNetworks(t)))(t)
		s := Series{Game: c.game, Players: [2]PlayerSpec{spec, spec}, Exploration: Exploration{Moves: 1}, Adjudication: Adjudication{Win: c.win}}
		if s.WDL() != nil != c.known {
			t.Errorf("%s %s: model %+v", c.game.Name, c.parameters, s.WDL())
		}
	}
}
