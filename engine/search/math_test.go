package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"selfplay/engine"
)

// The bits below are part of the behaviour of the players: a different bit can change a
// game. Do not edit them; change the code so that it keeps them.

var goldenExp = []struct {
	x    float64
	bits uint64
}{
	{-700, 0x00d14f2b0fb9307f},
	{-20.25, 0x3e1b93de1e27ca3b},
	{-1, 0x3fd78b56362cef38},
	{-1e-09, 0x3fefffffff768fa1},
	{1e-09, 0x3ff000000044b830},
	{0.5, 0x3ffa61298e1e069c},
	{1, 0x4005bf0a8b14576a},
	{3.75, 0x404542b2d0a266e7},
	{88.5, 0x47e99b987155fe28},
	{700, 0x7f0d945df4f8ec8e},
}

var goldenLog = []struct {
	x    float64
	bits uint64
}{
	{1e-300, 0xc085963447f87fb5},
	{1e-09, 0xc034b927f32bffb8},
	{0.1, 0xc0026bb1bbb55515},
	{0.7071, 0xbfd62e6b3842a25e},
	{0.999999, 0xbeb0c6f82d74d230},
	{1.000001, 0x3eb0c6f713f33a1d},
	{2, 0x3fe62e42fefa39ef},
	{10, 0x40026bb1bbb55516},
	{12345.678, 0x4022d79559791e31},
	{1e+300, 0x4085963447f87fb5},
}

// Two successive draws of each shape; all draws come from one PCG(1, 2).
var goldenGamma = []struct {
	shape float64
	bits  [2]uint64
}{
	{0.03, [2]uint64{0x3f29fae7d9e7f3bc, 0x3b772617e98bbd63}},
	{0.3, [2]uint64{0x3f3485e0e006f01c, 0x3fcf8476e97da681}},
	{1, [2]uint64{0x400aff949c63e4b4, 0x3fe204ee35f9fbe8}},
	{10, [2]uint64{0x401b8a432b37b1e4, 0x401b8acef0514c4e}},
}

// Checksums of the tables, by checksum.
const (
	goldenLogistic = 0x3ee228a7cd211734
	goldenDecay    = 0x5a32db3243cd8057
)

func TestNumbersHaveTheSameBitsEverywhere(t *testing.T) {
	for _, g := range goldenExp {
		if got := math.Float64bits(exp(g.x)); got != g.bits {
			t.Errorf("exp(%v) is %#016x, want %#016x", g.x, got, g.bits)
		}
	}
	for _, g := range goldenLog {
		if got := math.Float64bits(log(g.x)); got != g.bits {
			t.Errorf("log(%v) is %#016x, want %#016x", g.x, got, g.bits)
		}
	}
	src := rand.NewPCG(1, 2)
	for _, g := range goldenGamma {
		for i, want := range g.bits {
			if got := math.Float64bits(gamma(g.shape, src)); got != want {
				t.Errorf("draw %d of gamma(%v) is %#016x, want %#016x", i, g.shape, got, want)
			}
		}
	}
	if got := checksum(logistic[:]); got != goldenLogistic {
		t.Errorf("checksum of logistic is %#x, want %#x", got, uint64(goldenLogistic))
	}
	if got := checksum(decay[:]); got != goldenDecay {
		t.Errorf("checksum of decay is %#x, want %#x", got, uint64(goldenDecay))
	}
}

// checksum is FNV-1a over the entries (not their bytes).
func checksum[T uint16 | uint32](list []T) (h uint64) {
	for _, v := range list {
		h = (h ^ uint64(v)) * 0x100000001b3
	}
	return h
}

func TestExpAndLogAgreeWithPackageMath(t *testing.T) {
	src := rand.NewPCG(1, 2)
	for range 200_000 {
		x := (uniform(src) - 0.5) * 1400
		if got, want := exp(x), math.Exp(x); differ(got, want, want) {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
		y := math.Exp(x)
		if got, want := log(y), math.Log(y); differ(got, want, max(math.Abs(want), 1)) {
			t.Fatalf("log(%v) = %v, want %v", y, got, want)
		}
		if y = uniform(src); differ(log(y), math.Log(y), max(math.Abs(math.Log(y)), 0.5)) {
			t.Fatalf("log(%v) = %v, want %v", y, log(y), math.Log(y))
		}
	}
	if exp(-1000) != 0 || !math.IsInf(exp(1000), 1) || exp(0) != 1 || log(1) != 0 {
		t.Error("exp or log is wrong at a special value")
	}
}

// differ reports whether a and b differ by more than two units in the last place of
// scale.
func differ(a, b, scale float64) bool { return math.Abs(a-b) > 2*0x1p-52*scale }

// The curve is monotonic, odd and below one. scoreOf is its inverse within the precision
// of 16 bits.
func TestLogisticCurve(t *testing.T) {
	for _, scale := range []int{1, 100, 173, 200, 1000} {
		last := -1
		for score := 0; score <= engine.MaxStatic; score++ {
			v := valueOf(score, scale)
			if v < last || v >= one || valueOf(-score, scale) != -v {
				t.Fatalf("scale %d: score %d has value %d, the score before %d", scale, score, v, last)
			}
			last = v
			want := one * math.Tanh(float64(score)/float64(2*scale))
			if math.Abs(float64(v)-want) > 2+one/2/logisticSteps {
				t.Fatalf("scale %d: score %d has value %d, want about %v", scale, score, v, want)
			}
			if back := scoreOf(v, scale); score < 5*scale && max(back-score, score-back) > 1+scale/logisticSteps {
				t.Fatalf("scale %d: scoreOf returns %d for score %d", scale, back, score)
			}
		}
	}
}

func TestSoftmaxReturnsProbabilities(t *testing.T) {
	priors := []int32{300, 100, 0, -20_000}
	softmax(priors, 300, 100)
	sum := int32(0)
	for i, prior := range priors {
		sum += prior
		if prior < 1 || i > 0 && prior > priors[i-1] {
			t.Errorf("probability %d is %d", i, prior)
		}
	}
	if sum < one-4 || sum > one+4 {
		t.Errorf("probabilities add up to %d, want %d", sum, one)
	}
	if ratio := float64(priors[0]) / float64(priors[1]); math.Abs(ratio-math.E*math.E) > 0.1 {
		t.Errorf("ratio of two scores two scales apart is %v, want e^2", ratio)
	}
}

func TestNoiseHasMeanAndVarianceOfDirichlet(t *testing.T) {
	const draws, n = 20_000, 5
	src, weights := rand.NewPCG(3, 4), make([]float64, n)
	for _, concentration := range []int{30, 300, 1000, 5000} {
		sum, squares := 0.0, 0.0
		for range draws {
			priors := make([]int32, n)
			mixNoise(priors, weights, 1000, concentration, src)
			x := float64(priors[0]) / one
			sum += x
			squares += x * x
		}
		mean := sum / draws
		variance := squares/draws - mean*mean
		a := float64(concentration) / 1000
		want := (n - 1) / (n * n * (n*a + 1))
		if math.Abs(mean-1.0/n) > 0.02 || math.Abs(variance/want-1) > 0.1 {
			t.Errorf("concentration %d: mean %v, variance %v, want %v and %v", concentration, mean, variance, 1.0/n, want)
		}
	}
}

func TestSqrtFixedRoundsDown(t *testing.T) {
	for _, n := range []uint32{0, 1, 2, 3, 4, 99, 800, 65_535, 1 << 20, 1 << 30} {
		r := sqrtFixed(n)
		if square := max(uint64(n), 1) << 32; r*r > square || (r+1)*(r+1) <= square {
			t.Errorf("sqrtFixed(%d) is %d", n, r)
		}
	}
}

// TestLargestIsTheFirstOfTheLargest compares the index with that of a plain scan, for lists with many
// equal keys, with the smallest and the largest key, and with a larger key behind their end.
func TestLargestIsTheFirstOfTheLargest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 300; n++ {
		for range 200 {
			keys := make([]int32, n+8)
			for i := range keys {
				keys[i] = []int32{math.MinInt32, -1, 0, 1, int32(r.IntN(5)), math.MaxInt32 - 1}[r.IntN(1+n%6)]
			}
			for i := n; i < len(keys); i++ {
				keys[i] = math.MaxInt32
			}
			want := 0
			for i, key := range keys[:n] {
				if key > keys[want] {
					want = i
				}
			}
			if got := largest(keys[:n]); got != want {
				t.Fatalf("largest(%d) = %d, want %d", keys[:n], got, want)
			}
		}
	}
}
