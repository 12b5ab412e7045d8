package cotulenh_test

import (
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

// flip returns the text with the ranks in reverse order and the sides swapped.
func flip(text string) string {
	fields := strings.Fields(text)
	rows := strings.Split(fields[0], "/")
	slices.Reverse(rows)
	fields[0] = strings.Map(swapCase, strings.Join(rows, "/"))
	fields[1] = map[string]string{"r": "b", "b": "r"}[fields[1]]
	if len(fields) > 6 {
		parts := strings.Split(fields[6], ":")
		parts[0], parts[2] = flipSquares(parts[0]), flipSquares(parts[2])
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

// flipSquares reverses the ranks of a list of squares; it returns "-" unchanged.
func flipSquares(list string) string {
	names := strings.Split(list, ",")
	for i, name := range names {
		if rank, err := strconv.Atoi(name[1:]); err == nil {
			names[i] = fmt.Sprintf("%c%d", name[0], 13-rank)
		}
	}
	return strings.Join(names, ",")
}

// checkScore checks that the score is in its bounds, that the flipped position and the
// position read from the text have the same score, and that Over agrees with Outcome.
func checkScore(d *enginetest.Differences, p, q *cotulenh.Position) {
	d.T.Helper()
	text, score := p.String(), p.Evaluate()
	if score < -engine.MaxStatic || score > engine.MaxStatic {
		d.Addf("%s: score %d", text, score)
	}
	for _, same := range []string{text, flip(text)} {
		if err := q.Set(same); err != nil {
			d.Addf("%s: %v", same, err)
		} else if got := q.Evaluate(); got != score {
			d.Addf("%s: score %d, but %s has %d", text, score, same, got)
		}
	}
	if o := p.Outcome(); p.Over() && o == engine.Ongoing {
		d.Addf("%s: Over is true, but the outcome is %v", text, o)
	} else if o != engine.Ongoing && !p.Over() && len(p.Moves(nil)) > 0 {
		d.Addf("%s: Over is false, but the outcome is %v", text, o)
	}
}

// checkScore holds in every conformance state and in random games.
func TestScoreIsBoundedAndSymmetric(t *testing.T) {
	inParallel(t, states(t), func(d *enginetest.Differences, part []state) {
		p, q := cotulenh.New(), cotulenh.New()
		for _, s := range part {
			if err := p.Set(s.Position); err != nil {
				d.Addf("%s: %v", s.Position, err)
				continue
			}
			checkScore(d, p, q)
		}
	})
	d, p, q, src, seen := &enginetest.Differences{T: t}, cotulenh.New(), cotulenh.New(), rand.NewPCG(2, 0), 0
	for range 40 {
		enginetest.PlayOut(p, src, enginetest.Uniform, cotulenh.Game().MaxPlies, func() {
			checkScore(d, p, q)
			seen++
		})
	}
	d.Report(seen)
	enginetest.AtLeast(t, seen, 5000)
}

// A board full of heroic navies and air forces has the largest score.
func TestScoreOfAFullBoardIsTheBound(t *testing.T) {
	row := strings.Repeat("(+N+F+T)", 3) + strings.Repeat("(+F+T+I)", 8) + "/"
	p := at(t, strings.Repeat(row, 11)+"6c4 r - - 0 1")
	if got := p.Evaluate(); got != engine.MaxStatic {
		t.Errorf("%d, want %d", got, engine.MaxStatic)
	}
}

// Red is to move, and each first position is better for red than the second.
func TestEachTermRaisesTheScore(t *testing.T) {
	const pair = "6c4/11/11/%s/11/11/11/11/%s/11/11/6C4 r - - 0 1"
	with := func(blue, red string) string { return fmt.Sprintf(pair, blue, red) }
	for _, c := range []struct{ name, better, worse string }{
		{"a tank is worth more than an infantry", with("5i5", "3TT6"), with("5i5", "3TI6")},
		{"a heroic tank is worth more", with("5t5", "5+T5"), with("5t5", "5T5")},
		{"a heroic air force is worth more", with("5t5", "5+F5"), with("5t5", "5F5")},
		{"cargo adds its worth", with("5t5", "5(TI)5"), with("5t5", "5T5")},
		{"an air force is worth more than a missile", with("5s5", "5F5"), with("5f5", "5S5")},
		{"with few pieces left, an air force is worth more than a navy", with("5t5", "5F5"), with("5t5", "2N8")},
		{"an advanced infantry is worth more",
			"6c4/11/11/5t5/11/11/11/3I7/11/11/11/6C4 r - - 0 1", "6c4/11/11/5t5/11/11/11/11/11/3I7/11/6C4 r - - 0 1"},
		{"enemies near the commander cost",
			"6c4/11/11/5tt4/11/11/11/11/3TT6/11/11/6C4 r - - 0 1", "6c4/11/11/11/11/11/11/11/3TT6/5t1t3/11/6C4 r - - 0 1"},
		{"stacks closer to the enemy commander are worth more",
			"6c4/11/11/11/5A5/11/11/11/11/11/11/6C4 r - - 0 1", "2c8/11/11/11/7A3/11/11/11/11/11/11/6C4 r - - 0 1"},
		{"a blocked attacker in range of the commander costs",
			"6c4/11/11/11/11/11/11/11/5a5/6I4/6I4/6C4 r - - 0 1", "6c4/11/11/11/11/11/11/11/6a4/6I4/6I4/6C4 r - - 0 1"},
		{"missing air defense of the commander costs",
			"6c4/11/11/5f5/11/11/11/11/11/11/11/5GC4 r - - 0 1", "6c4/11/11/5f5/11/11/11/11/11/11/11/4G1C4 r - - 0 1"},
		{"check costs",
			"6c4/11/11/11/11/11/11/11/5t5/11/11/6C4 r - - 0 1", "6c4/11/11/11/11/11/11/11/11/6t4/11/6C4 r - - 0 1"},
	} {
		if better, worse := at(t, c.better).Evaluate(), at(t, c.worse).Evaluate(); better <= worse {
			t.Errorf("%s: score %d, want more than %d", c.name, better, worse)
		}
	}
}

// A capture gains its victim, a little more if the capturer is cheap; a suicide costs its
// piece; a quiet step gains nothing.
func TestGainOfSingleSteps(t *testing.T) {
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
		t.Errorf("capture of a heroic tank: gain %d by an infantry, %d by a tank; want the first larger, the second 201 to 400", a, b)
	}
	if got := gain("Fh4@h5"); got >= -200 {
		t.Errorf("suicide on an anti-air: gain %d, want below -200", got)
	}
	if got := gain("Te5d5"); got != 0 {
		t.Errorf("quiet step: gain %d, want 0", got)
	}
	p = at(t, "6c4/11/6T4/11/11/11/11/11/11/11/11/5C5 r - - 0 1")
	if got := gain("Tg10xg12"); got < 9000 || got > 32767 {
		t.Errorf("capture of the commander: gain %d, want 9000 to 32767", got)
	}
}

// A capture gains less if the enemy can recapture, but more again if the recapturer would
// be lost.
func TestGainCountsTheRecapture(t *testing.T) {
	const board = "10c/11/11/%s/11/11/11/11/11/6C4 r - - 0 1"
	for _, c := range []struct {
		name, ranks, step string
		least, most       int
	}{
		{"a cheaper piece captures", "5t5/5t5/5I5", "If7xf8", 100, 250},
		{"no recapture", "11/5i5/5T5", "Tf7xf8", 80, 150},
		{"an infantry recaptures", "5i5/5i5/5T5", "Tf7xf8", -100, -10},
		{"the recapturer would be lost", "5i5/4Ii5/5T5", "Tf7xf8", 10, 80},
	} {
		p := at(t, fmt.Sprintf(board, c.ranks))
		m, err := p.ParseMove(c.step)
		if err != nil {
			t.Fatalf("%s: %v of %v", c.name, err, steps(p))
		}
		if got := p.Gain(m); got < c.least || got > c.most {
			t.Errorf("%s: gain %d, want %d to %d", c.name, got, c.least, c.most)
		}
	}
}

func TestSearchQueriesDoNotAllocate(t *testing.T) {
	p, list := at(t, states(t)[100].Position), make([]engine.Move, 0, 512)
	queries := func() {
		p.Evaluate()
		p.Over()
		list = p.Captures(list[:0])
		for _, m := range list {
			p.Gain(m)
		}
	}
	queries()
	if n := testing.AllocsPerRun(100, queries); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestScoresAreFrozen(t *testing.T) {
	texts := []string{cotulenh.StartText}
	for i, s := range states(t) {
		if i%180 == 17 {
			texts = append(texts, s.Position)
		}
	}
	enginetest.GoldenScores(t, cotulenh.Game(), texts)
}

// BenchmarkEvaluate scores every position of random games.
func BenchmarkEvaluate(b *testing.B) {
	sum := 0
	benchPositions(b, func(p *cotulenh.Position) { sum += p.Evaluate() })
}
