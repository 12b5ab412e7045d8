package bitboard_test

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine/cotulenh"
	"selfplay/internal/must"
)

// Random play seldom has commanders in check, crowded boards and many heroic stacks. These
// positions have them.

const emptyText = "11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1"

// crowdedText returns the text of a random position: two commanders, usually near each
// other, and up to sixty other stacks of any code.
func crowdedText(t testing.TB, r *rand.Rand) string {
	t.Helper()
	p := cotulenh.New()
	must.Do(t, p.Set(emptyText))
	var commanders, others [2][]cotulenh.Stack
	for code := cotulenh.Stack(1); code < cotulenh.NumStacks; code++ {
		list := &others[code.Side()]
		for _, m := range code.Members() {
			if m.Type == cotulenh.Commander {
				list = &commanders[code.Side()]
			}
		}
		*list = append(*list, code)
	}
	center := cotulenh.SquareOfCell(r.IntN(132))
	for side := range 2 {
		placeNear(p, r, center, 1+r.IntN(6), commanders[side][r.IntN(len(commanders[side]))])
	}
	for range r.IntN(1<<r.IntN(6) + 30*r.IntN(2)) {
		side := r.IntN(2)
		placeNear(p, r, center, 2+r.IntN(10), others[side][r.IntN(len(others[side]))])
	}
	return p.String()
}

// placeNear puts a stack on a random free square within a distance, if it finds one.
func placeNear(p *cotulenh.Position, r *rand.Rand, center cotulenh.Square, distance int, s cotulenh.Stack) {
	for range 30 {
		rank, file := center.Rank()+r.IntN(2*distance+1)-distance, center.File()+r.IntN(2*distance+1)-distance
		if rank < 0 || rank > 11 || file < 0 || file > 10 {
			continue
		}
		if sq := cotulenh.SquareOfCell(rank*11 + file); p.At(sq) == cotulenh.Empty && p.Put(sq, s) == nil {
			return
		}
	}
}

// TestEnginesAgreeOnCrowdedPositions plays up to six random steps, drawn from the list or by
// DoRandom, in each position. There is one position for every 80 of -plies.
func TestEnginesAgreeOnCrowdedPositions(t *testing.T) {
	n := *plies / 80
	if testing.Short() {
		n /= 10
	}
	r, p := rand.New(rand.NewPCG(11, 22)), newPair(t)
	for range n {
		set(t, p, crowdedText(t, r))
		for range 6 {
			p.check()
			p.wanted = p.mailbox.Moves(p.wanted[:0])
			if len(p.wanted) == 0 {
				break
			}
			m := p.wanted[r.IntN(len(p.wanted))]
			if !p.Legal(m) {
				t.Fatalf("%s: %s is not legal", p.mailbox, p.mailbox.FormatMove(m))
			}
			p.Do(m)
		}
		p.DoRandom(rand.NewPCG(r.Uint64(), 1))
	}
}
