package cotulenh_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// mirror turns a text upside down: the ranks in reverse, the sides swapped.
func mirror(text string) string {
	fields := strings.Fields(text)
	rows := strings.Split(fields[0], "/")
	slices.Reverse(rows)
	fields[0] = strings.Map(swapCase, strings.Join(rows, "/"))
	fields[1] = map[string]string{"r": "b", "b": "r"}[fields[1]]
	if len(fields) > 6 {
		parts := strings.Split(fields[6], ":")
		parts[0], parts[2] = mirrorSquares(parts[0]), mirrorSquares(parts[2])
		fields[6] = strings.Join(parts, ":")
	}
	return strings.Join(fields, " ")
}

func swapCase(r rune) rune {
	if unicode.IsUpper(r) {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}

// mirrorSquares turns a list of squares, or "-".
func mirrorSquares(list string) string {
	names := strings.Split(list, ",")
	for i, name := range names {
		if rank, err := strconv.Atoi(name[1:]); err == nil {
			names[i] = fmt.Sprintf("%c%d", name[0], 13-rank)
		}
	}
	return strings.Join(names, ",")
}

// checkScore: the score is bounded, the same upside down, and the same when the
// position is read from its text.
func checkScore(m *enginetest.Misses, p, q *cotulenh.Position) {
	m.T.Helper()
	text, score := p.String(), p.Evaluate()
	if score < -engine.MaxStatic || score > engine.MaxStatic {
		m.Addf("%s: score %d", text, score)
	}
	for _, same := range []string{text, mirror(text)} {
		if err := q.Set(same); err != nil {
			m.Addf("%s: %v", same, err)
		} else if got := q.Evaluate(); got != score {
			m.Addf("%s: score %d, of %s it is %d", text, score, same, got)
		}
	}
	if o := p.Outcome(); p.Over() && o == engine.Ongoing {
		m.Addf("%s: over, and the outcome is %v", text, o)
	} else if o != engine.Ongoing && !p.Over() && len(p.Moves(nil)) > 0 {
		m.Addf("%s: not over, and the outcome is %v", text, o)
	}
}

// TestEvaluateLaws: what checkScore says holds in every state and all along
// random games.
func TestEvaluateLaws(t *testing.T) {
	shares(t, states(t), func(m *enginetest.Misses, share []state) {
		p, q := cotulenh.New(), cotulenh.New()
		for _, s := range share {
			if err := p.Set(s.Position); err != nil {
				m.Addf("%s: %v", s.Position, err)
				continue
			}
			checkScore(m, p, q)
		}
	})
	m, p, q, src, seen := &enginetest.Misses{T: t}, cotulenh.New(), cotulenh.New(), rand.NewPCG(2, 0), 0
	for range 40 {
		enginetest.PlayOut(p, src, enginetest.Uniform, cotulenh.Game().MaxPlies, func() {
			checkScore(m, p, q)
			seen++
		})
	}
	m.Report(seen)
	enginetest.AtLeast(t, seen, 5000)
}

// TestEvaluateIsBounded: not even a board full of heroic ships goes beyond the
// bound.
func TestEvaluateIsBounded(t *testing.T) {
	row := strings.Repeat("(+N+F+T)", 3) + strings.Repeat("(+F+T+I)", 8) + "/"
	p := at(t, strings.Repeat(row, 11)+"6c4 r - - 0 1")
	if got := p.Evaluate(); got != engine.MaxStatic {
		t.Errorf("%d, want %d", got, engine.MaxStatic)
	}
}

// TestEvaluateTerms: of two positions the first is better for red, who moves.
func TestEvaluateTerms(t *testing.T) {
	const pair = "6c4/11/11/%s/11/11/11/11/%s/11/11/6C4 r - - 0 1"
	with := func(blue, red string) string { return fmt.Sprintf(pair, blue, red) }
	for _, c := range []struct{ name, better, worse string }{
		{"more material", with("5i5", "3TT6"), with("5i5", "3TI6")},
		{"a heroic tank", with("5t5", "5+T5"), with("5t5", "5T5")},
		{"a heroic air force", with("5t5", "5+F5"), with("5t5", "5F5")},
		{"cargo counts", with("5t5", "5(TI)5"), with("5t5", "5T5")},
		{"an air force for a missile", with("5s5", "5F5"), with("5f5", "5S5")},
		{"an infantry forward",
			"6c4/11/11/5t5/11/11/11/3I7/11/11/11/6C4 r - - 0 1", "6c4/11/11/5t5/11/11/11/11/11/3I7/11/6C4 r - - 0 1"},
		{"no enemies at the commander",
			"6c4/11/11/5tt4/11/11/11/11/3TT6/11/11/6C4 r - - 0 1", "6c4/11/11/11/11/11/11/11/3TT6/5t1t3/11/6C4 r - - 0 1"},
		{"nobody aims at the commander",
			"6c4/11/11/11/11/11/11/11/5a5/6I4/6I4/6C4 r - - 0 1", "6c4/11/11/11/11/11/11/11/6a4/6I4/6I4/6C4 r - - 0 1"},
		{"air defense over the commander",
			"6c4/11/11/5f5/11/11/11/11/11/11/11/5GC4 r - - 0 1", "6c4/11/11/5f5/11/11/11/11/11/11/11/4G1C4 r - - 0 1"},
		{"not in check",
			"6c4/11/11/11/11/11/11/11/5t5/11/11/6C4 r - - 0 1", "6c4/11/11/11/11/11/11/11/11/6t4/11/6C4 r - - 0 1"},
	} {
		if better, worse := at(t, c.better).Evaluate(), at(t, c.worse).Evaluate(); better <= worse {
			t.Errorf("%s: %d, without it %d", c.name, better, worse)
		}
	}
}

// TestGain: captures gain what they take, the cheaper capturer a little more; a
// suicide costs its piece; a quiet step gains nothing.
func TestGain(t *testing.T) {
	p := at(t, "10c/11/11/11/11/4i6/3I+t6/4T2g3/4F2F3/11/11/6C4 r - - 0 1")
	gain := func(step string) int {
		t.Helper()
		m, err := p.ParseMove(step)
		if err != nil {
			t.Fatalf("%v of %v", err, steps(p))
		}
		return p.Gain(m)
	}
	if a, b := gain("Id6xe6"), gain("Te5xe6"); a <= b || b <= 200 || a > 400 {
		t.Errorf("an infantry takes a heroic tank for %d, a tank for %d", a, b)
	}
	if got := gain("Fh4@h5"); got >= -200 {
		t.Errorf("a suicide on an anti-air gains %d", got)
	}
	if got := gain("Te5d5"); got != 0 {
		t.Errorf("a quiet step gains %d", got)
	}
	p = at(t, "6c4/11/6T4/11/11/11/11/11/11/11/11/5C5 r - - 0 1")
	if got := gain("Tg10xg12"); got < 9000 || got > 32767 {
		t.Errorf("the commander is worth %d", got)
	}
}

// TestGainIsAnExchange: a capture is worth less where the enemy takes in turn, but
// not if that would cost him as much.
func TestGainIsAnExchange(t *testing.T) {
	const board = "10c/11/11/%s/11/11/11/11/11/6C4 r - - 0 1"
	for _, c := range []struct {
		name, ranks, step string
		least, most       int
	}{
		{"a cheaper piece takes", "5t5/5t5/5I5", "If7xf8", 100, 250},
		{"nobody takes back", "11/5i5/5T5", "Tf7xf8", 80, 150},
		{"an infantry takes back", "5i5/5i5/5T5", "Tf7xf8", -100, -10},
		{"and is taken for it", "5i5/4Ii5/5T5", "Tf7xf8", 10, 80},
	} {
		p := at(t, fmt.Sprintf(board, c.ranks))
		m, err := p.ParseMove(c.step)
		if err != nil {
			t.Fatalf("%s: %v of %v", c.name, err, steps(p))
		}
		if got := p.Gain(m); got < c.least || got > c.most {
			t.Errorf("%s: gains %d", c.name, got)
		}
	}
}

// TestEvaluateDoesNotAllocate: nor do Captures, Gain and Over.
func TestEvaluateDoesNotAllocate(t *testing.T) {
	p, list := at(t, states(t)[100].Position), make([]engine.Move, 0, 512)
	look := func() {
		p.Evaluate()
		p.Over()
		list = p.Captures(list[:0])
		for _, m := range list {
			p.Gain(m)
		}
	}
	look()
	if n := testing.AllocsPerRun(100, look); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var update = flag.Bool("update", false, "write testdata/scores.txt anew")

// TestScores pins scores.
func TestScores(t *testing.T) {
	texts := []string{cotulenh.StartText}
	for i, s := range states(t) {
		if i%180 == 17 {
			texts = append(texts, s.Position)
		}
	}
	enginetest.FrozenScores(t, cotulenh.Game(), *update, texts)
}

// BenchmarkEvaluate scores every position of random games.
func BenchmarkEvaluate(b *testing.B) {
	sum := 0
	benchAsked(b, func(p *cotulenh.Position) { sum += p.Evaluate() })
}
