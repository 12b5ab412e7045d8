package workers

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
)

// Every rule is restored from its text, alone and together with the rules before it.
func TestRestoreIsTheInverseOfSettings(t *testing.T) {
	game := encode.Chess()
	book := []string{game.New("").String()}
	rules := []func(s *Series){
		func(s *Series) { s.Opening.MinPlies, s.Opening.MaxPlies = 4, 10 },
		func(s *Series) { s.Opening.MinPlies, s.Opening.MaxPlies = 0, 3 },
		func(s *Series) { s.Opening.MaxScore = 300 },
		func(s *Series) { s.Opening.Book = book },
		func(s *Series) { s.Exploration = Exploration{Moves: 3, First: 2, Last: 40} },
		func(s *Series) { s.Exploration = Exploration{Moves: 3, Last: 40, Among: 4} },
		func(s *Series) { s.Exploration = Exploration{Moves: 3, Last: 40, Among: 4, Window: 100} },
		func(s *Series) { s.Adjudication.Win = WinRule{1000, 6} },
		func(s *Series) { s.Adjudication.Draw = DrawRule{20, 6, 40} },
		func(s *Series) { s.Adjudication.PlayOut = 125 },
	}
	for _, player := range []string{"random", "ab:depth=1,multi=4", "0.5*random + 0.5*ab:depth=2"} {
		all := seriesOf(t, game, player)
		for i, rule := range rules {
			one := seriesOf(t, game, player)
			rule(&one)
			rule(&all)
			for _, s := range []Series{one, all} {
				restored := seriesOf(t, game, player)
				if err := restored.Restore(s.Settings(), book); err != nil {
					t.Fatalf("%s, rule %d: %v", player, i, err)
				}
				if !reflect.DeepEqual([]any{restored.Opening, restored.Exploration, restored.Adjudication}, []any{s.Opening, s.Exploration, s.Adjudication}) {
					t.Errorf("%s, rule %d: %q restored as %+v", player, i, s.Settings(), restored)
				}
			}
		}
	}
}

// Settings that this program would play differently are refused.
func TestRestoreRefusesOtherSettings(t *testing.T) {
	s := seriesOf(t, encode.Chess(), "random")
	s.Opening = Opening{MinPlies: 4, MaxPlies: 10, Book: []string{"one"}}
	settings := s.Settings()
	for _, c := range []struct {
		change func(list []string) []string
		book   []string
		want   string
	}{
		{func(l []string) []string { return l }, nil, "the book is missing"},
		{func(l []string) []string { return l }, []string{"two"}, "a different one"},
		{func(l []string) []string { l[0] = strings.Replace(l[0], "v1", "v9", 1); return l }, s.Opening.Book, "this program has"},
		{func(l []string) []string { return append(l, "speed=9") }, s.Opening.Book, "unknown setting"},
		{func(l []string) []string { l[0] = "opening-plies=many"; return l }, s.Opening.Book, `setting "opening-plies=many"`},
		{func(l []string) []string { l[0] = "opening-plies=10-4 by random v1"; return l }, s.Opening.Book, "opening plies 10-4"},
		{func(l []string) []string { return []string{l[1], l[0]} }, s.Opening.Book, "this program has"},
	} {
		restored := Series{Game: s.Game, Players: s.Players}
		if err := restored.Restore(c.change(slices.Clone(settings)), c.book); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
