package chess_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// TestFlip: reversing the ranks and swapping the colours flips moves, check, outcome and
// cells.
func TestFlip(t *testing.T) {
	d := &enginetest.Differences{T: t}
	seen := 0
	p, q, src := chess.New960(), chess.New960(), rand.NewPCG(4, 2)
	texts := append(perftTexts(t), later960(t)...)
	for game := range 500 {
		must.Do(t, p.Set(texts[game%len(texts)]))
		for ply := 0; ply < 100; ply++ {
			must.Do(t, q.Set(flipText(p.String())))
			seen++
			checkFlip(d, p, q)
			if _, ok := p.DoRandom(src); !ok {
				break
			}
		}
	}
	d.Report(seen)
	if seen < 5000 {
		t.Errorf("%d positions compared, want at least 5000", seen)
	}
}

func checkFlip(d *enginetest.Differences, p, q *chess.Position) {
	d.T.Helper()
	var want []string
	for _, text := range enginetest.MovesOf(p, "") {
		want = append(want, flipRanks(text))
	}
	slices.Sort(want)
	if got := enginetest.MovesOf(q, ""); !slices.Equal(got, want) {
		d.Addf("%s: flipped moves %v, want %v", p, got, want)
	}
	if p.Check() != q.Check() || p.Turn() == q.Turn() || p.Count() != q.Count() {
		d.Addf("%s: check, side to move or count of the flipped position differ", p)
	}
	o := p.Outcome()
	if o.Result == engine.FirstWins || o.Result == engine.SecondWins {
		o.Result ^= engine.FirstWins ^ engine.SecondWins
	}
	if o.Reason != engine.Repetition && q.Outcome() != o { // the flipped position has no history
		d.Addf("%s: flipped outcome %v, want %v", p, q.Outcome(), o)
	}
	cells, flipped := p.AppendCells(nil), q.AppendCells(nil)
	for cell, code := range cells {
		if code != 0 {
			code = (code+5)%12 + 1
		}
		if got := flipped[cell^56]; got != code {
			d.Addf("%s: flipped cell %d has code %d, want %d", p, cell^56, got, code)
			return
		}
	}
}

// flipRanks replaces every rank digit r of a text with 9-r.
func flipRanks(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= '1' && c <= '8' {
			return '1' + '8' - c
		}
		return c
	}, text)
}

// flipText reverses the ranks of a FEN text and swaps the colours.
func flipText(text string) string {
	f := strings.Fields(text)
	rows := strings.Split(f[0], "/")
	slices.Reverse(rows)
	f[0] = swapCase(strings.Join(rows, "/"))
	f[1] = map[string]string{"w": "b", "b": "w"}[f[1]]
	black := strings.TrimLeft(f[2], "KQABCDEFGH")
	f[2] = swapCase(black + strings.TrimSuffix(f[2], black))
	f[3] = flipRanks(f[3])
	return strings.Join(f, " ")
}

func swapCase(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c ^ 0x20
		}
		return c
	}, text)
}
