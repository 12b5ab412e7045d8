package enginetest

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
)

// A sampler is one way to draw a move: DoRandom, or a sampler of the game with a fixed
// parameter.
type sampler struct {
	name string
	draw func(p engine.Position, src *rand.PCG) (engine.Move, bool)
}

// samplers returns DoRandom and the game's samplers at their default, at 0 and at 1.
func (g target) samplers() []sampler {
	list := []sampler{{"DoRandom", engine.Position.DoRandom}}
	for _, s := range g.Game.Samplers {
		for _, value := range []engine.Fraction{s.Default, 0, engine.One} {
			list = append(list, sampler{s.Name + "=" + value.String(), func(p engine.Position, src *rand.PCG) (engine.Move, bool) {
				return s.DoRandom(p, src, value)
			}})
		}
	}
	return list
}

// forEachSampler turns a check of one sampler into a check of all.
func forEachSampler(check func(*visit, sampler) error) func(*visit) error {
	return func(v *visit) error {
		for _, s := range v.samplers {
			if err := check(v, s); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
		return nil
	}
}

// drawPlaysListedMove: a draw plays one listed move and returns that move.
func drawPlaysListedMove(v *visit, s sampler) error {
	m, ok := s.draw(v.p, v.src)
	if !ok {
		return nil
	}
	text, hash, outcome := v.p.String(), v.p.Hash(), v.p.Outcome()
	v.p.Undo()
	if !slices.Contains(v.moves(), m) {
		return fmt.Errorf("drawn move %#x is not listed", m)
	}
	v.p.Do(m)
	defer v.p.Undo()
	if got := v.p.String(); got != text || v.p.Hash() != hash || v.p.Outcome() != outcome {
		return fmt.Errorf("move %#x leads to %q when drawn, to %q when played", m, text, got)
	}
	return nil
}

// drawFailsAtTheEnd: a draw returns false and plays nothing exactly where the game is
// over. There the outcome has a result and a reason that rules can give.
func drawFailsAtTheEnd(v *visit, s sampler) error {
	text, outcome := v.p.String(), v.p.Outcome()
	_, ok := s.draw(v.p, v.src)
	if ok {
		v.p.Undo()
	}
	if got := v.p.String(); got != text {
		return fmt.Errorf("a draw (%t) leaves %q behind", ok, got)
	}
	if over := outcome != engine.Ongoing; ok == over {
		return fmt.Errorf("outcome %v, a draw returns %t", outcome, ok)
	}
	return checkOutcome(outcome)
}

// checkOutcome: an outcome is Ongoing, or has both a result and a reason that belongs
// to the rules.
func checkOutcome(o engine.Outcome) error {
	if o == engine.Ongoing {
		return nil
	}
	switch o.Reason {
	case engine.NoReason, engine.Adjudicated, engine.PlyLimit:
		return fmt.Errorf("outcome %v: %q is not a reason of the rules", o, o.Reason)
	default:
	}
	if o.Result == engine.NoResult || o.Result > engine.Draw {
		return fmt.Errorf("outcome %v: the game is over without a result", o)
	}
	return nil
}

// drawIgnoresQueries: the same seed draws the same move and leaves the source in the
// same state, whatever was queried, played and undone in between.
func drawIgnoresQueries(v *visit, s sampler) error {
	seed := v.src.Uint64()
	m, next, ok := v.drawWith(s, seed)
	v.queryEverything()
	if m2, next2, ok2 := v.drawWith(s, seed); m2 != m || next2 != next || ok2 != ok {
		return fmt.Errorf("seed %d draws %#x %t, after queries %#x %t", seed, m, ok, m2, ok2)
	}
	return nil
}

// drawWith draws with a new source and undoes the move. next is the number that the
// source returns after the draw.
func (v *visit) drawWith(s sampler, seed uint64) (m engine.Move, next uint64, ok bool) {
	src := rand.NewPCG(seed, 4)
	m, ok = s.draw(v.p, src)
	if ok {
		v.p.Undo()
	}
	return m, src.Uint64(), ok
}

// queriesDoNotMatter: a game with queries at every ply takes the same course as a game
// without.
func queriesDoNotMatter(g target) error {
	quiet := g.New()
	v := &visit{target: g, p: g.New(), src: rand.NewPCG(5, 6), samplers: g.samplers()}
	for game := range max(g.Plies/10_000, 8) {
		start, limit := g.start(game)
		if err := errors.Join(begin(quiet, start), begin(v.p, start)); err != nil {
			return err
		}
		one, two := rand.NewPCG(uint64(game), 7), rand.NewPCG(uint64(game), 7)
		for ply := range limit {
			v.queryEverything()
			m, ok := quiet.DoRandom(one)
			if m2, ok2 := v.p.DoRandom(two); m2 != m || ok2 != ok {
				return fmt.Errorf("game %d from %q, ply %d: %#x without queries, %#x with queries", game, start, ply, m, m2)
			}
			if !ok {
				break
			}
		}
		if quiet.String() != v.p.String() {
			return fmt.Errorf("game %d from %q: %q without queries, %q with queries", game, start, quiet, v.p)
		}
	}
	return nil
}

// noAllocation: once warm, neither draws nor Moves nor the queries of a search allocate.
func noAllocation(g target) error {
	v := &visit{target: g, p: g.New(), src: rand.NewPCG(8, 9), samplers: g.samplers(), list: make([]engine.Move, 0, 2048)}
	for game := range max(8, min(40, len(g.Starts))) {
		start, _ := g.start(game)
		if err := begin(v.p, start); err != nil {
			return err
		}
		for _, s := range v.samplers {
			if n := allocations(func() { v.playAndUndo(s, 30) }); n > 0 {
				return fmt.Errorf("from %q: 30 draws and undos by %s allocate %v times", start, s.name, n)
			}
		}
		if n := allocations(func() { v.moves() }); n > 0 {
			return fmt.Errorf("from %q: listing %d moves allocates %v times", start, len(v.list), n)
		}
		if p, ok := v.p.(engine.Evaluator); ok {
			if n := allocations(func() { v.searchQueries(p) }); n > 0 {
				return fmt.Errorf("from %q: the score, the captures and their gains allocate %v times", start, n)
			}
		}
	}
	return nil
}

// searchQueries calls what a search asks at most of its nodes.
func (v *visit) searchQueries(p engine.Evaluator) {
	p.Evaluate()
	p.Over()
	v.list = p.Captures(v.list[:0])
	for _, m := range v.list {
		p.Gain(m)
	}
}

// allocations returns how often f allocates after a first call.
func allocations(f func()) float64 { return testing.AllocsPerRun(20, f) }

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
