package enginetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"

	"selfplay/engine"
	"selfplay/engine/search"
)

// searchGames is the number of games in which searches play against random moves.
const searchGames = 8

// searchesKeepTheContract: a search asks Gain, Placement, Hangs and GivesCheck about legal moves only, and
// leaves the position as it was. Alpha-beta and a tree search play one side of random games.
func searchesKeepTheContract(g target) error {
	if _, ok := g.New().(engine.Evaluator); !ok {
		return nil
	}
	p := g.New().(engine.Evaluator)
	for game := range searchGames {
		start, limit := g.start(game)
		if err := begin(p, start); err != nil {
			return err
		}
		searchers, src := newSearchers(), rand.NewPCG(uint64(game), 12)
		for ply := range min(limit, 1+g.Plies/4000) {
			if p.Outcome() != engine.Ongoing {
				break
			}
			if err := searchAt(p, searchers[ply%len(searchers)], src); err != nil {
				return fmt.Errorf("game %d from %q, ply %d, %s: %w", game, start, ply, Describe(p), err)
			}
			draw(p, src)
		}
	}
	return nil
}

// newSearchers returns searches that reach all stages of the move order: killers begin at depth 3.
func newSearchers() []search.Searcher {
	calls := 0
	abort := func() bool { calls++; return calls%64 == 0 } // a capture search without an end is not a fault of its own
	return []search.Searcher{
		search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 4, Nodes: 2000, Hard: 3000, Hash: 1, Abort: abort}),
		search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 3, Nodes: 1000, Hard: 2000, Abort: abort}),
		search.NewMCTS(search.MCTSOptions{Sims: 20, Leaf: search.LeafQuiescence, Priors: search.PriorDelta}),
	}
}

// searchAt searches one position and compares it with what it was.
func searchAt(p engine.Evaluator, s search.Searcher, src *rand.PCG) (err error) {
	before := newSnapshot(p)
	defer Recover(&err)
	r := s.Search(&legalOnly{Evaluator: p}, src)
	if err = before.compare(p); err != nil {
		return fmt.Errorf("a search changes the position: %w", err)
	}
	if len(r.Moves) != len(before.list) {
		return fmt.Errorf("a search returns %d moves of %d", len(r.Moves), len(before.list))
	}
	for _, m := range r.Moves {
		if !slices.Contains(before.list, m.Move) {
			return fmt.Errorf("a search returns move %#x, which is not listed", m.Move)
		}
	}
	return nil
}

// legalOnly is an Evaluator whose methods that take a legal move panic if Moves does not list it. It hides
// what else a game implements.
type legalOnly struct {
	engine.Evaluator
	list   []engine.Move // the legal moves
	listed bool          // list is that of the position as it is
}

// illegalMove is the panic of legalOnly.
type illegalMove string

func (l *legalOnly) mustList(method string, m engine.Move) {
	if !l.listed {
		l.list, l.listed = l.Moves(l.list[:0]), true
	}
	if !slices.Contains(l.list, m) {
		panic(illegalMove(fmt.Sprintf("the search calls %s of move %#x, which is not legal at %q", method, m, l.String())))
	}
}

func (l *legalOnly) Do(m engine.Move) {
	l.mustList("Do", m)
	l.Evaluator.Do(m)
	l.listed = false
}

func (l *legalOnly) Undo() {
	l.Evaluator.Undo()
	l.listed = false
}

func (l *legalOnly) Gain(m engine.Move) int {
	l.mustList("Gain", m)
	return l.Evaluator.Gain(m)
}

func (l *legalOnly) Placement(m engine.Move) int {
	l.mustList("Placement", m)
	return l.Evaluator.Placement(m)
}

func (l *legalOnly) Hangs(m engine.Move) bool {
	l.mustList("Hangs", m)
	return l.Evaluator.Hangs(m)
}

func (l *legalOnly) GivesCheck(m engine.Move) bool {
	l.mustList("GivesCheck", m)
	return l.Evaluator.GivesCheck(m)
}

// Recover, deferred, turns a panic into an error that says where it happened.
func Recover(err *error) {
	switch r := recover().(type) {
	case nil:
	case illegalMove:
		*err = errors.New(string(r))
	default:
		*err = fmt.Errorf("panic: %v%s", r, panicPlace(string(debug.Stack())))
	}
}

// panicPlace returns the function and the line that panicked, from a stack: the first below the runtime's.
func panicPlace(stack string) string {
	_, stack, found := strings.Cut(stack, "\npanic(")
	if !found {
		return ""
	}
	lines := strings.Split(stack, "\n")
	for i := 2; i+1 < len(lines); i += 2 {
		if strings.HasPrefix(lines[i], "runtime.") {
			continue
		}
		name, _, _ := strings.Cut(lines[i], "(0x")
		line, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		return fmt.Sprintf(" in %s at %s", name, line[strings.LastIndexByte(line, '/')+1:])
	}
	return ""
}

// Describe returns the text of a position in quotes, also of one that cannot write it.
func Describe(p engine.Position) (text string) {
	defer func() {
		if recover() != nil {
			text = "a position whose String panics"
		}
	}()
	return fmt.Sprintf("%q", p.String())
}
