package wdl

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"selfplay/internal/must"
)

// expected returns the exact outcomes of n games at each score under a model.
func expected(m Model, n float64, scores ...int) Tally {
	t := Tally{}
	for _, score := range scores {
		win, draw, loss := m.Chances(score)
		t[score] = Count{uint64(math.Round(n * win)), uint64(math.Round(n * draw)), uint64(math.Round(n * loss))}
	}
	return t
}

// sampled returns random outcomes of n games under a model, at normally distributed scores.
func sampled(m Model, n int, src *rand.Rand) Tally {
	t := Tally{}
	for range n {
		score := int(2 * m.B * src.NormFloat64())
		win, _, loss := m.Chances(score)
		switch r := src.Float64(); {
		case r < win:
			t.Add(score, 1)
		case r < win+loss:
			t.Add(score, -1)
		default:
			t.Add(score, 0)
		}
	}
	return t
}

func TestFitFindsTheCoefficients(t *testing.T) {
	spread := []int{-900, -400, -250, -120, -60, -10, 0, 30, 80, 150, 300, 700}
	for _, c := range []struct {
		name string
		want Model
		at   []int
	}{
		{"few draws", Model{A: 20, B: 150}, spread},
		{"mostly draws", Model{A: 300, B: 90}, spread},
		{"no draws", Model{A: 0, B: 200}, spread},
		{"a flat score", Model{A: 500, B: 900}, spread},
		{"a steep score", Model{A: 5, B: 12}, []int{-40, -20, -3, 0, 7, 33}},
		{"a score that saturates", Model{A: 80, B: 100}, []int{-20_000, -5000, -100, 100, 5000, 20_000}},
		{"two scores", Model{A: 60, B: 150}, []int{-200, 100}},
	} {
		got, err := Fit(expected(c.want, 1e9, c.at...))
		if err != nil || math.Abs(got.A-c.want.A) > 0.01 || math.Abs(got.B-c.want.B) > 0.01 {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
}

// TestRepetitionsDetermineOnlyTheChanceAt0: as many draws there as you like change neither A nor B.
func TestRepetitionsDetermineOnlyTheChanceAt0(t *testing.T) {
	want := Model{A: 60, B: 150}
	games := expected(want, 1e9, -300, -80, 40, 200)
	games[0] = Count{1e8, 8e8, 1e8}
	got, err := Fit(games)
	if err != nil || math.Abs(got.A-want.A) > 0.01 || math.Abs(got.B-want.B) > 0.01 || math.Abs(got.DrawnAt0-0.8) > 1e-9 {
		t.Errorf("%+v, %v, want %+v with 0.8 at 0", got, err, want)
	}
}

// TestFitOfSampledGamesIsNearTheTruth: within the sampling error.
func TestFitOfSampledGamesIsNearTheTruth(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 5))
	for _, want := range []Model{{A: 20, B: 150}, {A: 120, B: 80}, {A: 0, B: 100}} {
		got, err := Fit(sampled(want, 40_000, src))
		if err != nil || math.Abs(got.A-want.A) > 0.04*want.B || math.Abs(got.B-want.B) > 0.04*want.B {
			t.Errorf("%+v, %v, want about %+v", got, err, want)
		}
	}
}

// TestFitIsAMaximum: every model nearby has a larger log loss.
func TestFitIsAMaximum(t *testing.T) {
	games := sampled(Model{A: 40, B: 120}, 5000, rand.New(rand.NewPCG(1, 6)))
	m := must.Get(Fit(games))(t)
	best := games.LogLoss(m)
	for _, da := range []float64{-0.5, 0, 0.5} {
		for _, db := range []float64{-0.5, 0, 0.5} {
			if loss := games.LogLoss(Model{m.A + da, m.B + db, m.DrawnAt0}); loss < best {
				t.Errorf("a %+.1f, b %+.1f: %.9f, less than %.9f", da, db, loss, best)
			}
		}
	}
	if constant := games.ConstantLoss(); best >= constant {
		t.Errorf("log loss %f, without scores %f", best, constant)
	}
}

// TestFitIsExact: fits that sum the same games in another order differ only in digits that nobody prints.
func TestFitIsExact(t *testing.T) {
	for seed := range uint64(20) {
		games := sampled(Model{A: 40, B: 120}, 3000, rand.New(rand.NewPCG(2, seed)))
		opposite, scaled := Tally{}, Tally{}
		for score, c := range games {
			opposite[-score], scaled[score] = Count{c.Losses, c.Draws, c.Wins}, Count{7 * c.Wins, 7 * c.Draws, 7 * c.Losses}
		}
		want := must.Get(Fit(games))(t)
		for _, other := range []Tally{opposite, scaled} {
			if got := must.Get(Fit(other))(t); math.Abs(got.A/want.A-1) > 1e-12 || math.Abs(got.B/want.B-1) > 1e-12 {
				t.Errorf("seed %d: %+v and %+v", seed, got, want)
			}
		}
	}
}

// TestFitIsSymmetric: the view of either side gives the same model.
func TestFitIsSymmetric(t *testing.T) {
	games := sampled(Model{A: 40, B: 120}, 3000, rand.New(rand.NewPCG(1, 7)))
	opposite := Tally{}
	for score, c := range games {
		opposite[-score] = Count{c.Losses, c.Draws, c.Wins}
	}
	a, errA := Fit(games)
	b, errB := Fit(opposite)
	if errA != nil || errB != nil || math.Abs(a.A-b.A) > 1e-6 || math.Abs(a.B-b.B) > 1e-6 {
		t.Errorf("%+v, %v from one side, %+v, %v from the other", a, errA, b, errB)
	}
}

// TestErrorsAreStandardErrors: about two of three fits lie within one of them of the truth.
func TestErrorsAreStandardErrors(t *testing.T) {
	const trials = 60
	src, truth, near := rand.New(rand.NewPCG(1, 8)), Model{A: 60, B: 150}, 0
	for range trials {
		blocks := sampledBlocks(truth, 10, 60, src)
		m, _ := Fit(without(blocks, -1))
		_, b, err := Errors(blocks)
		must.Do(t, err)
		if math.Abs(m.B-truth.B) < b {
			near++
		}
	}
	if near < trials*50/100 || near > trials*85/100 {
		t.Errorf("%d of %d fits are within a standard error of the truth", near, trials)
	}
}

// TestErrorsDoNotShrinkWithRepeatedPlies: repeating every ply nine times adds no information.
func TestErrorsDoNotShrinkWithRepeatedPlies(t *testing.T) {
	blocks := sampledBlocks(Model{A: 60, B: 150}, 10, 60, rand.New(rand.NewPCG(1, 9)))
	a, b, err := Errors(blocks)
	for _, t := range blocks {
		for score, c := range t {
			t[score] = Count{9 * c.Wins, 9 * c.Draws, 9 * c.Losses}
		}
	}
	a9, b9, err9 := Errors(blocks)
	if err != nil || err9 != nil || math.Abs(a-a9) > 1e-3 || math.Abs(b-b9) > 1e-3 {
		t.Errorf("errors %f and %f, with repeated plies %f and %f; %v, %v", a, b, a9, b9, err, err9)
	}
}

func sampledBlocks(m Model, blocks, games int, src *rand.Rand) (list []Tally) {
	for range blocks {
		list = append(list, sampled(m, games, src))
	}
	return list
}

func TestFitRefusesDegenerateTallies(t *testing.T) {
	for _, c := range []struct {
		name string
		t    Tally
		want error
	}{
		{"no outcome", Tally{}, ErrNoData},
		{"draws only", Tally{100: {Draws: 5}, -30: {Draws: 2}}, ErrNoData},
		{"only the score 0", Tally{0: {3, 3, 3}}, ErrNoData},
		{"inverted scores", Tally{100: {1, 2, 9}, -100: {9, 2, 1}}, ErrInverted},
		{"every leader wins", Tally{100: {Wins: 9}, -100: {Losses: 9}}, ErrSeparable},
	} {
		if m, err := Fit(c.t); !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v, want %v", c.name, m, err, c.want)
		}
	}
}

func TestDerivativesMatchDifferenceQuotients(t *testing.T) {
	l := newLikelihood(Tally{-300: {1, 4, 7}, -20: {2, 3, 4}, 0: {1, 5, 1}, 90: {6, 2, 1}, 800: {9, 1, 0}})
	const h, near = 1e-6, 1e-4
	for _, p := range []point{{0.5, 0.005}, {0.02, 0.01}, {3, 0.002}} {
		d := l.at(p)
		up, right := l.at(point{p.u + h, p.v}), l.at(point{p.u, p.v + h/100})
		down, left := l.at(point{p.u - h, p.v}), l.at(point{p.u, p.v - h/100})
		for _, c := range []struct {
			name            string
			got, difference float64
		}{
			{"u", d.u, (up.value - down.value) / (2 * h)},
			{"v", d.v, (right.value - left.value) / (2 * h / 100)},
			{"uu", d.uu, (up.u - down.u) / (2 * h)},
			{"uv", d.uv, (up.v - down.v) / (2 * h)},
			{"vv", d.vv, (right.v - left.v) / (2 * h / 100)},
		} {
			if math.Abs(c.got-c.difference) > near*math.Max(1, math.Abs(c.got)) {
				t.Errorf("%+v: %s is %f, the difference quotient is %f", p, c.name, c.got, c.difference)
			}
		}
	}
}
