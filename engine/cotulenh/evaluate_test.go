package cotulenh_test

import (
	"fmt"
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

// checkFlip checks that the flipped position has the same score, within its bounds, and that Over
// agrees with Outcome.
func checkFlip(d *enginetest.Differences, p *cotulenh.Position) {
	d.T.Helper()
	flipped := cotulenh.New()
	if err := flipped.Set(flip(p.String())); err != nil {
		d.Addf("%s: %v", p, err)
	} else if got, want := flipped.Evaluate(), p.Evaluate(); got != want || max(got, -got) > engine.MaxStatic {
		d.Addf("%s: score %d, flipped %d", p, want, got)
	}
	if ended := p.Outcome() != engine.Ongoing; p.Over() && !ended || ended && !p.Over() && p.Count() > 0 {
		d.Addf("%s: Over is %t, but the outcome is %v", p, p.Over(), p.Outcome())
	}
}

func TestScoreIsSymmetric(t *testing.T) { visitStatesAndGames(t, checkFlip) }

// visitStatesAndGames checks the conformance states and the positions of random games.
func visitStatesAndGames(t *testing.T, check func(*enginetest.Differences, *cotulenh.Position)) {
	t.Helper()
	enginetest.InParallel(t, states(t), func(d *enginetest.Differences, s enginetest.State) { check(d, at(t, s.Position)) })
	d := &enginetest.Differences{T: t}
	seen := enginetest.EachPosition(t, cotulenh.New(), nil, 40, enginetest.Uniform, func(p *cotulenh.Position) { check(d, p) })
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
