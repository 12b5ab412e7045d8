package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/contrast"
	"selfplay/engine/cotulenh"
)

// TestHalvingSchedule: the numbers of moves per round, by hand and as mctx.seq_halving has them.
func TestHalvingSchedule(t *testing.T) {
	for _, c := range []struct {
		sims, moves int
		want        []int // pairs: moves, rounds
	}{
		{1, 1, []int{1, 1}},
		{5, 1, []int{1, 5}},
		{8, 2, []int{2, 4}},
		{9, 2, []int{2, 5}}, // 4 rounds, then again 4 for the simulation that is left
		{16, 3, []int{3, 2, 2, 5}},
		{16, 4, []int{4, 2, 2, 4}},
		{7, 4, []int{4, 1, 2, 2}},
		{16, 16, []int{16, 1}},
		{50, 16, []int{16, 1, 8, 1, 4, 3, 2, 7}},
		{200, 16, []int{16, 3, 8, 6, 4, 12, 2, 28}},
	} {
		h, left := newHalving(c.sims, c.moves), c.sims
		var got []int
		for left > 0 {
			n := h.next()
			left -= n
			if k := len(got); k > 0 && got[k-2] == n {
				got[k-1]++
			} else {
				got = append(got, n, 1)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d simulations of %d moves: %v, want %v", c.sims, c.moves, got, c.want)
		}
	}
}

// TestGumbelVisitsFollowTheSchedule: the visits of the root moves are those of the schedule, whatever
// the values are, and add up to the simulations.
func TestGumbelVisitsFollowTheSchedule(t *testing.T) {
	modelPositions(t, func(t *testing.T, p engine.Evaluator) {
		for _, o := range []MCTSOptions{{Sims: 1}, {Sims: 7}, {Sims: 50}, {Sims: 200}, {Sims: 200, Considered: 4}, {Sims: 33, Considered: 1}} {
			o.Root, o.Gumbel, o.Target = RootGumbel, 1000, TargetCompletedQ
			considered := o.withDefaults().Considered
			moves := min(considered, o.Sims, len(p.Moves(nil)))
			want := make([]uint32, moves)
			h := newHalving(o.Sims, moves)
			for left := o.Sims; left > 0; {
				n := h.next()
				for i := range want[:min(n, left)] {
					want[i]++
				}
				left -= n
			}
			r, sum := NewMCTS(o).Search(p, rand.NewPCG(3, 4)), 0
			for i, m := range r.Moves {
				sum += int(m.Visits)
				if i < moves && m.Visits != want[i] || i >= moves && m.Visits > 0 {
					t.Fatalf("%+v, %s: %d visits of move %d, want %v", o, p, m.Visits, i, want)
				}
			}
			if sum != o.Sims || r.Moves[0].Weight == 0 {
				t.Fatalf("%+v, %s: %d visits", o, p, sum)
			}
		}
	})
}

// plainHalving is the algorithm of the paper as mctx has it: at every simulation, of the moves with as
// many visits as the schedule says, the one with the highest sum is visited. It returns the moves
// by their visits, and the move to play.
func plainHalving(p engine.Evaluator, o MCTSOptions, src *rand.PCG) (root *plainNode, chosen engine.Move) {
	o = o.withDefaults()
	t := plainTree{p: p, o: o}
	root = &plainNode{mean: t.static()}
	t.expand(root)
	base := make([]float64, len(root.children))
	for i, c := range root.children {
		base[i] = math.Log(float64(c.prior)/one) - float64(o.Gumbel)/1000*math.Log(-math.Log(uniform(src)))
	}
	sum := func(i int, most uint32) float64 {
		c := root.children[i]
		if c.visits == 0 {
			return base[i] // those that are compared have none
		}
		return base[i] + float64(50+most)*(float64(c.mean)/one+1)/2
	}
	best := func(visits uint32) (best int) {
		best, most := -1, uint32(0)
		for _, c := range root.children {
			most = max(most, c.visits)
		}
		for i, c := range root.children {
			if c.visits == visits && (best < 0 || sum(i, most) > sum(best, most)) {
				best = i
			}
		}
		return best
	}
	for _, visits := range plainSchedule(min(o.Considered, o.Sims, len(root.children)), o.Sims) {
		c, us := root.children[best(visits)], p.Turn()
		p.Do(c.move)
		value := t.visit(c, us)
		p.Undo()
		root.visits++
		root.total += value * (1 - 2*int64(us))
	}
	most := uint32(0)
	for _, c := range root.children {
		most = max(most, c.visits)
	}
	return root, root.children[best(most)].move
}

// plainSchedule returns the visits that the move of each simulation has had before.
func plainSchedule(moves, sims int) (list []uint32) {
	if moves == 1 {
		for i := range sims {
			list = append(list, uint32(i))
		}
		return list
	}
	phases, visits, n := int(math.Ceil(math.Log2(float64(moves)))), make([]uint32, moves), moves
	for len(list) < sims {
		for range max(1, sims/(phases*n)) {
			list = append(list, visits[:n]...)
			for i := range n {
				visits[i]++
			}
		}
		n = max(2, n/2)
	}
	return list[:sims]
}

// TestGumbelFollowsThePaper: moves, visits and the chosen move are those of the algorithm in floats.
func TestGumbelFollowsThePaper(t *testing.T) {
	modelPositions(t, func(t *testing.T, p engine.Evaluator) {
		for _, o := range []MCTSOptions{{Sims: 16}, {Sims: 50}, {Sims: 200, Priors: PriorStatic}, {Sims: 64, Model: hashModel{}, Priors: PriorNet}, {Sims: 48, Considered: 6}} {
			for seed := range uint64(4) {
				o.Root, o.Gumbel = RootGumbel, 1000
				root, chosen := plainHalving(p, o, rand.NewPCG(seed, 1))
				visits := map[engine.Move]uint32{}
				for _, c := range root.children {
					visits[c.move] = c.visits
				}
				r := NewMCTS(o).Search(p, rand.NewPCG(seed, 1))
				for _, m := range r.Moves {
					if m.Visits != visits[m.Move] {
						t.Fatalf("%+v, %s: move %s has %d visits, want %d", o, p, p.FormatMove(m.Move), m.Visits, visits[m.Move])
					}
				}
				if r.Moves[0].Move != chosen {
					t.Fatalf("%+v, %s: %s is chosen, want %s", o, p, p.FormatMove(r.Moves[0].Move), p.FormatMove(chosen))
				}
			}
		}
	})
}

// TestGumbelSamplesThePriors: with one simulation, moves are drawn by their priors.
func TestGumbelSamplesThePriors(t *testing.T) {
	const draws = 4000
	p := contrast.Game().New("").(engine.Evaluator)
	s, src, counts := NewMCTS(MCTSOptions{Sims: 1, Root: RootGumbel, Gumbel: 1000, Priors: PriorStatic}), rand.NewPCG(1, 2), map[engine.Move]int{}
	for range draws {
		counts[s.Search(p, src).Moves[0].Move]++
	}
	for i, m := range p.Moves(nil) {
		want := float64(s.rootPriors[i]) / one * draws
		if got := float64(counts[m]); math.Abs(got-want) > 5*math.Sqrt(want)+3 {
			t.Errorf("%s: drawn %v times, want about %v", p.FormatMove(m), got, want)
		}
	}
}

// TestResultsAreFrozen: searches find the same on every machine. Do not edit: a change of the
// digest needs another version of the player.
func TestResultsAreFrozen(t *testing.T) {
	for i, want := range []uint64{0x48f65387db20b872, 0x36f2ce7e6c3c8064, 0x824a9d85aeceb35c} {
		o := []MCTSOptions{
			{Sims: 50, Root: RootGumbel, Gumbel: 1000, Target: TargetCompletedQ},
			{Sims: 120, Root: RootGumbel, Considered: 5, Target: TargetCompletedQ, Model: hashModel{}, Priors: PriorNet},
			{Sims: 200, FPUReduction: 350, Priors: PriorStatic},
		}[i]
		s, digest := NewMCTS(o), uint64(0)
		for _, g := range []engine.Game{chess.Game(), contrast.Game(), cotulenh.Game()} {
			p, src := g.New("").(engine.Evaluator), rand.NewPCG(7, 8)
			for range 20 {
				for _, m := range s.Search(p, src).Moves {
					digest = engine.Mix(digest ^ uint64(m.Move)<<32 ^ uint64(m.Visits)<<16 ^ uint64(m.Weight))
				}
				p.DoRandom(src)
			}
		}
		if digest != want {
			t.Errorf("%+v: digest %#x, want %#x", o, digest, want)
		}
	}
}

// TestGumbelNoiseIsFrozen: the noise has the same bits on every machine. Do not edit.
func TestGumbelNoiseIsFrozen(t *testing.T) {
	src := rand.NewPCG(1, 2)
	var got []int64
	for range 8 {
		got = append(got, gumbel(1000, src))
	}
	if want := []int64{87734, 47584, 92767, 97059, -24407, -76006, 24003, 14633}; !slices.Equal(got, want) {
		t.Errorf("%d, want %d", got, want)
	}
	if before := *src; gumbel(0, src) != 0 || *src != before {
		t.Error("noise of scale 0 draws")
	}
}
