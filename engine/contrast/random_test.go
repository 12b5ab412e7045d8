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

// A weighing is what a test of dice adds up over positions.
type weighing struct {
	chi     float64
	freedom int
}

// weigh draws often from a position and compares how often each move came with
// the probabilities that the dice should have.
func (w *weighing) weigh(t *testing.T, p *contrast.Position, share engine.Fraction, src *rand.PCG) {
	t.Helper()
	const draws = 50_000
	want := tileProbabilities(p, share)
	count := map[engine.Move]int{}
	for range draws {
		m, ok := p.RandomTile(src, share)
		if !ok {
			t.Fatalf("%s: a draw fails", p)
		}
		p.Undo()
		count[m]++
	}
	seen, chi := 0, 0.0
	for m, probability := range want {
		if probability == 0 {
			continue
		}
		d := float64(count[m]) - draws*probability
		chi += d * d / (draws * probability)
		seen += count[m]
		w.freedom++
	}
	w.freedom--
	w.chi += chi
	if seen != draws {
		t.Errorf("%s, share %v: %d draws of moves that cannot be drawn", p, share, draws-seen)
	}
	if far(chi, len(want)-1) {
		t.Errorf("%s, share %v: chi-square %.1f for %d moves", p, share, chi, len(want))
	}
}

// tileProbabilities returns how likely each move is: base moves equally, and of one
// base move all tiles equally, with the share of them in the whole unless there are
// none.
func tileProbabilities(p *contrast.Position, share engine.Fraction) map[engine.Move]float64 {
	list := p.Moves(nil)
	tiles, bases := map[string]float64{}, 0.0
	for _, m := range list {
		if text := p.FormatMove(m); strings.HasSuffix(text, " -1") {
			bases++
		} else {
			tiles[text[:5]]++
		}
	}
	laid := float64(share) / float64(engine.One)
	want := map[engine.Move]float64{}
	for _, m := range list {
		text := p.FormatMove(m)
		n := tiles[text[:5]]
		switch {
		case n == 0:
			want[m] = 1 / bases
		case strings.HasSuffix(text, " -1"):
			want[m] = (1 - laid) / bases
		default:
			want[m] = laid / n / bases
		}
	}
	return want
}

// far reports whether a chi-square lies more than 4.5 standard deviations above
// what fair dice give (Wilson and Hilferty).
func far(chi float64, freedom int) bool {
	if freedom <= 0 {
		return chi > 0
	}
	spread := 2 / (9 * float64(freedom))
	return (math.Cbrt(chi/float64(freedom))-(1-spread))/math.Sqrt(spread) > 4.5
}

// TestRandomTileDistribution: on states with tiles in hand, in both dialects, all
// moves come as often as they should, by themselves and all together.
func TestRandomTileDistribution(t *testing.T) {
	const perDialect = 24
	for _, dialect := range dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			src, w, looked := rand.NewPCG(12, 13), weighing{}, 0
			for i, s := range states(t) {
				if i%40 != 0 || s.Terminal {
					continue
				}
				w.weigh(t, set(t, in(dialect), s.text()), []engine.Fraction{0, 250, 1000}[looked%3], src)
				looked++
			}
			enginetest.AtLeast(t, looked, perDialect)
			if far(w.chi, w.freedom) {
				t.Errorf("all together: chi-square %.1f at %d degrees of freedom", w.chi, w.freedom)
			}
		})
	}
}

// TestRandomTileShares: at no share a tile is laid, at the whole whenever one can
// be.
func TestRandomTileShares(t *testing.T) {
	laid := map[engine.Fraction]int{}
	for _, share := range []engine.Fraction{0, engine.One} {
		p, src, tileless := contrast.New(), rand.NewPCG(14, 15), 0
		for range 200 {
			p.Reset()
			for {
				possible := tilesPossible(p)
				m, ok := p.RandomTile(src, share)
				if !ok {
					break
				}
				if contrast.Unpack(m).Tile != 0 {
					laid[share]++
				} else if possible {
					tileless++
				}
			}
		}
		if share == engine.One && tileless > 0 {
			t.Errorf("share %v: %d moves could have had a tile", share, tileless)
		}
	}
	if laid[0] != 0 || laid[engine.One] < 200*8*98/100 { // a short game may leave some in hand
		t.Errorf("%d tiles laid at share 0, %d of %d at the whole", laid[0], laid[engine.One], 200*8)
	}
}

// TestDrawsFailAtTheEnd: both dice fail where the game is over, and only there.
func TestDrawsFailAtTheEnd(t *testing.T) {
	src, over := rand.NewPCG(16, 17), 0
	dice := contrast.Game().Samplers[0]
	for _, s := range states(t) {
		p := at(t, s.text())
		_, ok := dice.DoRandom(p, src, dice.Default)
		if ok == s.Terminal {
			t.Errorf("%s: terminal %t, drawn %t", s.text(), s.Terminal, ok)
		}
		if !ok {
			over++
			if p.String() != s.text() {
				t.Errorf("%s: a draw that fails leaves %s", s.text(), p)
			}
		}
	}
	enginetest.AtLeast(t, over, 166)
	p := contrast.New()
	for range 3 {
		play(t, p, toAndFro...)
	}
	if m, ok := dice.DoRandom(p, src, dice.Default); ok {
		t.Errorf("drawn after the fourth repetition: %s", p.FormatMove(m))
	}
}

// TestRandomPlayStatistics: means of random play as another program has them. A
// game's plies have a standard deviation of about 28, so the mean of 4,000 games
// one of 0.45; four of these, and the other program's own error, are allowed.
func TestRandomPlayStatistics(t *testing.T) {
	const games = 4000
	for _, c := range []struct {
		name    string
		dialect string
		draw    enginetest.Draw
		plies   float64
		moves   float64
	}{
		{"uniform", "after", enginetest.Uniform, 51.6, 38.8},
		{"uniform before", "before", enginetest.Uniform, 51.9, 40.8},
		{"tile 0", "after", tileDice(0), 67.5, 377.6},
		{"tile 0.10", "after", tileDice(100), 60.4, 223.8},
		{"tile 0.25", "after", tileDice(250), 56.1, 126.5},
		{"tile 0.50", "after", tileDice(500), 52.9, 70.4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, src := in(c.dialect), rand.NewPCG(18, 19)
			plies, moves, wins := 0, 0, 0
			for range games {
				plies += playOut(p, src, c.draw, func() { moves += p.Count() })
				if p.Outcome().Result == engine.FirstWins {
					wins++
				}
			}
			meanPlies, meanMoves := float64(plies)/games, float64(moves)/float64(plies)
			if math.Abs(meanPlies-c.plies) > 2.5 {
				t.Errorf("%.1f plies a game, want %.1f", meanPlies, c.plies)
			}
			if math.Abs(meanMoves/c.moves-1) > 0.04 {
				t.Errorf("%.1f moves a position, want %.1f", meanMoves, c.moves)
			}
			if share := float64(wins) / games; share < 0.46 || share > 0.56 {
				t.Errorf("Black wins %.3f of the games", share)
			}
			t.Logf("%.1f plies, %.1f moves, Black wins %.3f", meanPlies, meanMoves, float64(wins)/games)
		})
	}
}

// tilesPossible reports whether any move lays a tile.
func tilesPossible(p *contrast.Position) bool {
	for _, m := range p.Moves(nil) {
		if contrast.Unpack(m).Tile != 0 {
			return true
		}
	}
	return false
}
