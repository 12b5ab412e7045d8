package contrast_test

import "math/rand/v2"

// randomOracle makes a random position: mostly about ten pieces that are not on their
// goal rows, sometimes any number anywhere.
func randomOracle(r *rand.Rand) *oracle {
	o := &oracle{side: r.IntN(2), before: r.IntN(2) == 0}
	pieces := []int{10, 10, 30, 60, 80, 95}[r.IntN(6)] // percent of cells with a piece
	tiles := []int{0, 5, 20, 60, 95}[r.IntN(5)]        // percent of cells with a tile
	anywhere := r.IntN(10) == 0
	for y := range 5 {
		for x := range 5 {
			c := oCell{' ', ' '}
			if r.IntN(100) < pieces {
				c.piece = "xo"[r.IntN(2)]
			}
			if !anywhere && y == 4 && c.piece != ' ' {
				c.piece = 'o'
			}
			if !anywhere && y == 0 && c.piece != ' ' {
				c.piece = 'x'
			}
			if r.IntN(100) < tiles {
				c.tile = "bbg"[r.IntN(3)]
			}
			o.cells[y][x] = c
		}
	}
	for side := range 2 {
		o.black[side], o.gray[side] = r.IntN(4), r.IntN(2)
	}
	o.record()
	return o
}
