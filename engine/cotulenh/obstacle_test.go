package cotulenh_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// TestObstaclesAreThoseOfIllegalSteps asks for every wish of a position: from every own stack and some other squares, with every
// piece of the stack and one that it does not have, to every square, in every way.
func TestObstaclesAreThoseOfIllegalSteps(t *testing.T) {
	n, random := 100, 50
	if testing.Short() {
		n, random = 500, 10
	}
	texts := everyState(t, n)
	r := rand.New(rand.NewPCG(59, 4))
	for range random {
		texts = append(texts, randomOracle(r).String())
	}
	enginetest.InParallel(t, texts, func(d *enginetest.Differences, text string) {
		p := at(t, text)
		checkWishes(d, p)
		for range 2 { // and in sessions
			open, ok := deployStep(p)
			if !ok {
				return
			}
			p.Do(open)
			checkWishes(d, p)
		}
	})
}

// deployStep returns the first deploy step.
func deployStep(p *cotulenh.Position) (engine.Move, bool) {
	for _, m := range p.Moves(nil) {
		if strings.Contains(p.FormatMove(m), ">") {
			return m, true
		}
	}
	return 0, false
}

func checkWishes(d *enginetest.Differences, p *cotulenh.Position) {
	var squares []string
	for cell := range 132 {
		squares = append(squares, cotulenh.SquareOfCell(cell).String())
	}
	enginetest.CheckWishes(d, p, squares, func(from string) []string {
		sq, _ := cotulenh.ParseSquare(from)
		s := p.At(sq)
		if sq.Cell()%20 != 0 && (s == cotulenh.Empty || s.Side() != p.Turn()) {
			return nil // some of these do
		}
		return piecesOf(s)
	})
}

// piecesOf returns the pieces that a wish may name: the whole stack, its members, and none of them.
func piecesOf(s cotulenh.Stack) []string {
	pieces := []string{"", "?"}
	if s.Size() > 1 {
		for _, m := range s.Members() {
			pieces = append(pieces, strings.ToUpper(string(m.Type.Letter())))
		}
	}
	return pieces
}
