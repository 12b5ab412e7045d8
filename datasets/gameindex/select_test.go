package gameindex

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// everyGame returns the games of an index, one by one.
func everyGame(t testing.TB, ix *Index) (list []Game) {
	t.Helper()
	for i := range ix.Status().Games {
		g, ok := ix.Game(i)
		if !ok {
			t.Fatalf("no game %d", i)
		}
		list = append(list, g)
	}
	return list
}

// matches applies a filter to a game by its definition.
func (f *Filter) matches(g *Game, split string) bool {
	return (f.Results == nil || slices.Contains(f.Results, g.Result)) &&
		(f.Reasons == nil || slices.Contains(f.Reasons, g.Reason)) &&
		f.Plies.has(g.Plies) && (f.Drop == nil || g.Drop >= 0 && f.Drop.has(g.Drop)) &&
		(f.Leads[0] == nil || g.Leads[0] >= 0 && f.Leads[0].has(g.Leads[0])) && (f.Leads[1] == nil || g.Leads[1] >= 0 && f.Leads[1].has(g.Leads[1])) &&
		(f.Player == "" || slices.Contains(g.Players[:], f.Player)) &&
		(f.Players[0] == "" || f.Players[0] == g.Players[0]) && (f.Players[1] == "" || f.Players[1] == g.Players[1]) &&
		len(f.Opening) <= len(g.Opening) && slices.Equal(f.Opening, g.Opening[:len(f.Opening)]) &&
		f.Games.has(int(g.Game)) && f.Shards.has(g.Shard) && (f.Split == "" || f.Split == split)
}

// chosen returns the games that match, by the definition.
func chosen(ix *Index, games []Game, f Filter) (list []Game) {
	for _, g := range games {
		if f.matches(&g, ix.ds.Plan().Splits().Of(g.Game)) {
			list = append(list, g)
		}
	}
	return list
}

// filters are filters of which each matches some games of the datasets below, by name.
func filters(games []Game) map[string]Filter {
	first := games[len(games)/2]
	return map[string]Filter{
		"all":                     {},
		"a result":                {Results: []engine.Result{engine.SecondWins}},
		"two results":             {Results: []engine.Result{engine.FirstWins, engine.NoResult}},
		"a reason":                {Reasons: []engine.Reason{engine.Goal}},
		"short games":             {Plies: &Range{0, 12}},
		"games of one length":     {Plies: &Range{first.Plies, first.Plies}},
		"large drops":             {Drop: &Range{1000, 10_000}},
		"known drops":             {Drop: &Range{-5, 1 << 20}},
		"large leads":             {Leads: [2]*Range{nil, {300, 1 << 20}}},
		"no leads":                {Leads: [2]*Range{{-1, 0}, {0, 2000}}},
		"a player":                {Player: first.Players[1]},
		"another player":          {Player: "fish"},
		"the first player":        {Players: [2]string{first.Players[0], ""}},
		"the second player":       {Players: [2]string{"", "fish"}},
		"an opening of a ply":     {Opening: first.Opening[:1]},
		"an opening of six plies": {Opening: first.Opening},
		"games by number":         {Games: &Range{3, 17}},
		"shards by number":        {Shards: &Range{1, 2}},
		"the validation split":    {Split: plan.Validation},
		"nothing":                 {Plies: &Range{9, 8}},
		"negative plies":          {Plies: &Range{-9, -8}},
		"several conditions": {
			Results: []engine.Result{first.Result}, Reasons: []engine.Reason{first.Reason}, Plies: &Range{first.Plies - 3, 90},
			Opening: first.Opening[:1], Split: plan.Train, Player: first.Players[0], Games: &Range{1, math.MaxInt32},
		},
	}
}

// sets are the datasets that queries are tested on.
func sets() []set {
	return []set{{games: 120}, {games: 50, player: "ab:depth=1"}, {games: 60, game: encode.Chess()}}
}

// TestSelectionMatchesTheFilter: the games of a selection are those that match one by one.
func TestSelectionMatchesTheFilter(t *testing.T) {
	for _, s := range sets() {
		ix := s.open(t)
		games := everyGame(t, ix)
		for name, f := range filters(games) {
			sel := selected(t, ix, f)
			want := chosen(ix, games, f)
			got, err := sel.Page(t.Context(), Order{}, 0, len(games))
			if err != nil || sel.Total() != len(want) || !slices.EqualFunc(got, want, equal) {
				t.Errorf("%s: %d games, listed %d, want %d; %v", name, sel.Total(), len(got), len(want), err)
			}
		}
	}
}

func selected(t testing.TB, ix *Index, f Filter) *Selection {
	t.Helper()
	sel := must.Get(ix.Select(t.Context(), f))(t)
	return sel
}

// valueOf returns the value of a column that orders games.
func (g *Game) valueOf(c Column) (value int, text string) {
	switch c {
	case GameNumber:
		return int(g.Game), ""
	case Result:
		return int(g.Result), ""
	case Reason:
		return int(g.Reason), ""
	case Plies:
		return g.Plies, ""
	case Drop:
		return g.Drop, ""
	case LeadFirst, LeadSecond:
		return g.Leads[c-LeadFirst], ""
	case DropPly:
		if g.Drop <= 0 {
			return -1, ""
		}
		return g.DropPly, ""
	}
	return 0, g.Players[c-PlayerFirst]
}

// sortGames sorts games by the definition of an order.
func sortGames(games []Game, o Order) {
	slices.SortStableFunc(games, func(a, b Game) int {
		av, at := a.valueOf(o.By)
		bv, bt := b.valueOf(o.By)
		if o.By >= Drop && o.By <= LeadSecond && (av < 0 || bv < 0) { // unknown last, both ways
			return cmp.Compare(min(bv, 0), min(av, 0))
		}
		if c := cmp.Or(cmp.Compare(av, bv), cmp.Compare(at, bt)); o.Descending {
			return -c
		} else {
			return c
		}
	})
}

// TestPagesAreSorted: the pages of every column, both ways, are the sorted games.
func TestPagesAreSorted(t *testing.T) {
	for _, s := range sets() {
		ix := s.open(t)
		games := everyGame(t, ix)
		for _, f := range []Filter{{}, {Results: []engine.Result{engine.FirstWins}}} {
			sel := selected(t, ix, f)
			for c := range Columns() {
				for _, down := range []bool{false, true} {
					o := Order{Column(c), down}
					want := chosen(ix, games, f)
					sortGames(want, o)
					var got []Game
					for offset := 0; offset <= len(want); offset += 7 {
						page, err := sel.Page(t.Context(), o, offset, 7)
						if err != nil || len(page) != min(7, len(want)-offset) {
							t.Fatalf("%v from %d: %d games, %v", o, offset, len(page), err)
						}
						got = append(got, page...)
					}
					if !slices.EqualFunc(got, want, equal) {
						t.Errorf("%s, %v:\n%+v, want\n%+v", s.player, o, got, want)
					}
				}
			}
		}
	}
}

// TestPagesOutsideTheSelectionAreEmpty.
func TestPagesOutsideTheSelectionAreEmpty(t *testing.T) {
	ix := set{games: 20}.open(t)
	sel := selected(t, ix, Filter{})
	for _, c := range []struct{ offset, limit, want int }{{20, 5, 0}, {math.MaxInt32, 5, 0}, {3, 0, 0}, {3, -1, 0}, {-4, 3, 3}, {18, 5, 2}} {
		if page, err := sel.Page(t.Context(), Order{By: Plies}, c.offset, c.limit); err != nil || len(page) != c.want {
			t.Errorf("%d from %d: %d games, %v", c.limit, c.offset, len(page), err)
		}
	}
}

// TestHistogramsIgnoreTheirOwnCondition: a histogram counts the games that match the filter without
// the condition on its column.
func TestHistogramsIgnoreTheirOwnCondition(t *testing.T) {
	for _, s := range sets() {
		ix := s.open(t)
		games := everyGame(t, ix)
		f := Filter{
			Results: []engine.Result{engine.FirstWins}, Plies: &Range{5, 40}, Drop: &Range{0, 9000}, Player: games[0].Players[0],
			Reasons: []engine.Reason{engine.Goal}, Games: &Range{2, 200},
		}
		if games[0].Leads[0] >= 0 {
			f.Leads, f.Reasons = [2]*Range{{0, 900}, {200, 2000}}, nil
		}
		if s.player == "" {
			f.Drop = nil
		}
		sel := selected(t, ix, f)
		for c := range Columns() {
			for _, bars := range []int{1, 5, 40} {
				h := must.Get(sel.Histogram(t.Context(), Column(c), bars))(t)
				checkHistogram(t, h, chosen(ix, games, f.without(Column(c))), bars)
			}
		}
	}
}

// without returns the filter without the condition on a column.
func (f Filter) without(c Column) Filter {
	switch c {
	case GameNumber:
		f.Games = nil
	case Result:
		f.Results = nil
	case Reason:
		f.Reasons = nil
	case Plies:
		f.Plies = nil
	case Drop:
		f.Drop = nil
	case LeadFirst, LeadSecond:
		f.Leads = [2]*Range{}
	case PlayerFirst, PlayerSecond:
		f.Player = ""
	}
	return f
}

// checkHistogram compares a histogram with the games that it counts.
func checkHistogram(t *testing.T, h Histogram, games []Game, bars int) {
	t.Helper()
	if h.Games != len(games) {
		t.Errorf("%v: %d games, want %d", h.Column, h.Games, len(games))
	}
	sum := h.Unknown
	for i, b := range h.Bars {
		n := 0
		for _, g := range games {
			if v, text := g.valueOf(h.Column); v >= b.Min && v <= b.Max && text == b.Player {
				n++
			}
		}
		sum += b.Games
		if n != b.Games || b.Max < b.Min || i > 0 && h.Column < PlayerFirst && b.Min <= h.Bars[i-1].Max {
			t.Errorf("%v: bar %+v, want %d games", h.Column, b, n)
		}
	}
	few := h.Column == Result || h.Column == Reason
	if sum != len(games) || !few && len(h.Bars) > bars {
		t.Errorf("%v: %d bars of %d games, want at most %d of %d", h.Column, len(h.Bars), sum, bars, len(games))
	}
}

// TestBarsHaveRoundWidths: they cover the values with the least width of 1, 2 or 5 times a power
// of ten.
func TestBarsHaveRoundWidths(t *testing.T) {
	for _, c := range []struct{ low, high, bars, width int }{
		{0, 9, 10, 1}, {0, 9, 9, 2}, {0, 9, 5, 2}, {0, 9, 4, 5}, {5, 14, 1, 20}, {0, 65534, 20, 5000}, {7, 7, 1, 1},
		{99, 101, 1, 200}, {95, 105, 2, 10}, {95, 115, 2, 20}, {0, -1, 3, 1}, {3, 9, 0, 10},
	} {
		if got := barWidth(c.low, c.high, c.bars); got != c.width {
			t.Errorf("%d to %d in %d bars: width %d, want %d", c.low, c.high, c.bars, got, c.width)
		}
	}
}

// TestContinuationsCountTheNextMoves: after every opening of a game.
func TestContinuationsCountTheNextMoves(t *testing.T) {
	ix := set{games: 120}.open(t)
	games := everyGame(t, ix)
	for plies := range OpeningPlies {
		f := Filter{Opening: games[7].Opening[:plies]}
		want := map[uint16]*Continuation{}
		for _, g := range chosen(ix, games, f) {
			if len(g.Opening) == plies {
				continue
			}
			action := g.Opening[plies]
			if want[action] == nil {
				want[action] = &Continuation{Action: action}
			}
			want[action].Games++
			want[action].Results[g.Result]++
		}
		got, err := selected(t, ix, f).Continuations(t.Context(), 1<<20)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d plies: %d continuations, want %d; %v", plies, len(got), len(want), err)
		}
		for i, c := range got {
			if c != *want[c.Action] || i > 0 && c.Games > got[i-1].Games {
				t.Errorf("%d plies: %+v, want %+v", plies, c, *want[c.Action])
			}
		}
	}
	if list, err := selected(t, ix, Filter{Opening: games[7].Opening}).Continuations(t.Context(), 9); err != nil || list != nil {
		t.Errorf("after the last ply of the index: %v, %v", list, err)
	}
	if _, err := ix.Select(t.Context(), Filter{Opening: make([]uint16, OpeningPlies+1)}); err == nil {
		t.Error("an opening that is longer than the index has plies is accepted")
	}
}

// TestOpeningsAreReadAsMoves: texts of moves and actions are inverse.
func TestOpeningsAreReadAsMoves(t *testing.T) {
	ix := set{games: 8}.open(t)
	g, _ := ix.Game(3)
	moves, err := ix.OpeningTexts(g.Opening)
	if err != nil || len(moves) != len(g.Opening) {
		t.Fatal(moves, err)
	}
	if actions, err := ix.Opening(moves); err != nil || !slices.Equal(actions, g.Opening) {
		t.Errorf("%v: %v, want %v; %v", moves, actions, g.Opening, err)
	}
	if _, err := ix.Opening([]string{moves[0], "nonsense"}); err == nil {
		t.Error("nonsense is a move")
	}
}

// TestColumnsAreFoundByName: and nothing else is.
func TestColumnsAreFoundByName(t *testing.T) {
	for i, name := range Columns() {
		if c, err := ColumnNamed(name); err != nil || c != Column(i) || fmt.Sprint(c) != name {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
	if _, err := ColumnNamed("board"); err == nil {
		t.Error("board is a column")
	}
}

// TestCancelledQueriesReturnTheCause: a query whose reader has left ends.
func TestCancelledQueriesReturnTheCause(t *testing.T) {
	ix := set{games: 20}.open(t)
	sel := selected(t, ix, Filter{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, selErr := ix.Select(ctx, Filter{})
	_, pageErr := sel.Page(ctx, Order{}, 0, 5)
	_, barErr := sel.Histogram(ctx, Plies, 5)
	_, openErr := sel.Continuations(ctx, 5)
	_, findErr := ix.Find(ctx, Search{Target: &Target{}, Limit: 1})
	for _, err := range []error{selErr, pageErr, barErr, openErr, findErr} {
		if !reflect.DeepEqual(err, context.Canceled) {
			t.Errorf("%v, want %v", err, context.Canceled)
		}
	}
}
