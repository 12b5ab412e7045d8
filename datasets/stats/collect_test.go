package stats

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// randomGames returns random games with random scores, policies and results.
func randomGames(t *testing.T, g encode.Game, n int) (list []*engine.Record) {
	t.Helper()
	src := rand.NewPCG(1, 2)
	rnd := rand.New(src)
	p, twin := g.New(""), g.New("")
	for game := range n {
		p.Reset()
		twin.Reset()
		r := &engine.Record{Game: uint64(game), Outcome: engine.Outcome{Reason: engine.PlyLimit}}
		for range 30 + rnd.IntN(30) {
			m, ok := p.DoRandom(src)
			if !ok {
				r.Outcome = p.Outcome()
				break
			}
			number := g.Actions.Number(m)
			twin.Do(m)
			r.Actions = append(r.Actions, number)
			r.Best = append(r.Best, number)
			r.MoveRanks = append(r.MoveRanks, engine.RankRandom)
			r.Scores = append(r.Scores, int16(rnd.IntN(4000)-2000))
			r.Nodes = append(r.Nodes, uint32(rnd.IntN(2)))
			r.PolicySize = append(r.PolicySize, 2)
			r.PolicyAction = append(r.PolicyAction, number, number)
			r.PolicyWeight = append(r.PolicyWeight, uint16(1+rnd.IntN(9)), 5)
		}
		if r.Outcome.Result == engine.NoResult && game%4 > 0 {
			r.Outcome = engine.Outcome{Result: engine.Result(game % 4), Reason: engine.Adjudicated}
		}
		list = append(list, r)
	}
	return list
}

// TestMergedCollectorsGiveTheSameSummary for any division and order of the games.
func TestMergedCollectorsGiveTheSameSummary(t *testing.T) {
	for _, g := range encode.Games() {
		games := randomGames(t, g, 40)
		one, divided := New(g, "", g.ReferenceModel(), 3), New(g, "", g.ReferenceModel(), 3)
		divided.openings.seed = one.openings.seed
		for _, r := range games {
			must.Do(t, one.Add(r, r.Game%4 == 3))
		}
		forks := []*Collector{divided.Fork(), divided.Fork(), divided.Fork()}
		slices.Reverse(games)
		for i, r := range games {
			must.Do(t, forks[i*i%3].Add(r, r.Game%4 == 3))
		}
		for _, f := range forks {
			divided.Merge(f)
		}
		if one.Scale() != divided.Scale() {
			t.Errorf("%s: scales %v and %v", g.Name, one.Scale(), divided.Scale())
		}
		want, got := text(t, one.Summary(one.Scale())), text(t, divided.Summary(one.Scale()))
		if want != got {
			t.Errorf("%s: at once\n%s\ndivided\n%s", g.Name, want, got)
		}
		if want, got := text(t, one.Notable()), text(t, divided.Notable()); want != got {
			t.Errorf("%s: notable games at once\n%s\ndivided\n%s", g.Name, want, got)
		}
		for cell := range one.cells.n {
			if !slices.Equal(one.Occupancy(cell), divided.Occupancy(cell)) {
				t.Errorf("%s: cell %d has %v and %v", g.Name, cell, one.Occupancy(cell), divided.Occupancy(cell))
			}
		}
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b := must.Get(json.Marshal(v))(t)
	return string(b)
}

// TestCountsAddUp: spans, ranges and cells count every game and ply once.
func TestCountsAddUp(t *testing.T) {
	for _, g := range encode.Games() {
		games := randomGames(t, g, 20)
		c := New(g, "", nil, 1)
		for _, r := range games {
			must.Do(t, c.Add(r, false))
		}
		s := c.Summary(c.Scale())
		var ended, scores, spread, legal, policies uint64
		for _, span := range s.Lengths.Spans {
			ended += total(span.Games[:])
		}
		if ended != s.Games || total(s.Lengths.Spans[0].Going[:]) != s.Games {
			t.Errorf("%s: spans have %d ended games and begin with %d of %d", g.Name, ended, total(s.Lengths.Spans[0].Going[:]), s.Games)
		}
		for _, r := range s.Scores.Histogram {
			scores += r.Plies
		}
		for _, at := range s.Scores.ByPly {
			spread += at.Plies
		}
		if scores+s.Scores.Proven != s.Scores.Plies || spread != scores {
			t.Errorf("%s: %d scores in the histogram, %d by ply, of %d", g.Name, scores, spread, s.Scores.Plies)
		}
		for _, r := range s.Legal.Spread {
			legal += r.Plies
		}
		for _, r := range s.Policy.Spread {
			policies += r.Plies
		}
		if legal != s.Plies || s.Legal.None != 0 || policies != s.Plies {
			t.Errorf("%s: of %d plies %d have legal moves, %d none, %d a policy", g.Name, s.Plies, legal, s.Legal.None, policies)
		}
		for cell := range c.cells.n {
			if counted := total(c.Occupancy(cell)); counted != s.Plies {
				t.Errorf("%s: cell %d was counted %d times, want %d", g.Name, cell, counted, s.Plies)
			}
		}
	}
}

func TestSpansCountResultsOfGamesThatReachThem(t *testing.T) {
	var l lengths
	for plies, result := range map[int]engine.Result{3: engine.FirstWins, 4: engine.Draw, 9: engine.SecondWins} {
		l.add(plies, result)
	}
	spans := l.spans(5)
	if want := []Span{
		{0, 4, [results]uint64{engine.FirstWins: 1, engine.Draw: 1}, [results]uint64{engine.FirstWins: 1, engine.SecondWins: 1, engine.Draw: 1}},
		{5, 9, [results]uint64{engine.SecondWins: 1}, [results]uint64{engine.SecondWins: 1}},
	}; !slices.Equal(spans, want) {
		t.Errorf("%+v", spans)
	}
}

// TestTreeHasSharesOfMoves in algebraic notation. Lines of a single game end after their
// first move.
func TestTreeHasSharesOfMoves(t *testing.T) {
	g := encode.Chess()
	c := New(g, "", nil, 0)
	for _, line := range [][]string{{"e2e4", "e7e5", "g1f3"}, {"e2e4", "e7e5", "f1c4"}, {"e2e4", "c7c5"}, {"d2d4"}} {
		must.Do(t, c.Add(record(t, g, line...), false))
	}
	trees := c.Summary(c.Scale()).Trees
	want := `[{"start":"","games":4,"moves":2,"next":[{"move":"e4","games":3,"share":0.75,"moves":2,"next":[{"move":"e5","games":2,"share":0.5,"moves":2}]},{"move":"d4","games":1,"share":0.25,"moves":0}]}]`
	if got := text(t, trees); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestEstimatesToleratePositionsOfEveryGame: a sample has such positions too often or not at
// all; the shares must not depend on that.
func TestEstimatesToleratePositionsOfEveryGame(t *testing.T) {
	const games, common, own = 3000, 10, 30
	for salt := range uint64(8) {
		d := newDistinct()
		d.most = 1 << 10
		for g := range uint64(games) {
			var hashes []uint64
			for ply := range uint64(common + own) {
				position := ply
				if ply >= common {
					position += g << 8
				}
				hashes = append(hashes, rand.NewPCG(salt, position).Uint64())
			}
			d.add(hashes, g%20 == 0)
		}
		p := d.positions()
		if !p.Estimated || p.Validation != games/20*(common+own) {
			t.Fatalf("%+v", p)
		}
		if p.Share < 0.65 || p.Share > 0.85 || p.Leakage < 0.05 || p.Leakage > 0.45 { // 0.75 and 0.25
			t.Errorf("salt %d: %+v", salt, p)
		}
	}
}

func TestLeakageCountsValidationPliesOfTrainPositions(t *testing.T) {
	g := encode.Chess()
	c := New(g, "", nil, 0)
	for _, add := range []struct {
		line       []string
		validation bool
	}{{[]string{"e2e4", "e7e5"}, false}, {[]string{"e2e4", "c7c5", "g1f3", "d7d6"}, true}} {
		must.Do(t, c.Add(record(t, g, add.line...), add.validation))
	}
	// The start and the position after e4 are in both.
	if p := c.Summary(c.Scale()).Positions; p.Validation != 4 || p.Leakage != 0.5 || p.Distinct != 4 || p.Estimated {
		t.Errorf("%+v", p)
	}
}

func TestEntropyOfWeights(t *testing.T) {
	for _, c := range []struct {
		weights []uint16
		want    uint64 // thousandths of a bit
	}{{nil, 0}, {[]uint16{7}, 0}, {[]uint16{5, 5}, 1000}, {[]uint16{1, 1, 1, 1}, 2000}, {[]uint16{0, 3, 3}, 1000}, {[]uint16{65535, 1}, 0}, {[]uint16{3, 1}, 811}} {
		if got := entropy(c.weights); got != c.want {
			t.Errorf("%v: %d, want %d", c.weights, got, c.want)
		}
	}
}

// TestHistogramIsCentredOnZero, and its outermost ranges hold all scores beyond them.
func TestHistogramIsCentredOnZero(t *testing.T) {
	c := newScores(nil)
	for _, score := range []int{-20_000, -6, -5, 0, 4, 5, 205, 9999} {
		c.add(0, score, engine.First, engine.Ongoing)
	}
	list := histogram(c.counts, 10)
	for i, want := range map[int]uint64{0: 1, bins - 1: 1, bins: 3, bins + 1: 1, 2 * bins: 2} {
		if list[i].Plies != want {
			t.Errorf("range %d from %d to %d has %d, want %d", i, list[i].Low, list[i].High, list[i].Plies, want)
		}
	}
	if list[bins].Low != -5 || list[bins].High != 4 {
		t.Errorf("%+v", list[bins])
	}
}

func TestWidthGivesAtMost40Ranges(t *testing.T) {
	for _, c := range []struct{ n, want int }{{0, 1}, {40, 1}, {41, 2}, {400, 10}, {401, 20}, {1001, 50}, {65536, 2000}, {1 << 20, 2000}} {
		if got := width(c.n); got != c.want {
			t.Errorf("%d: %d, want %d", c.n, got, c.want)
		}
	}
}

func TestOnlyScoresOfGamesWithAResultAreJudged(t *testing.T) {
	model := &encode.WDL{A: 100, B: 200}
	c := newScores(model)
	for _, end := range []engine.Outcome{
		{Result: engine.FirstWins, Reason: engine.Checkmate}, {Result: engine.Draw, Reason: engine.Fifty},
		{Result: engine.FirstWins, Reason: engine.Adjudicated}, {Result: engine.Draw, Reason: engine.Adjudicated}, {Reason: engine.PlyLimit},
	} {
		c.add(0, 50, engine.First, end)
	}
	s := c.summary(50, 1)
	if s.Plies != 5 || s.Judged != 4 || len(s.Buckets) != 1 || s.Buckets[0].Seen != [3]float64{0.5, 0.5, 0} {
		t.Errorf("%+v", s)
	}
	none := newScores(model)
	none.add(0, 50, engine.First, engine.Outcome{Reason: engine.PlyLimit})
	if s := none.summary(50, 1); s.Judged != 0 || s.Buckets != nil || s.Loss != 0 || s.Plies != 1 {
		t.Errorf("%+v", s)
	}
}

// TestPliesOfAGameAreOneResult, also of games that were added to a fork.
func TestPliesOfAGameAreOneResult(t *testing.T) {
	c := New(encode.Chess(), "", &encode.WDL{A: 0, B: 100}, 0)
	fork := c.Fork()
	must.Do(t, c.Add(scored(t, 0, engine.FirstWins, 0, 0, 0, 0), false))
	must.Do(t, fork.Add(scored(t, 1, engine.Draw, 0, 0, 0, 0), false))
	c.Merge(fork)
	b := c.Summary(c.Scale()).Scores.Buckets
	if len(b) != 1 || b[0].Plies != 8 || b[0].Results != 2 || b[0].Error[1] == 0 {
		t.Errorf("%+v, want 8 plies worth two results", b)
	}
}
