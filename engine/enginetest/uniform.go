package enginetest

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"selfplay/engine"
)

// drawsAreUniform: every legal move is drawn equally often. Looked at are the
// given texts and positions met in play, a few for each size of list; each by
// itself and all together, since a small bias shows only in the sum.
func drawsAreUniform(tr trial) error {
	u := uniformity{src: rand.NewPCG(10, 11)}
	if err := u.onTexts(tr); err != nil {
		return err
	}
	if err := tr.walk(u.onPlay); err != nil {
		return err
	}
	if far(u.chi, u.freedom) {
		return fmt.Errorf("all positions together: chi-square %.1f at %d degrees of freedom", u.chi, u.freedom)
	}
	return nil
}

const (
	drawsPerMove = 200 // at this many a move twice as likely as the others stands out of 500
	perSize      = 4   // positions for each size of list, sizes by powers of two
	textsLooked  = 48
)

// uniformity adds up what was seen so far.
type uniformity struct {
	src     *rand.PCG
	chi     float64
	freedom int
	looked  [64]int // positions by bit length of their list's length
}

func (u *uniformity) onTexts(tr trial) error {
	p := tr.New()
	for _, text := range tr.Starts[:min(textsLooked, len(tr.Starts))] {
		if err := begin(p, text); err != nil {
			return err
		}
		if err := u.look(p, p.Moves(nil)); err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
	}
	return nil
}

func (u *uniformity) onPlay(p engine.Position) error {
	list := p.Moves(nil)
	size := bits.Len(uint(len(list)))
	if u.looked[size] == perSize {
		return nil
	}
	u.looked[size]++
	return u.look(p, list)
}

func (u *uniformity) look(p engine.Position, list []engine.Move) error {
	if len(list) < 2 || p.Outcome() != engine.Ongoing {
		return nil
	}
	count := map[engine.Move]int{}
	for range drawsPerMove * len(list) {
		m, ok := p.DoRandom(u.src)
		if !ok {
			return fmt.Errorf("a draw fails where %d moves are legal", len(list))
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
	if far(chi, len(list)-1) {
		return fmt.Errorf("chi-square %.1f at %d degrees of freedom, counts %v", chi, len(list)-1, count)
	}
	return nil
}

// far reports whether a chi-square lies more than 4.5 standard deviations above
// what a fair draw gives (one fair position in 300,000), by the cube-root
// approximation of Wilson and Hilferty.
func far(chi float64, freedom int) bool {
	if freedom == 0 {
		return false
	}
	spread := 2 / (9 * float64(freedom))
	return (math.Cbrt(chi/float64(freedom))-(1-spread))/math.Sqrt(spread) > 4.5
}

// allocations returns how often f allocates once it has run.
func allocations(f func()) float64 { return testing.AllocsPerRun(20, f) }
