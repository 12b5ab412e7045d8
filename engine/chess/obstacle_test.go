package chess_test

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

// TestObstaclesAreThoseOfIllegalMoves asks for every wish: in random positions with many pins, checks, castling rights and en
// passant squares, and in games of Chess960.
func TestObstaclesAreThoseOfIllegalMoves(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 6
	}
	d, p, r := &enginetest.Differences{T: t}, chess.New(), rand.New(rand.NewPCG(59, 4))
	for seen := 0; seen < n; {
		o := randomOracle(r)
		if o == nil {
			continue
		}
		err := p.Set(o.String())
		if err != nil {
			t.Fatal(err)
		}
		checkWishes(d, p)
		seen++
	}
	enginetest.FollowGames(t, chess.New960(), []string{"", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1"}, n,
		func(p *chess.Position) { checkWishes(d, p) })
	d.Report(2 * n)
}

func checkWishes(d *enginetest.Differences, p *chess.Position) {
	var squares []string
	for cell := range 64 {
		squares = append(squares, string([]byte{'a' + byte(cell%8), '8' - byte(cell/8)}))
	}
	enginetest.CheckWishes(d, p, squares, func(string) []string { return []string{""} })
}
