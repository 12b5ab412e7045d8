package wdl

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// foreseen is what would be seen of n games at each of some scores if a model was
// exactly right.
func foreseen(m Model, n float64, scores ...int) Tally {
	t := Tally{}
	for _, score := range scores {
		win, draw, loss := m.Chances(score)
		t[score] = Count{uint64(math.Round(n * win)), uint64(math.Round(n * draw)), uint64(math.Round(n * loss))}
	}
	return t
}

// drawn is what was seen of games that were drawn by lot with the chances of a model, at
// scores that are spread like those of games.
func drawn(m Model, n int, src *rand.Rand) Tally {
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
		{"few draws", Model{20, 150}, spread},
		{"mostly draws", Model{300, 90}, spread},
		{"no draws", Model{0, 200}, spread},
		{"a flat score", Model{500, 900}, spread},
		{"a steep score", Model{5, 12}, []int{-40, -20, -3, 0, 7, 33}},
		{"a score that saturates", Model{80, 100}, []int{-20_000, -5000, -100, 100, 5000, 20_000}},
		{"two scores", Model{60, 150}, []int{-200, 100}},
	} {
		got, err := Fit(foreseen(c.want, 1e9, c.at...))
		if err != nil || math.Abs(got.A-c.want.A) > 0.01 || math.Abs(got.B-c.want.B) > 0.01 {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
}

// TestFitComesNear: games drawn by lot give coefficients that are off by what chance
// explains.
func TestFitComesNear(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 5))
	for _, want := range []Model{{20, 150}, {120, 80}, {0, 100}} {
		got, err := Fit(drawn(want, 40_000, src))
		if err != nil || math.Abs(got.A-want.A) > 0.04*want.B || math.Abs(got.B-want.B) > 0.04*want.B {
			t.Errorf("%+v, %v, want about %+v", got, err, want)
		}
	}
}

// TestFitIsTheLikeliest: every model nearby explains the games worse.
func TestFitIsTheLikeliest(t *testing.T) {
	games := drawn(Model{40, 120}, 5000, rand.New(rand.NewPCG(1, 6)))
	m, err := Fit(games)
	if err != nil {
		t.Fatal(err)
	}
	best := games.LogLoss(m)
	for _, da := range []float64{-0.5, 0, 0.5} {
		for _, db := range []float64{-0.5, 0, 0.5} {
			if loss := games.LogLoss(Model{m.A + da, m.B + db}); loss < best {
				t.Errorf("a %+.1f, b %+.1f: %.9f, less than %.9f", da, db, loss, best)
			}
		}
	}
	if constant := games.ConstantLoss(); best >= constant {
		t.Errorf("log loss %f, without scores %f", best, constant)
	}
}

// TestFitSeesBothSidesAlike: whoever is asked, the game is the same.
func TestFitSeesBothSidesAlike(t *testing.T) {
	games := drawn(Model{40, 120}, 3000, rand.New(rand.NewPCG(1, 7)))
	turned := Tally{}
	for score, c := range games {
		turned[-score] = Count{c.Losses, c.Draws, c.Wins}
	}
	a, errA := Fit(games)
	b, errB := Fit(turned)
	if errA != nil || errB != nil || math.Abs(a.A-b.A) > 1e-6 || math.Abs(a.B-b.B) > 1e-6 {
		t.Errorf("%+v, %v as one side sees it, %+v, %v as the other does", a, errA, b, errB)
	}
}

// TestErrorsTellHowFarOff: of many fits to games drawn by lot, two of three lie within a
// standard error of the truth.
func TestErrorsTellHowFarOff(t *testing.T) {
	const trials = 60
	src, truth, near := rand.New(rand.NewPCG(1, 8)), Model{60, 150}, 0
	for range trials {
		blocks := drawnBlocks(truth, 10, 60, src)
		m, _ := Fit(without(blocks, -1))
		_, b, err := Errors(blocks)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(m.B-truth.B) < b {
			near++
		}
	}
	if near < trials*50/100 || near > trials*85/100 {
		t.Errorf("%d of %d fits are within a standard error of the truth", near, trials)
	}
}

// TestErrorsAreNotFooledByPlies: a game that tells the same nine times over tells no more.
func TestErrorsAreNotFooledByPlies(t *testing.T) {
	blocks := drawnBlocks(Model{60, 150}, 10, 60, rand.New(rand.NewPCG(1, 9)))
	a, b, err := Errors(blocks)
	for _, t := range blocks {
		for score, c := range t {
			t[score] = Count{9 * c.Wins, 9 * c.Draws, 9 * c.Losses}
		}
	}
	a9, b9, err9 := Errors(blocks)
	if err != nil || err9 != nil || math.Abs(a-a9) > 1e-3 || math.Abs(b-b9) > 1e-3 {
		t.Errorf("errors %f and %f, nine times over %f and %f; %v, %v", a, b, a9, b9, err, err9)
	}
}

func drawnBlocks(m Model, blocks, games int, src *rand.Rand) (list []Tally) {
	for range blocks {
		list = append(list, drawn(m, games, src))
	}
	return list
}

func TestFitRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		t    Tally
		want error
	}{
		{"nothing", Tally{}, ErrNothingSeen},
		{"draws only", Tally{100: {Draws: 5}, -30: {Draws: 2}}, ErrNothingSeen},
		{"a score that says nothing", Tally{0: {3, 3, 3}}, ErrNothingSeen},
		{"scores upside down", Tally{100: {1, 2, 9}, -100: {9, 2, 1}}, ErrNoSense},
		{"won whenever ahead", Tally{100: {Wins: 9}, -100: {Losses: 9}}, ErrNoDoubt},
	} {
		if m, err := Fit(c.t); !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v, want %v", c.name, m, err, c.want)
		}
	}
}

// TestSlopes compares the derivatives with differences.
func TestSlopes(t *testing.T) {
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
				t.Errorf("%+v: %s is %f, differences give %f", p, c.name, c.got, c.difference)
			}
		}
	}
}
