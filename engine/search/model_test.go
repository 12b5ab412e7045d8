package search_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// asked is a Model whose values are static scores and whose logits are gains. It fails at one call.
type asked struct {
	calls, last int   // last: the call that fails, 0 for none
	value       int16 // of the failing call
	err         error
}

func (a *asked) Evaluate(p engine.Position, moves []engine.Move, logits []int16) (int16, error) {
	a.calls++
	if a.calls == a.last {
		return a.value, a.err
	}
	e := p.(engine.Evaluator)
	for i, m := range moves {
		logits[i] = int16(e.Gain(m))
	}
	return int16(max(min(e.Evaluate(), 3000), -3000)), nil
}

var errModel = errors.New("the model is gone")

// modelSearchers returns new searchers that ask a model.
func modelSearchers(m search.Model) map[string]search.Searcher {
	return map[string]search.Searcher{
		"greedy":      search.NewModelGreedy(m, 300),
		"mcts":        search.NewMCTS(search.MCTSOptions{Sims: 100, Model: m, Priors: search.PriorNet, Noise: 250}),
		"completed Q": search.NewMCTS(search.MCTSOptions{Sims: 100, Model: m, Priors: search.PriorNet, Target: search.TargetCompletedQ}),
	}
}

// TestModelFailuresEndTheSearch at once, with an error that names the position. The position stays as
// it was, and the next search is not affected.
func TestModelFailuresEndTheSearch(t *testing.T) {
	for _, g := range games() {
		p, healthy, failing := start(g), modelSearchers(new(asked)), new(asked)
		text, moves := p.String(), p.Moves(nil)
		slices.Sort(moves)
		for name, s := range modelSearchers(failing) {
			for _, last := range []int{1, 2, 7} {
				*failing = asked{last: last, err: errModel}
				r := clone(s.Search(p, source(1)))
				if !r.Aborted || !errors.Is(r.Err, errModel) || !strings.Contains(r.Err.Error(), "evaluate position ") || failing.calls != last {
					t.Fatalf("%s, %s: aborted %t with error %v after %d calls, want the end at call %d", g.Name, name, r.Aborted, r.Err, failing.calls, last)
				}
				if r.Moves[0].Exact != (last > 1) || p.String() != text || !slices.Equal(listed(r), moves) {
					t.Fatalf("%s, %s: %s, %+v after call %d", g.Name, name, p, r.Moves, last)
				}
				want := healthy[name].Search(p, source(1))
				if got := s.Search(p, source(1)); !reflect.DeepEqual(clone(got), clone(want)) {
					t.Fatalf("%s, %s: after a failure %+v, want %+v", g.Name, name, got, want)
				}
			}
		}
	}
}

// TestModelValuesHaveBounds: a value out of range is a failure and not a better win.
func TestModelValuesHaveBounds(t *testing.T) {
	for _, value := range []int16{search.ModelOne + 1, -search.ModelOne - 1} {
		p := start(games()[0])
		m := new(asked)
		for name, s := range modelSearchers(m) {
			*m = asked{last: 5, value: value}
			if r := s.Search(p, source(1)); r.Err == nil || !strings.Contains(r.Err.Error(), fmt.Sprintf("value %d: want -16384 to 16384", value)) {
				t.Errorf("%s: value %d: error %v", name, value, r.Err)
			}
		}
	}
}

// TestAbortEndsSearchesByModels after the simulation in which it is called: each may wait long.
func TestAbortEndsSearchesByModels(t *testing.T) {
	p, m, calls := start(games()[0]), new(asked), 0
	o := search.MCTSOptions{Sims: 500, Model: m, Priors: search.PriorNet, Abort: func() bool { calls++; return calls == 3 }}
	if r := search.NewMCTS(o).Search(p, nil); !r.Aborted || r.Err != nil || m.calls > 4 {
		t.Errorf("%d questions before the end of %+v", m.calls, r)
	}
}

// TestGreedyPlaysByTheModel: the value after the move decides, from the view of the side that moves.
func TestGreedyPlaysByTheModel(t *testing.T) {
	for _, g := range games() {
		p := start(g)
		for _, m := range search.NewModelGreedy(new(asked), 300).Search(p, source(1)).Moves {
			us := p.Turn()
			p.Do(m.Move)
			value, _ := new(asked).Evaluate(p, nil, nil)
			if p.Turn() != us {
				value = -value
			}
			if low, high := value < -300, value > 300; low && m.Score >= 0 || high && m.Score <= 0 {
				t.Errorf("%s, %s: score %d after a move of value %d", g.Name, p, m.Score, value)
			}
			p.Undo()
		}
	}
}

// gaining is a Policy whose logits are the gains of moves.
type gaining struct{ evaluating }

func (g *gaining) AppendLogits(dst []int32, moves []engine.Move) []int32 {
	for _, m := range moves {
		dst = append(dst, int32(g.p.Gain(m)))
	}
	return dst
}

// TestLogitsAreScoresOfPriors: with a policy whose logits are gains, the search finds what it
// finds with gains.
func TestLogitsAreScoresOfPriors(t *testing.T) {
	for _, g := range games() {
		for _, o := range []search.MCTSOptions{{Sims: 200}, {Sims: 100, Noise: 300, Target: search.TargetCompletedQ}} {
			o.Scorer = new(gaining)
			plain := search.NewMCTS(o)
			o.Priors = search.PriorNet
			net, p := search.NewMCTS(o), start(g)
			for seed := range uint64(4) {
				if !playRandom(p, 40, seed) {
					continue
				}
				want := clone(plain.Search(p, source(seed)))
				if got := clone(net.Search(p, source(seed))); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: %s: %+v, want %+v", g.Name, p, got, want)
				}
			}
		}
	}
}

// TestPriorNetNeedsAPolicy: NewMCTS panics before a search does.
func TestPriorNetNeedsAPolicy(t *testing.T) {
	for _, s := range []search.Scorer{nil, new(evaluating)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("NewMCTS accepts %T", s)
				}
			}()
			search.NewMCTS(search.MCTSOptions{Sims: 1, Priors: search.PriorNet, Scorer: s})
		}()
	}
}
