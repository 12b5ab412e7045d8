package workers

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/search"
)

// searchPlayer plays a move found by a search.
type searchPlayer struct {
	searcher search.Searcher
	// top is the number of best moves whose order is meaningful; 0 means all.
	top int
	// choose returns the index of the move to play; nil means the best move.
	choose func(moves []search.RootMove, src *rand.PCG) int
	// appendPolicy appends the policy of the root moves; nil means no policy.
	appendPolicy func(dst []Weight, moves []search.RootMove) []Weight
	policy       []Weight
	err          error       // of the model of the last search
	last         Explanation // of the last search, without a line
	asker        *asker      // the model; nil without one
}

func (p *searchPlayer) Play(pos engine.Position, src *rand.PCG, d *Decision) (ok bool) {
	moves := p.search(pos, src, d)
	if len(moves) == 0 {
		return false
	}
	i := 0
	if p.choose != nil {
		i = p.choose(moves, src)
	}
	d.Move, d.Rank = moves[i].Move, moveRank(i)
	pos.Do(d.Move)
	return true
}

// search searches pos, fills in the search fields of d and returns the best moves, none
// if the game is over or the search is aborted. The moves are valid until the next search.
func (p *searchPlayer) search(pos engine.Position, src *rand.PCG, d *Decision) []search.RootMove {
	r := p.searcher.Search(pos, src)
	p.err, p.last = r.Err, Explanation{Depth: r.Depth, End: r.End}
	if len(r.Moves) == 0 {
		return nil
	}
	d.Score = int16(r.Score)
	d.Nodes = uint32(min(max(r.Nodes, 1), math.MaxUint32))
	d.Best = r.Moves[0].Move
	if r.Aborted {
		if !r.Moves[0].Exact {
			d.Nodes = 0
		}
		return nil
	}
	if p.top > 0 {
		r.Moves = r.Moves[:min(p.top, len(r.Moves))]
	}
	p.policy = p.policy[:0]
	if p.appendPolicy != nil && !r.Cheap { // the record tells cheap searches by this
		p.policy = p.appendPolicy(p.policy, r.Moves)
	}
	d.Policy = p.policy
	return r.Moves
}

// NewGame tells the search that the next decisions are those of one game.
func (p *searchPlayer) NewGame() {
	if s, ok := p.searcher.(interface{ NewGame() }); ok {
		s.NewGame()
	}
}

// SearchOnly makes the next decisions choose among some legal moves; nil for all. It returns false if the search
// cannot.
func (p *searchPlayer) SearchOnly(moves []engine.Move) bool {
	s, ok := p.searcher.(interface{ SearchOnly([]engine.Move) })
	if ok {
		s.SearchOnly(moves)
	}
	return ok
}

// Err returns why the model of the player failed in the last search, nil if it did not.
func (p *searchPlayer) Err() error { return p.err }

// Explain explains the last search: see search.Result and search.Liner.
func (p *searchPlayer) Explain(pos engine.Position, moves int) Explanation {
	x := p.last
	if l, ok := p.searcher.(search.Liner); ok {
		x.Line = l.Line(pos, moves)
	}
	return x
}

// moveRank returns the rank of root move i, limited to the ranks below RankRandom.
func moveRank(i int) uint8 { return uint8(min(i, int(engine.RankRandom)-1)) }

func newGreedy(g *engine.Game, _ Values, net *Network) (Factory, error) {
	if net.outside() == nil {
		if err := checkSearchable(g); err != nil {
			return Factory{}, err
		}
	}
	return Factory{Searches: true, rates: true, Stateless: true, New: func(search.Abort) Player {
		if a := net.newModel(); a != nil {
			return &searchPlayer{searcher: search.NewModelGreedy(a, modelScale), asker: a}
		}
		return &searchPlayer{searcher: search.NewGreedy(net.NewScorer())}
	}}, nil
}

// modelScale is the score in centi-units that stands for an expected result of 73 % by a model, as the
// default scale of mcts does.
const modelScale = 300

// maxNodes is the highest node limit. An int of 32 bits holds no higher one than MaxInt.
const maxNodes = min(math.MaxUint32, math.MaxInt)

// defaultNodes is the node limit of ab without parameters.
const defaultNodes = 1000

func alphaBetaParams(*engine.Game) []Param {
	return []Param{
		{Name: "depth", Usage: "N", Doc: "search depth in turns; 0 for no limit", Min: 0, Max: search.MaxDepth},
		{Name: "nodes", Usage: "N", Doc: "finish the iteration that reaches N nodes; 0 for no limit. Without depth and nodes: 1000, hash=1", Min: 0, Max: maxNodes},
		{Name: "mean", Usage: "N", Doc: "in place of nodes: the limit nodes that costs N nodes in the mean, as measured in games", Min: 0, Max: maxNodes},
		{Name: "hash", Usage: "MIB", Doc: "size of the transposition table, not of exact=true; 0 for none", Min: 0, Max: search.MaxHash},
		{Name: "multi", Usage: "N", Doc: "number of best moves with exact scores; more than one also records a policy, a softmax of score/20", Default: 1, Min: 1, Max: 255},
		WordParam("exact", "true: prune soundly only, so that scores are those of minimax; false: prune and reduce what is unlikely to matter", 0, "false", "true"),
		{Name: "hard", Usage: "N", Doc: "node limit inside an iteration, not of exact=true; 0 for none", Min: 0, Max: maxNodes},
		{Name: "temp", Usage: "SCORE", Doc: "with multi: draw among the best moves by a softmax of score/temp; 0 plays the best", Min: 0, Max: engine.MaxStatic},
	}
}

func newAlphaBeta(g *engine.Game, v Values, net *Network) (Factory, error) {
	if err := checkSearchable(g); err != nil {
		return Factory{}, err
	}
	if err := limitByMean(g, v); err != nil {
		return Factory{}, err
	}
	if v["temp"] > 0 && v["multi"] == 1 {
		return Factory{}, errors.New("temp draws among the best moves: want multi=2 or more with it")
	}
	if v["depth"] == 0 && v["nodes"] == 0 {
		v["nodes"] = defaultNodes
		if v["exact"] == 0 {
			v["hash"] = max(v["hash"], 1)
		}
	}
	o := search.AlphaBetaOptions{Depth: v["depth"], Nodes: uint64(v["nodes"]), Hash: v["hash"], Multi: v["multi"], Exact: v["exact"] == 1, Hard: uint64(v["hard"])}
	if from := uint64(g.New("").(engine.Evaluator).Tuning().KeepFrom); from > 0 && o.Nodes >= from && o.Hash > 0 && !o.Exact {
		o.Keep = true
	}
	f := Factory{Searches: true, rates: true, Stateless: !o.Keep, KeepsInGames: o.Keep, OnlyBest: o.Multi == 1, Memory: o.TableBytes(), New: func(abort search.Abort) Player {
		o := o
		o.Scorer, o.Abort = net.NewScorer(), abort
		p := &searchPlayer{searcher: search.NewAlphaBeta(o), top: o.Multi}
		if o.Multi > 1 {
			p.appendPolicy = scorePolicy
		}
		if temp := v["temp"]; temp > 0 {
			p.choose = func(moves []search.RootMove, src *rand.PCG) int { return search.PickByScore(moves, temp, src) }
		}
		return p
	}}
	if name, ok := net.shipped(); ok && !o.Exact {
		f.Games = encode.SearchedGames{Depth: o.Depth, Nodes: v["nodes"], Temp: v["temp"], Network: name}
	}
	return f, o.Validate()
}

// limitByMean replaces the parameter mean by the limit that has this mean cost. So the name of a player,
// which plans have, does not depend on what was measured.
func limitByMean(g *engine.Game, v Values) error {
	mean := v["mean"]
	if mean == 0 {
		return nil
	}
	if v["nodes"] > 0 || v["exact"] == 1 {
		return errors.New("mean stands for nodes, and no costs of exact searches are known: want neither nodes nor exact=true with it")
	}
	t := g.New("").(engine.Evaluator).Tuning()
	v["mean"], v["nodes"] = 0, search.SoftLimit(t, mean)
	if v["nodes"] == 0 {
		return errors.New("mean: no costs of searches are known for this game: use nodes")
	}
	return nil
}

// The defaults of mcts come from matches, most of them with 200 simulations per move.
//
// fpu: see docs/players.md. Urgencies below the parent's value leave most moves untried: the
// search then neither finds plans nor ends games.
//
// priors: those by delta where the game's static score is a sum over pieces.
//
// scale: 300 beat 200 in chess and CoTuLenh; in Contrast it makes no difference. For
// comparison, a fit of the results of searched games (encode.Model) has the same slope at 0
// as the curve with scale b cosh(a/2b)^2: 376 in CoTuLenh, 199 in chess, 164 in Contrast.
func mctsParams(g *engine.Game) []Param {
	return []Param{
		{Name: "sims", Usage: "N", Doc: "simulations per move", Default: 128, Min: 1, Max: search.MaxSims},
		{Name: "cheap", Usage: "N", Doc: "simulations of a cheap search, without noise and without a policy in the record; 0: all searches are full", Min: 0, Max: search.MaxSims - 1},
		{Name: "full", Usage: "FRACTION", Doc: "with cheap: fraction of full searches, which are drawn", Default: 250, Min: 0, Max: 1000, Decimals: true},
		{Name: "temp", Usage: "T", Doc: "draw moves in proportion to visits^(1/T); 0 plays the most visited", Default: 0, Min: 0, Max: 10_000, Decimals: true},
		{Name: "noise", Usage: "FRACTION", Doc: "fraction of Dirichlet noise in the root priors", Min: 0, Max: 1000, Decimals: true},
		{Name: "alpha", Usage: "A", Doc: "concentration of the Dirichlet noise", Default: 300, Min: 1, Max: 100_000, Decimals: true},
		{Name: "c", Usage: "C", Doc: "PUCT exploration constant: weight of priors against values", Default: 1500, Min: 1, Max: 100_000, Decimals: true},
		{Name: "fpu", Usage: "FPU", Doc: "first-play urgency: an untried move counts as its parent's value minus this", Default: 0, Min: -2000, Max: 2000, Decimals: true},
		{Name: "fpureduction", Usage: "R", Doc: "lowers the first-play urgency by this times the square root of the prior of the moves tried", Min: 0, Max: 2000, Decimals: true},
		{Name: "scale", Usage: "SCORE", Doc: "static score with an expected result of 73 %", Default: 300, Min: 1, Max: engine.MaxStatic},
		WordParam("priors", "scores that the priors are a softmax of: gain of a move, static score after it, gain plus change by square, or logit by the policy of the network", defaultPriors(g), "gain", "static", "delta", "net"),
		WordParam("leaf", "score of a leaf: the static score, or that after the best captures", int(search.LeafQuiescence), "static", "quiescence"),
		WordParam("target", "policy: visits, or the softmax of priors and completed Q-values of Gumbel MuZero", int(search.TargetVisits), "visits", "completedq"),
		WordParam("root", "selection of root moves: puct, or gumbel: sequential halving of moves drawn by Gumbel noise, which records target=completedq", int(search.RootPUCT), "puct", "gumbel"),
		{Name: "considered", Usage: "N", Doc: "root moves that root=gumbel considers", Default: 16, Min: 1, Max: 1024},
		{Name: "gumbel", Usage: "SCALE", Doc: "scale of the Gumbel noise of root=gumbel; 0 plays the best move", Default: 1000, Min: 0, Max: 10_000, Decimals: true},
		{Name: "rollout", Usage: "N", Doc: "random plies before the evaluation of a leaf", Min: 0, Max: 10_000},
	}
}

// errNoPolicy begins errors that a list of the parameters does not explain.
var errNoPolicy = errors.New("priors=net")

// checkPolicy returns an error if a network cannot give priors in a game.
func checkPolicy(g *engine.Game, net *Network) error {
	if _, ok := g.New("").(engine.Policied); !ok {
		return fmt.Errorf("%w: networks of %s rate no moves: use other priors", errNoPolicy, g.Name)
	}
	if net == nil {
		return fmt.Errorf("%w: want net=FILE, a network with a policy head", errNoPolicy)
	}
	if !net.hasPolicy() {
		return fmt.Errorf("%w: the network has no policy head: train one (train/fit --policy), or use other priors", errNoPolicy)
	}
	return nil
}

// defaultPriors returns the default of the parameter priors.
func defaultPriors(g *engine.Game) int {
	if g.New != nil {
		if _, ok := g.New("").(engine.Additive); ok {
			return int(search.PriorDelta)
		}
	}
	return int(search.PriorStatic)
}

func newMCTS(g *engine.Game, v Values, net *Network) (Factory, error) {
	if net.outside() == nil {
		if err := checkSearchable(g); err != nil {
			return Factory{}, err
		}
	}
	if v["priors"] == int(search.PriorNet) {
		if err := checkPolicy(g, net); err != nil {
			return Factory{}, err
		}
	}
	if err := cmp.Or(checkIdle(g, v), checkGumbel(v)); err != nil {
		return Factory{}, err
	}
	o := search.MCTSOptions{
		Sims: v["sims"], Cheap: v["cheap"], Full: v["full"], C: v["c"], Scale: v["scale"], Priors: search.Priors(v["priors"]),
		Noise: v["noise"], Concentration: v["alpha"], Rollout: v["rollout"],
		Root: search.Root(v["root"]), Considered: v["considered"], Gumbel: v["gumbel"],
		FPU: v["fpu"], FPUReduction: v["fpureduction"], Leaf: search.Leaf(v["leaf"]), Target: search.Target(v["target"]),
		Scorer: net.NewScorer(), // for Validate; each player gets its own
	}
	if net.outside() != nil {
		return newModelMCTS(g, v, net, o)
	}
	return Factory{Searches: true, rates: true, Stateless: true, Caps: o.Cheap > 0, Memory: o.TreeBytes(g.MostMoves), New: func(abort search.Abort) Player {
		o := o
		o.Scorer, o.Abort = net.NewScorer(), abort
		return newTreePlayer(o, v)
	}}, o.Validate()
}

// newTreePlayer returns a player that searches by MCTS.
func newTreePlayer(o search.MCTSOptions, v Values) *searchPlayer {
	p := &searchPlayer{searcher: search.NewMCTS(o), appendPolicy: treePolicy}
	if temp := v["temp"]; temp > 0 {
		p.choose = func(moves []search.RootMove, src *rand.PCG) int { return search.PickByVisits(moves, temp, src) }
	}
	return p
}

// newModelMCTS returns the factory of a tree search with the values and logits of a model.
func newModelMCTS(g *engine.Game, v Values, net *Network, o search.MCTSOptions) (Factory, error) {
	for _, p := range mctsParams(g) {
		switch p.Name {
		case "priors", "leaf", "rollout":
			if v[p.Name] != p.Default {
				return Factory{}, fmt.Errorf("%s: a model gives values and logits: leave it out with eval", p.Name)
			}
		}
	}
	o.Priors, o.Leaf, o.Rollout = search.PriorNet, search.LeafStatic, 0
	o.Model = net.newModel() // for Validate; each player gets its own
	return Factory{Searches: true, rates: true, Stateless: true, Caps: o.Cheap > 0, Memory: o.TreeBytes(g.MostMoves), New: func(abort search.Abort) Player {
		o, a := o, net.newModel()
		o.Model, o.Abort = a, abort
		p := newTreePlayer(o, v)
		p.asker = a
		return p
	}}, o.Validate()
}

// checkIdle returns an error for a parameter that would be part of the plan and have no effect, because another one is
// missing.
func checkIdle(g *engine.Game, v Values) error {
	missing := map[string]bool{"cheap": v["cheap"] == 0, "noise": v["noise"] == 0, "root=gumbel": v["root"] != int(search.RootGumbel)}
	needs := map[string]string{"full": "cheap", "alpha": "noise", "considered": "root=gumbel", "gumbel": "root=gumbel"}
	for _, p := range mctsParams(g) {
		if other := needs[p.Name]; missing[other] && v[p.Name] != p.Default {
			return fmt.Errorf("%s has no effect without %s: leave it out, or give both", p.Name, other)
		}
	}
	return nil
}

// checkGumbel returns an error if a parameter does not go with root=gumbel, whose target follows.
func checkGumbel(v Values) error {
	if v["root"] != int(search.RootGumbel) {
		return nil
	}
	if v["temp"] > 0 || v["noise"] > 0 {
		return errors.New("root=gumbel: want no temp and no noise: the Gumbel noise draws the moves")
	}
	v["target"] = int(search.TargetCompletedQ) // visits are those of a schedule
	return nil
}

// treePolicy appends the moves that the tree search gives a weight.
func treePolicy(dst []Weight, moves []search.RootMove) []Weight {
	for _, m := range moves {
		if m.Weight > 0 {
			dst = append(dst, Weight{m.Move, m.Weight})
		}
	}
	return dst
}

// scorePolicy appends all moves, weighted by a softmax of their scores.
func scorePolicy(dst []Weight, moves []search.RootMove) []Weight {
	for _, m := range moves {
		dst = append(dst, Weight{m.Move, search.Weight(moves[0].Score - m.Score)})
	}
	return dst
}
