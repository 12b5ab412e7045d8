//go:build goexperiment.simd && amd64

package bitboard

import (
	"math/rand/v2"
	"simd/archsimd"
	"testing"
)

// The document's parallel operations, on vectors of four words, where the fourth is unused.
// Run with GOEXPERIMENT=simd. Iteration and counting need the words, so a vector has to be
// taken apart again.

type vector = [4]uint64

func vectorOf(b Board) vector { return vector{b.A, b.B, b.C} }

// unionSIMD is parallelBitboardOr of the document.
func unionSIMD(list *[11]vector) (sum vector) {
	v := archsimd.LoadUint64x4(&list[0])
	for i := 1; i < len(list); i++ {
		v = v.Or(archsimd.LoadUint64x4(&list[i]))
	}
	v.Store(&sum)
	return sum
}

func unionWords(list *[11]Board) (sum Board) {
	for _, b := range list {
		sum = sum.Or(b)
	}
	return sum
}

// BenchmarkUnion measures the union of eleven boards, the leads of a side.
func BenchmarkUnion(b *testing.B) {
	src := rand.NewPCG(1, 1)
	var boards [11]Board
	var vectors [11]vector
	for i := range boards {
		boards[i] = randomBoard(src)
		vectors[i] = vectorOf(boards[i])
	}
	if got := unionSIMD(&vectors); got != vectorOf(unionWords(&boards)) {
		b.Fatalf("union %x", got)
	}
	sum := uint64(0)
	b.Run("words", func(b *testing.B) {
		for b.Loop() {
			sum += unionWords(&boards).A
		}
	})
	b.Run("SIMD", func(b *testing.B) {
		for b.Loop() {
			sum += unionSIMD(&vectors)[0]
		}
	})
	sink = sum
}

// BenchmarkIntersection measures one intersection whose squares are then visited, as in an
// attack test.
func BenchmarkIntersection(b *testing.B) {
	src := rand.NewPCG(1, 1)
	var boards [64]Board
	var vectors [64]vector
	for i := range boards {
		boards[i] = randomBoard(src).And(randomBoard(src)).And(randomBoard(src))
		vectors[i] = vectorOf(boards[i])
	}
	n := 0
	b.Run("words", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			for both := boards[i&63].And(boards[(i+1)&63]); !both.Empty(); {
				n += int(both.pop())
			}
		}
	})
	b.Run("SIMD", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			var w vector
			archsimd.LoadUint64x4(&vectors[i&63]).And(archsimd.LoadUint64x4(&vectors[(i+1)&63])).Store(&w)
			for both := (Board{w[0], w[1], w[2]}); !both.Empty(); {
				n += int(both.pop())
			}
		}
	})
	sink = uint64(n)
}
