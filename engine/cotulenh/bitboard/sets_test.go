package bitboard

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// arrayBoard is a Board as an array.
type arrayBoard [3]uint64

func (a arrayBoard) and(b arrayBoard) arrayBoard {
	return arrayBoard{a[0] & b[0], a[1] & b[1], a[2] & b[2]}
}

func (a arrayBoard) or(b arrayBoard) arrayBoard {
	return arrayBoard{a[0] | b[0], a[1] | b[1], a[2] | b[2]}
}

func (a arrayBoard) count() int {
	return bits.OnesCount64(a[0]) + bits.OnesCount64(a[1]) + bits.OnesCount64(a[2])
}

// BenchmarkSets counts (a or b) and c in each representation of a set of squares: the words
// in a struct and in an array, and one big number, the document's alternative.
func BenchmarkSets(b *testing.B) {
	src := rand.NewPCG(1, 1)
	var boards [64]Board
	var arrays [64]arrayBoard
	var numbers [64]*big.Int
	for i := range boards {
		boards[i] = randomBoard(src)
		arrays[i] = arrayBoard{boards[i].A, boards[i].B, boards[i].C}
		numbers[i] = new(big.Int)
		for _, sq := range boards[i].Squares() {
			numbers[i].SetBit(numbers[i], int(sq), 1)
		}
	}
	n, z := 0, new(big.Int)
	b.Run("struct", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			n += boards[i&63].Or(boards[(i+1)&63]).And(boards[(i+2)&63]).Count()
		}
	})
	b.Run("array", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			n += arrays[i&63].or(arrays[(i+1)&63]).and(arrays[(i+2)&63]).count()
		}
	})
	b.Run("big number", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			z.Or(numbers[i&63], numbers[(i+1)&63])
			z.And(z, numbers[(i+2)&63])
			for _, w := range z.Bits() {
				n += bits.OnesCount(uint(w))
			}
		}
	})
	sink = uint64(n)
}
