package contrast_test

import (
	"testing"

	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// TestObstaclesAreThoseOfIllegalMoves asks for every wish in positions of random games.
func TestObstaclesAreThoseOfIllegalMoves(t *testing.T) {
	var squares []string
	for cell := range uint8(25) {
		squares = append(squares, contrast.CellName(cell))
	}
	const n = 1000
	d := &enginetest.Differences{T: t}
	enginetest.FollowGames(t, contrast.New(), []string{"", "3,0,0,3,3,0,4,0,0,0,0,0,3,0,0,0,0,0,0,0,6,6,6,6,6,2,1,3,1 x"}, n, func(p *contrast.Position) {
		enginetest.CheckWishes(d, p, squares, func(string) []string { return []string{""} })
		checkTiles(d, p, squares)
	})
	d.Report(n)
}

// checkTiles asks for every tile after one of the moves without a tile.
func checkTiles(d *enginetest.Differences, p *contrast.Position, squares []string) {
	legal := enginetest.LegalWishes(p)
	for _, w := range legal[:min(1, len(legal))] {
		for _, square := range squares {
			for _, kind := range []string{"", "b", "g", "x"} {
				w.Tile = square + kind
				err := enginetest.CheckWish(p, legal, w)
				if err != nil {
					d.Addf("%s: %v", p, err)
				}
			}
		}
	}
}
