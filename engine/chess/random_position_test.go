package chess_test

import (
	"math/rand/v2"
	"strings"
)

// randomOracle makes a random position, or nil if it came out illegal.
func randomOracle(r *rand.Rand) *oracle {
	o := &oracle{ep: -1, side: r.IntN(2), half: r.IntN(3) * 49, full: 1 + r.IntN(3)}
	for cell := range 64 {
		o.lift(cell)
	}
	place := func(color, kind int, cells ...int) {
		for range 20 {
			cell := r.IntN(64)
			if len(cells) > 0 {
				cell = cells[r.IntN(len(cells))]
			}
			if o.color[cell] == oNone && (kind != oPawn || cell/8 != 0 && cell/8 != 7) {
				o.set(cell, color, kind)
				return
			}
		}
	}
	for side := range 2 {
		if home := 60 - 56*side; r.IntN(3) == 0 {
			o.set(home, side, oKing)
			o.set(home+3, side, oRook)
			o.set(home-4, side, oRook)
			for i, letter := range []string{"KQ", "kq"}[side] {
				if r.IntN(4) > i {
					o.rights += string(letter)
				}
			}
		} else {
			place(side, oKing)
		}
	}
	kinds := []string{"pppnbrq", "q", "pppp", "rbq", "n", "bbbn", "pq"}[r.IntN(7)]
	for range 1 << r.IntN(6) {
		place(r.IntN(2), strings.IndexByte("pnbrqk", kinds[r.IntN(len(kinds))]))
	}
	o.placePassant(r)
	if o.twoKings() && !o.inCheck(o.side^1) {
		return o
	}
	return nil
}

// placePassant adds, in a third of the cases, a pawn that has just made a double step,
// with enemy pawns beside it.
func (o *oracle) placePassant(r *rand.Rand) {
	if r.IntN(3) != 0 {
		return
	}
	ahead := 8 - 16*o.side // direction of the side that has just moved
	ep := 16 + 24*o.side + r.IntN(8)
	if o.color[ep] != oNone || o.color[ep-ahead] != oNone || o.color[ep+ahead] != oNone {
		return
	}
	o.ep, o.half = ep, 0
	o.set(ep+ahead, o.side^1, oPawn)
	for _, aside := range []int{-1, 1} {
		if n := oStep(ep+ahead, aside); n >= 0 && o.color[n] == oNone && r.IntN(2) == 0 {
			o.set(n, o.side, oPawn)
		}
	}
}

func (o *oracle) twoKings() bool {
	var kings [2]int
	for cell, p := range o.piece {
		if p == oKing {
			kings[o.color[cell]]++
		}
	}
	return kings == [2]int{1, 1}
}
