package gameindex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// searchedSets are datasets in which a search reads hashes, or replays games.
var searchedSets = map[string]set{
	"hashes":            {games: 36, extra: []string{encode.HashColumn}},
	"hashes in Arrow":   {games: 36, extra: []string{encode.HashColumn}, format: plan.Arrow},
	"hashes of a part":  {games: 36, extra: []string{encode.HashColumn}, filter: []string{"where=ply>=4"}},
	"no hashes":         {games: 36},
	"no hashes, Arrow":  {games: 36, format: plan.Arrow},
	"CoTuLenh, no hash": {games: 20, game: encode.CoTuLenh()},
}

// occurrences returns the games with a position, or another property, by replaying all of them.
func occurrences(t *testing.T, ix *Index, is func(pos engine.Position) bool) (list []string) {
	t.Helper()
	g := &ix.Shape().Game
	pos := g.New("")
	for _, r := range inFileOrder(ix, records(t, ix), func(r *engine.Record) uint64 { return r.Game }) {
		first := -1
		err := g.Replay(pos, r, func(ply int, _ engine.Move) {
			if first < 0 && is(pos) {
				first = ply
			}
		})
		must.Do(t, err)
		if first >= 0 {
			list = append(list, fmt.Sprintf("game %d ply %d", r.Game, first))
		}
	}
	return list
}

// inFileOrder sorts games as searches find them: by shard, then training before validation.
func inFileOrder[G any](ix *Index, games []G, number func(G) uint64) []G {
	p := ix.ds.Plan()
	place := func(g G) uint64 { return 2*(number(g)/uint64(p.ShardGames)) + p.Splits().Count(number(g), 1) }
	slices.SortStableFunc(games, func(a, b G) int { return cmp.Compare(place(a), place(b)) })
	return games
}

// found returns all hits of a search, and the number of calls that it took: many, if the deadline of
// each is over before it begins.
func found(t *testing.T, ix *Index, q Search, late bool) (list []string, calls int) {
	t.Helper()
	ctx := t.Context()
	if late {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, time.Unix(0, 0))
		defer cancel()
	}
	for calls = 1; ; calls++ {
		f := must.Get(ix.Find(ctx, q))(t)
		if len(f.Hits) > q.Limit || f.Failed != nil || f.Searched > f.Shards || (f.Next == "") != (f.Searched == f.Shards) ||
			f.Next == q.Cursor && f.Next != "" {
			t.Fatalf("%d hits with the limit %d, %d of %d shards, failed %v, continues at %q after %q",
				len(f.Hits), q.Limit, f.Searched, f.Shards, f.Failed, f.Next, q.Cursor)
		}
		for _, h := range f.Hits {
			if g, _ := ix.Game(h.Game.Game); !equal(g, h.Game) {
				t.Errorf("hit %+v, want %+v", h.Game, g)
			}
			list = append(list, fmt.Sprintf("game %d ply %d", h.Game.Game, h.Ply))
		}
		if q.Cursor = f.Next; q.Cursor == "" {
			return list, calls
		}
	}
}

// TestFindEqualsAReplay: whatever it reads, wherever it is interrupted, a search finds each game
// with the position once, at its first ply.
func TestFindEqualsAReplay(t *testing.T) {
	for name, s := range searchedSets {
		ix := s.open(t)
		for _, plies := range []int{0, 2, 7} {
			t.Log(name)
			compareSearches(t, ix, positionAfter(t, ix, 9, plies), 2)
		}
	}
}

// TestFindContinuesInsideAShard: files have several groups, games lie across their borders, and a
// search stops at any of them.
func TestFindContinuesInsideAShard(t *testing.T) {
	for _, s := range []set{{games: 6000, shard: 5000}, {games: 3000, shard: 2500, extra: []string{encode.HashColumn}}} {
		ix := s.open(t)
		for _, plies := range []int{0, 3} {
			compareSearches(t, ix, positionAfter(t, ix, int(s.games)-1, plies), 3)
		}
	}
}

// compareSearches compares searches for a position with a replay of all games: at once, some games at
// a time, and for as short a time as possible, which takes at least some parts.
func compareSearches(t *testing.T, ix *Index, pos engine.Position, parts int) {
	t.Helper()
	want := occurrences(t, ix, func(p engine.Position) bool { return p.Hash() == pos.Hash() })
	target := positionTarget(t, ix, pos)
	for _, limit := range []int{1 + len(want)/13, 1 << 20} {
		if got, calls := found(t, ix, Search{Target: target, Limit: limit}, false); !slices.Equal(got, want) {
			t.Errorf("%s, %d at a time: %v in %d parts, want %v", pos, limit, got, calls, want)
		}
	}
	if got, calls := found(t, ix, Search{Target: target, Limit: 1 << 20}, true); !slices.Equal(got, want) || calls < parts {
		t.Errorf("%s: %v in %d parts, want %v", pos, got, calls, want)
	}
}

// positionTarget returns the target of a position, by its text. The text of its hash must give the same.
func positionTarget(t *testing.T, ix *Index, pos engine.Position) *Target {
	t.Helper()
	byText := must.Get(ix.Position(pos.String()))(t)
	byHash, err := ix.Position(fmt.Sprintf("hash:%016x", pos.Hash()))
	if err != nil || byText.hash != pos.Hash() || byHash.hash != pos.Hash() {
		t.Fatalf("%s: targets %v and %v, want the hash %x; %v", pos, byText, byHash, pos.Hash(), err)
	}
	return byText
}

// positionAfter returns the position of a game after some plies.
func positionAfter(t *testing.T, ix *Index, game, plies int) engine.Position {
	t.Helper()
	g := &ix.Shape().Game
	pos := g.New("")
	rec := *records(t, ix)[game]
	rec.Actions = rec.Actions[:min(plies, len(rec.Actions))]
	must.Do(t, replay(g, pos, &rec, func(int, engine.Move) bool { return true }))
	return pos
}

// TestFindWithinASelection: only games of the selection are found.
func TestFindWithinASelection(t *testing.T) {
	for name, s := range searchedSets {
		ix := s.open(t)
		target := positionTarget(t, ix, ix.Shape().Game.New(""))
		for _, f := range []Filter{{Games: &Range{3, 12}}, {Shards: &Range{1, 1}}, {Results: []engine.Result{engine.FirstWins}}, {Player: "fish"}} {
			var want []string
			games := inFileOrder(ix, chosen(ix, everyGame(t, ix), f), func(g Game) uint64 { return g.Game })
			for _, g := range games {
				want = append(want, fmt.Sprintf("game %d ply 0", g.Game))
			}
			got, _ := found(t, ix, Search{Target: target, Within: selected(t, ix, f), Limit: 2}, false)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %+v: %v, want %v", name, f, got, want)
			}
		}
	}
}

// TestMaterialCountsPiecesOfBothSides: it equals a count of the letters in the text of a position.
func TestMaterialCountsPiecesOfBothSides(t *testing.T) {
	ix := set{games: 16, game: encode.Chess()}.open(t)
	for _, plies := range []int{0, 30, 59} {
		want := fenMaterial(positionAfter(t, ix, 4, plies).String())
		hits := occurrences(t, ix, func(p engine.Position) bool { return fenMaterial(p.String()) == want })
		target := must.Get(ix.Material(want))(t)
		got, _ := found(t, ix, Search{Target: target, Limit: 3}, false)
		if !slices.Equal(got, hits) || len(hits) == 0 {
			t.Errorf("%s: %v, want %v", want, got, hits)
		}
	}
}

// fenMaterial returns the pieces of a FEN, white's first.
func fenMaterial(fen string) string {
	board, _, _ := strings.Cut(fen, " ")
	letters := func(of string) string {
		var list []byte
		for _, kind := range []byte(of) {
			list = append(list, strings.Repeat(string(kind), strings.Count(board, string(kind)))...)
		}
		return strings.ToUpper(string(list))
	}
	return letters("KQRBNP") + "v" + letters("kqrbnp")
}

// TestMaterialCountsStacks: the members of a stack, but neither tiles nor pieces off the board.
func TestMaterialCountsStacks(t *testing.T) {
	five := strings.Repeat("X", 5)
	for _, c := range []struct {
		game encode.Game
		text string
	}{
		{encode.Contrast(), five + "v" + five}, {encode.CoTuLenh(), "CIIEEMNNGGTTAASFFHHvCIIEEMNNGGTTAASFFHH"},
	} {
		pos, ix := c.game.New(""), set{games: 1, game: c.game}.open(t)
		target := must.Get(ix.Material(c.text))(t)
		if !encode.NewMaterialCounter(&c.game).Of(pos).Equal(target.material) {
			t.Errorf("%s does not begin with %s", c.game.Name, c.text)
		}
	}
}

// TestBadTargetsAreRefused: the error says what is wrong with a text.
func TestBadTargetsAreRefused(t *testing.T) {
	ix := set{games: 1}.open(t)
	enginetest.Conversation(t, "testdata/targets.txt", "Users get other errors", func(text string) string {
		kind, text, _ := strings.Cut(text, " ")
		var err error
		switch kind {
		case "material":
			_, err = ix.Material(text)
		case "position":
			_, err = ix.Position(text)
		case "cursor":
			_, err = ix.Find(t.Context(), Search{Target: &Target{}, Cursor: text, Limit: 1})
		}
		return fmt.Sprint(err)
	})
	var invalid *engine.TextError
	if _, err := ix.Position("nonsense"); !errors.As(err, &invalid) {
		t.Errorf("%v, want a text error", err)
	}
	if f, err := ix.Find(t.Context(), Search{Target: &Target{}, Cursor: "99999.7.7", Limit: 1}); err != nil || f.Next != "" || len(f.Hits) > 0 {
		t.Errorf("a cursor behind the last shard: %+v, %v", f, err)
	}
}

// TestDamagedShardsAreListed: a search goes on and says which shard it could not read.
func TestDamagedShardsAreListed(t *testing.T) {
	for name, s := range searchedSets {
		root := s.made(t)
		ix := updated(t, root, "")
		c := ix.state.Load().find(1).commit
		for _, f := range c.Files {
			flipByte(t, filepath.Join(root, f.Name))
		}
		target := positionTarget(t, ix, ix.Shape().Game.New(""))
		f, err := ix.Find(t.Context(), Search{Target: target, Limit: 1000})
		if err != nil || len(f.Hits) != int(s.games)-8 || len(f.Failed) != 1 || f.Next != "" ||
			f.Failed[0].Shard != 1 || !errors.Is(f.Failed[0], datasets.ErrCorrupt) {
			t.Errorf("%s: %d hits, failed %v, %v", name, len(f.Hits), f.Failed, err)
		}
	}
}

// flipByte changes a byte in the middle of a file.
func flipByte(t *testing.T, name string) {
	t.Helper()
	data := must.Get(os.ReadFile(name))(t)
	data[len(data)/2] ^= 1
	must.Do(t, os.WriteFile(name, data, 0o644))
}
