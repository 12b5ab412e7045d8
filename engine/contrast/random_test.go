package contrast_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// distribution sums the chi-square statistics of RandomTile over positions.
type distribution struct {
	chi     float64
	freedom int
}

// add draws from a position and compares the counts of moves with their expected
// probabilities.
func (d *distribution) add(t *testing.T, p *contrast.Position, probability engine.Fraction, src *rand.PCG) {
	t.Helper()
	const draws = 50_000
	want := tileProbabilities(p, probability)
	count := map[engine.Move]int{}
	for range draws {
		m, ok := p.RandomTile(src, probability)
		if !ok {
			t.Fatalf("%s: RandomTile fails", p)
		}
		p.Undo()
		count[m]++
	}
	seen, chi := 0, 0.0
	for m, expected := range want {
		if expected == 0 {
			continue
		}
		diff := float64(count[m]) - draws*expected
		chi += diff * diff / (draws * expected)
		seen += count[m]
		d.freedom++
	}
	d.freedom--
	d.chi += chi
	if seen != draws {
		t.Errorf("%s, probability %v: %d draws of moves with expected probability 0", p, probability, draws-seen)
	}
	if improbable(chi, len(want)-1) {
		t.Errorf("%s, probability %v: chi-square %.1f for %d moves", p, probability, chi, len(want))
	}
}

// tileProbabilities returns the expected probability of each move: uniform over base
// moves; then, if a tile can be placed, probability split uniformly over its tiles,
// and the rest for the move without a tile.
func tileProbabilities(p *contrast.Position, probability engine.Fraction) map[engine.Move]float64 {
	list := p.Moves(nil)
	tiles, bases := map[string]float64{}, 0.0
	for _, m := range list {
		if text := p.FormatMove(m); strings.HasSuffix(text, " -1") {
			bases++
		} else {
			tiles[text[:5]]++
		}
	}
	placed := float64(probability) / float64(engine.One)
	want := map[engine.Move]float64{}
	for _, m := range list {
		text := p.FormatMove(m)
		n := tiles[text[:5]]
		switch {
		case n == 0:
			want[m] = 1 / bases
		case strings.HasSuffix(text, " -1"):
			want[m] = (1 - placed) / bases
		default:
			want[m] = placed / n / bases
		}
	}
	return want
}

// improbable reports whether a chi-square lies more than 4.5 standard deviations above
// its expectation (Wilson and Hilferty).
func improbable(chi float64, freedom int) bool {
	if freedom <= 0 {
		return chi > 0
	}
	variance := 2 / (9 * float64(freedom))
	return (math.Cbrt(chi/float64(freedom))-(1-variance))/math.Sqrt(variance) > 4.5
}

// TestRandomTileDistribution: RandomTile has the expected distribution in both
// variants, for each position and for all positions together.
func TestRandomTileDistribution(t *testing.T) {
	const perVariant = 24
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			src, w, tested := rand.NewPCG(12, 13), distribution{}, 0
			for i, s := range states(t) {
				if i%40 != 0 || s.Terminal {
					continue
				}
				w.add(t, set(t, in(variant), s.text()), []engine.Fraction{0, 250, 1000}[tested%3], src)
				tested++
			}
			enginetest.AtLeast(t, tested, perVariant)
			if improbable(w.chi, w.freedom) {
				t.Errorf("all positions together: chi-square %.1f with %d degrees of freedom", w.chi, w.freedom)
			}
		})
	}
}

// TestRandomTileProbabilities: probability 0 never places a tile, probability 1 places
// one whenever possible.
func TestRandomTileProbabilities(t *testing.T) {
	placed := map[engine.Fraction]int{}
	for _, probability := range []engine.Fraction{0, engine.One} {
		p, src, tileless := contrast.New(), rand.NewPCG(14, 15), 0
		for range 200 {
			p.Reset()
			for {
				possible := tilesPossible(p)
				m, ok := p.RandomTile(src, probability)
				if !ok {
					break
				}
				if contrast.Unpack(m).Tile != 0 {
					placed[probability]++
				} else if possible {
					tileless++
				}
			}
		}
		if probability == engine.One && tileless > 0 {
			t.Errorf("probability %v: %d moves without a possible tile", probability, tileless)
		}
	}
	if placed[0] != 0 || placed[engine.One] < 200*8*98/100 { // a short game may leave some in hand
		t.Errorf("%d tiles placed with probability 0, %d of %d with probability 1", placed[0], placed[engine.One], 200*8)
	}
}

// TestSamplerFailsAtTheEnd: the sampler fails exactly where the game is over.
func TestSamplerFailsAtTheEnd(t *testing.T) {
	src, over := rand.NewPCG(16, 17), 0
	sampler := contrast.Game().Samplers[0]
	for _, s := range states(t) {
		p := at(t, s.text())
		_, ok := sampler.DoRandom(p, src, sampler.Default)
		if ok == s.Terminal {
			t.Errorf("%s: terminal %t, drawn %t", s.text(), s.Terminal, ok)
		}
		if !ok {
			over++
			if p.String() != s.text() {
				t.Errorf("%s: a failed draw changes the position to %s", s.text(), p)
			}
		}
	}
	enginetest.AtLeast(t, over, 166)
	p := contrast.New()
	for range 3 {
		play(t, p, backAndForth...)
	}
	if m, ok := sampler.DoRandom(p, src, sampler.Default); ok {
		t.Errorf("drawn after the fourth occurrence: %s", p.FormatMove(m))
	}
}

// TestRandomPlayStatistics compares means of random play with those of another
// program. The length of a game has a standard deviation of about 28 plies, so the
// mean of 4,000 games has one of 0.45. The test allows four of these plus the error of
// the other program.
func TestRandomPlayStatistics(t *testing.T) {
	const games = 4000
	for _, c := range []struct {
		name    string
		variant string
		draw    enginetest.Draw
		plies   float64
		moves   float64
	}{
		{"uniform", "after", enginetest.Uniform, 51.6, 38.8},
		{"uniform before", "before", enginetest.Uniform, 51.9, 40.8},
		{"tile 0", "after", tileSampler(0), 67.5, 377.6},
		{"tile 0.10", "after", tileSampler(100), 60.4, 223.8},
		{"tile 0.25", "after", tileSampler(250), 56.1, 126.5},
		{"tile 0.50", "after", tileSampler(500), 52.9, 70.4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, src := in(c.variant), rand.NewPCG(18, 19)
			plies, moves, wins := 0, 0, 0
			for range games {
				plies += playOut(p, src, c.draw, func() { moves += p.Count() })
				if p.Outcome().Result == engine.FirstWins {
					wins++
				}
			}
			meanPlies, meanMoves := float64(plies)/games, float64(moves)/float64(plies)
			if math.Abs(meanPlies-c.plies) > 2.5 {
				t.Errorf("%.1f plies per game, want %.1f", meanPlies, c.plies)
			}
			if math.Abs(meanMoves/c.moves-1) > 0.04 {
				t.Errorf("%.1f moves per position, want %.1f", meanMoves, c.moves)
			}
			if rate := float64(wins) / games; rate < 0.46 || rate > 0.56 {
				t.Errorf("Black wins %.3f of the games", rate)
			}
			t.Logf("%.1f plies, %.1f moves, Black wins %.3f", meanPlies, meanMoves, float64(wins)/games)
		})
	}
}

// tilesPossible reports whether any legal move places a tile.
func tilesPossible(p *contrast.Position) bool {
	for _, m := range p.Moves(nil) {
		if contrast.Unpack(m).Tile != 0 {
			return true
		}
	}
	return false
}

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
