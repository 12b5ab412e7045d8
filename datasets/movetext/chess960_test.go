package movetext

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/internal/must"
)

// game960 returns a random game of Chess960 that is cut off.
func game960(t *testing.T, start string, seed uint64) *engine.Record {
	t.Helper()
	g := encode.Chess()
	r, p, src := &engine.Record{Start: start, Players: [2]string{"a", "b"}}, g.New(chess.Chess960), rand.NewPCG(9, seed)
	must.Do(t, engine.Begin(p, start))
	for range 80 {
		m, ok := p.DoRandom(src)
		if !ok {
			break
		}
		r.Actions = append(r.Actions, g.Actions.Number(m))
		r.MoveRanks = append(r.MoveRanks, engine.RankRandom)
	}
	r.Outcome = p.Outcome()
	if r.Outcome == engine.Ongoing {
		r.Outcome = engine.Outcome{Reason: engine.PlyLimit}
	}
	return r
}

// read960 returns the games of a text in a form.
func read960(t *testing.T, form, variant string, text []byte) (list []*engine.Record, err error) {
	t.Helper()
	f := readForm(t, form)
	p, err := f.NewParser(encode.Chess(), variant)
	if err != nil {
		return nil, err
	}
	for game, err := range f.Split(bytes.NewReader(text)) {
		must.Do(t, err)
		r := new(engine.Record)
		if err := p.Parse(game, r); err != nil {
			return list, err
		}
		list = append(list, r)
	}
	return list, nil
}

// TestChess960IsReadBack: starts and moves, from the start of the game, from other starts and from positions
// with rights of inner rooks.
func TestChess960IsReadBack(t *testing.T) {
	var games []*engine.Record
	for seed, start := range []string{
		"", chess.Start960(0, 0), chess.Start960(1, 959), chess.Start960(700, 700), chess.Start960(33, 34),
		"1r1k1r2/8/8/8/8/8/8/1R1K1R2 w KQkq - 0 1", "rr2k1rr/pppppppp/8/8/8/8/PPPPPPPP/RR2K1RR b GBkb - 0 1",
	} {
		games = append(games, game960(t, start, uint64(seed)))
	}
	for _, form := range Forms() {
		if form.Check(encode.Chess(), chess.Chess960) != nil {
			t.Fatalf("%s does not hold Chess960", form.Name)
		}
		var text bytes.Buffer
		w := must.Get(form.New(&text, Source{Game: encode.Chess(), Variant: chess.Chess960, Event: "e"}))(t)
		for _, r := range games {
			must.Do(t, w.Write(r))
		}
		got := must.Get(read960(t, form.Name, chess.Chess960, text.Bytes()))(t)
		for i, r := range games {
			if len(got) != len(games) || got[i].Start != r.Start || !slices.Equal(got[i].Actions, r.Actions) {
				t.Fatalf("%s: game %d of %d is read otherwise", form.Name, i, len(got))
			}
		}
	}
}

// TestVariantsOfPGN: names of the variant, and what is refused.
func TestVariantsOfPGN(t *testing.T) {
	for _, c := range []struct{ tags, variant, want string }{
		{`[Variant "Chess960"]`, chess.Chess960, ""},
		{`[Variant "fischerandom"]`, chess.Chess960, ""},
		{`[Variant "Standard"]`, chess.Chess960, ""},
		{`[Variant "Atomic"]`, chess.Chess960, `the game is of the variant "Atomic"`},
		{`[Variant "Chess960"]`, "", `import it with --variant chess960`},
	} {
		text := c.tags + "\n[FEN \"rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1\"]\n\n1. O-O O-O *\n"
		if strings.Contains(c.tags, "Standard") {
			text = c.tags + "\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *\n"
		}
		list, err := read960(t, "pgn", c.variant, []byte(text))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || err == nil && len(list) != 1 {
			t.Errorf("%+v: %d games, %v", c, len(list), err)
		}
	}
}

// TestPositionsOfStandardChessAreRefused: binpack and plain have no rooks off the corners.
func TestPositionsOfStandardChessAreRefused(t *testing.T) {
	for _, form := range []string{"binpack", "plain"} {
		if _, err := read960(t, form, chess.Chess960, nil); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", form, err)
		}
	}
}
