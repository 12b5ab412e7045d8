package bitboard

import "math/rand/v2"

// magicEntry is a square's table of reaches. The index is a multiplicative hash of the
// relevant stacks: those that can block, which excludes the end of each ray.
type magicEntry struct {
	mask   Board
	factor Board
	reach  []Board
}

const magicBits = 10

var magics [2][256]magicEntry // orthogonal, diagonal

func magicReach(o Board, sq uint8) Board {
	a, b := &magics[0][sq], &magics[1][sq]
	return a.reach[a.index(o)].Or(b.reach[b.index(o)])
}

func (m *magicEntry) index(o Board) uint64 {
	o = o.And(m.mask)
	return (o.A*m.factor.A + o.B*m.factor.B + o.C*m.factor.C) >> (64 - magicBits)
}

// buildMagics searches for factors that map the subsets of each mask without a conflict.
func buildMagics() {
	if magics[0][0].reach != nil {
		return
	}
	src := rand.New(rand.NewPCG(3, 3))
	sparse := func() uint64 { return src.Uint64() & src.Uint64() }
	for part := range magics {
		for _, sq := range squares {
			m := &magics[part][sq]
			for d := 4 * part; d < 4*part+4; d++ {
				end := squareBoards[sq]
				for range artilleryRange {
					end = end.Shift(d)
				}
				m.mask = m.mask.Or(emptyRays[d][sq].AndNot(end))
			}
			for !m.fill(part, sq) {
				m.factor = Board{sparse(), sparse(), sparse()}
			}
		}
	}
}

func (m *magicEntry) fill(part int, sq uint8) bool {
	m.reach = make([]Board, 1<<magicBits)
	blockers := m.mask.Squares()
	for subset := range 1 << len(blockers) {
		var o, reach Board
		for i, b := range blockers {
			if subset>>i&1 == 1 {
				o.Set(b)
			}
		}
		all := firstBitRays(o, sq)
		for d := 4 * part; d < 4*part+4; d++ {
			reach = reach.Or(all.And(emptyRays[d][sq]))
		}
		at := &m.reach[m.index(o)]
		if !at.Empty() && *at != reach {
			return false
		}
		*at = reach
	}
	return true
}
