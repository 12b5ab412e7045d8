package chess_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

// TestMirror: flipping ranks and colours mirrors moves, check, outcome and cells.
func TestMirror(t *testing.T) {
	m := &enginetest.Differences{T: t}
	seen := 0
	p, q, src := chess.New(), chess.New(), rand.NewPCG(4, 2)
	texts := perftTexts(t)
	for game := range 200 {
		if err := p.Set(texts[game%len(texts)]); err != nil {
			t.Fatal(err)
		}
		for ply := 0; ply < 100; ply++ {
			if err := q.Set(mirrorText(p.String())); err != nil {
				t.Fatal(err)
			}
			seen++
			checkMirror(m, p, q)
			if _, ok := p.DoRandom(src); !ok {
				break
			}
		}
	}
	m.Report(seen)
	if seen < 5000 {
		t.Errorf("%d positions compared, want at least 5000", seen)
	}
}

func checkMirror(m *enginetest.Differences, p, q *chess.Position) {
	m.T.Helper()
	var want []string
	for _, text := range moveTexts(p) {
		want = append(want, mirrorRanks(text))
	}
	slices.Sort(want)
	if got := moveTexts(q); !slices.Equal(got, want) {
		m.Addf("%s: mirrored moves %v, want %v", p, got, want)
	}
	if p.Check() != q.Check() || p.Turn() == q.Turn() || p.Count() != q.Count() {
		m.Addf("%s: check, side to move or count of the mirrored position differ", p)
	}
	o := p.Outcome()
	if o.Result == engine.FirstWins || o.Result == engine.SecondWins {
		o.Result ^= engine.FirstWins ^ engine.SecondWins
	}
	if o.Reason != engine.Repetition && q.Outcome() != o { // the mirrored position has no history
		m.Addf("%s: mirrored outcome %v, want %v", p, q.Outcome(), o)
	}
	cells, mirrored := p.AppendCells(nil), q.AppendCells(nil)
	for cell, code := range cells {
		if code != 0 {
			code = (code+5)%12 + 1
		}
		if got := mirrored[cell^56]; got != code {
			m.Addf("%s: mirrored cell %d has code %d, want %d", p, cell^56, got, code)
			return
		}
	}
}

// mirrorRanks flips the rank digits in a text.
func mirrorRanks(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= '1' && c <= '8' {
			return '1' + '8' - c
		}
		return c
	}, text)
}

// mirrorText flips ranks and colours of a FEN text.
func mirrorText(text string) string {
	f := strings.Fields(text)
	rows := strings.Split(f[0], "/")
	slices.Reverse(rows)
	f[0] = swapCase(strings.Join(rows, "/"))
	f[1] = map[string]string{"w": "b", "b": "w"}[f[1]]
	rights := ""
	for _, letter := range "KQkq" {
		if strings.Contains(swapCase(f[2]), string(letter)) {
			rights += string(letter)
		}
	}
	if rights != "" {
		f[2] = rights
	}
	f[3] = mirrorRanks(f[3])
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
