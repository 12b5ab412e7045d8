package bitboard

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"selfplay/engine/cotulenh"
)

// The published methods for rays that the first stack blocks, on three words, for an
// artillery (three squares, eight directions). Each returns the squares up to and with the
// first stack of each ray. The engine uses the first one; docs/lab/bitboards.md compares them.

const artilleryRange = 3

func artilleryRays() Rays { return captureRays[uint8(cotulenh.Artillery)<<1] }

type rayMethod struct {
	name  string
	reach func(occupied Board, sq uint8) Board
}

var rayMethods = []rayMethod{
	{"kindergarten", func(o Board, sq uint8) Board {
		return boardOf(o.raysAt(sq).upTo()&artilleryRays()&onBoard(sq), sq)
	}},
	{"rays with first bit", firstBitRays},
	{"kogge-stone", koggeStone},
	{"hyperbola", hyperbola},
	{"magic", magicReach},
}

// boardOf returns the squares of a Rays. The engine does not need it: it lists steps from
// the Rays.
func boardOf(r Rays, sq uint8) (b Board) {
	for r != 0 {
		b.add(sq + steps[r.pop()])
	}
	return b
}

// emptyRays[d][sq] holds the ray of an artillery on an empty board.
var emptyRays = func() (table [8][256]Board) {
	for d := range table {
		for _, sq := range squares {
			b := squareBoards[sq]
			for range artilleryRange {
				b = b.Shift(d)
				table[d][sq] = table[d][sq].Or(b)
			}
		}
	}
	return table
}()

func (b Board) last() uint8 {
	switch {
	case b.C != 0:
		return uint8(191 - bits.LeadingZeros64(b.C))
	case b.B != 0:
		return uint8(127 - bits.LeadingZeros64(b.B))
	}
	return uint8(63 - bits.LeadingZeros64(b.A))
}

func firstBitRays(o Board, sq uint8) (reach Board) {
	for d := range directions {
		ray := emptyRays[d][sq]
		if blockers := ray.And(o); !blockers.Empty() {
			first := uint8(blockers.First())
			if directions[d] < 0 {
				first = blockers.last()
			}
			ray = ray.AndNot(emptyRays[d][first])
		}
		reach = reach.Or(ray)
	}
	return reach
}

func koggeStone(o Board, sq uint8) (reach Board) {
	empty := o.Not()
	for d := range directions {
		front := squareBoards[sq]
		for range artilleryRange {
			front = front.Shift(d)
			reach = reach.Or(front)
			front = front.And(empty)
		}
	}
	return reach
}

// hyperbola subtracts on 192 bits, forwards and on the mirrored board.
func hyperbola(o Board, sq uint8) (reach Board) {
	for _, line := range [4][2]int{{1, 3}, {2, 0}, {6, 4}, {7, 5}} {
		reach = reach.Or(openUp(o, emptyRays[line[0]][sq])).
			Or(mirror(openUp(mirror(o), mirror(emptyRays[line[1]][sq]))))
	}
	return reach
}

// openUp returns the squares of a ray towards higher bits up to the first blocker: o ^ (o-1).
func openUp(o, ray Board) Board {
	blockers := o.And(ray)
	a, borrow := bits.Sub64(blockers.A, 1, 0)
	b, borrow := bits.Sub64(blockers.B, 0, borrow)
	c, _ := bits.Sub64(blockers.C, 0, borrow)
	return blockers.Xor(Board{a, b, c}).And(ray)
}

func mirror(b Board) Board {
	return Board{bits.Reverse64(b.C), bits.Reverse64(b.B), bits.Reverse64(b.A)}
}

func randomBoard(src *rand.PCG) Board {
	sparse := func() uint64 { return src.Uint64() & src.Uint64() }
	return Board{sparse(), sparse(), sparse()}.And(Valid)
}

func TestRayMethodsAgree(t *testing.T) {
	buildMagics()
	src := rand.NewPCG(1, 2)
	for range 200 {
		occupied := randomBoard(src)
		for _, sq := range squares {
			want := koggeStone(occupied, sq)
			for _, m := range rayMethods {
				if got := m.reach(occupied, sq); got != want {
					t.Fatalf("%s from %v: %v, want %v", m.name, cotulenh.Square(sq), got.Squares(), want.Squares())
				}
			}
		}
	}
}

// BenchmarkRayMethods measures the reach of an artillery. "kindergarten rays" stops at the
// Rays that the engine lists steps from.
func BenchmarkRayMethods(b *testing.B) {
	buildMagics()
	src := rand.NewPCG(1, 2)
	var occupied [64]Board
	for i := range occupied {
		occupied[i] = randomBoard(src)
	}
	sum := uint64(0)
	b.Run("kindergarten rays", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			sum += uint64(occupied[i&63].raysAt(squares[i%132]).upTo() & artilleryRays())
		}
	})
	for _, m := range rayMethods {
		b.Run(m.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				sum += m.reach(occupied[i&63], squares[i%132]).A
			}
		})
	}
	sink = sum
}

var sink uint64
