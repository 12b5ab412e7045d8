package enginetest

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"selfplay/engine"
)

// drawsAreUniform: DoRandom draws every legal move with the same probability. It tests
// the given texts and positions met in play, a few per list length, each on its own and
// all together: a small bias shows only in the sum.
func drawsAreUniform(g target) error {
	u := uniformity{src: rand.NewPCG(10, 11)}
	if err := u.testTexts(g); err != nil {
		return err
	}
	if err := g.walk(u.testPlayed); err != nil {
		return err
	}
	if improbable(u.chi, u.freedom) {
		return fmt.Errorf("all positions together: chi-square %.1f with %d degrees of freedom", u.chi, u.freedom)
	}
	return nil
}

const (
	drawsPerMove     = 200 // enough to detect that one of 500 moves is twice as likely as the others
	positionsPerSize = 4   // positions tested per list length, rounded to powers of two
	textsTested      = 48
)

// uniformity sums the chi-square statistics of the positions tested so far.
type uniformity struct {
	src     *rand.PCG
	chi     float64
	freedom int
	tested  [64]int // positions by bit length of the list length
}

func (u *uniformity) testTexts(g target) error {
	p := g.New()
	for _, text := range g.Starts[:min(textsTested, len(g.Starts))] {
		if err := begin(p, text); err != nil {
			return err
		}
		if err := u.test(p, p.Moves(nil)); err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
	}
	return nil
}

func (u *uniformity) testPlayed(p engine.Position) error {
	list := p.Moves(nil)
	size := bits.Len(uint(len(list)))
	if u.tested[size] == positionsPerSize {
		return nil
	}
	u.tested[size]++
	return u.test(p, list)
}

func (u *uniformity) test(p engine.Position, list []engine.Move) error {
	if len(list) < 2 || p.Outcome() != engine.Ongoing {
		return nil
	}
	count := map[engine.Move]int{}
	for range drawsPerMove * len(list) {
		m, ok := p.DoRandom(u.src)
		if !ok {
			return fmt.Errorf("DoRandom fails although %d moves are legal", len(list))
		}
		p.Undo()
		count[m]++
	}
	chi := 0.0
	for _, m := range list {
		d := float64(count[m] - drawsPerMove)
		chi += d * d / drawsPerMove
	}
	u.chi += chi
	u.freedom += len(list) - 1
	if improbable(chi, len(list)-1) {
		return fmt.Errorf("chi-square %.1f with %d degrees of freedom, counts %v", chi, len(list)-1, count)
	}
	return nil
}

// improbable reports whether a chi-square lies more than 4.5 standard deviations above
// its expectation, which happens to one fair position in 300,000. It uses the cube-root
// approximation of Wilson and Hilferty.
func improbable(chi float64, freedom int) bool {
	if freedom == 0 {
		return false
	}
	variance := 2 / (9 * float64(freedom))
	return (math.Cbrt(chi/float64(freedom))-(1-variance))/math.Sqrt(variance) > 4.5
}
