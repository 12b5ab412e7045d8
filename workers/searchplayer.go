package workers

import (
	"errors"
	"math"
	"math/rand/v2"

	"selfplay/engine"
	"selfplay/engine/search"
)

// searchPlayer plays what a search finds.
type searchPlayer struct {
	searcher search.Searcher
	// top is how many lines may be told apart by their scores or visits; 0: all.
	top int
	// choose picks the line to play, the first being the best; nil: always the best.
	choose func(lines []search.RootMove, src *rand.PCG) int
	// weigh appends the policy that the lines stand for; nil: there is none.
	weigh  func(dst []Weight, lines []search.RootMove) []Weight
	policy []Weight
}

func (t *searchPlayer) Play(pos engine.Position, src *rand.PCG, d *Decision) (ok bool) {
	lines := t.search(pos, src, d)
	if len(lines) == 0 {
		return false
	}
	i := 0
	if t.choose != nil {
		i = t.choose(lines, src)
	}
	d.Move, d.Rank = lines[i].Move, rankOf(i)
	pos.Do(d.Move)
	return true
}

// search searches, fills in what d says about the search, and returns the best lines;
// none where the game is over. They are the searcher's until it searches again.
func (t *searchPlayer) search(pos engine.Position, src *rand.PCG, d *Decision) []search.RootMove {
	a := t.searcher.Search(pos.(engine.Evaluator), src)
	if len(a.Moves) == 0 {
		return nil
	}
	d.Score = int16(a.Score)
	d.Nodes = uint32(min(max(a.Nodes, 1), math.MaxUint32))
	d.Best = a.Moves[0].Move
	if t.top > 0 {
		a.Moves = a.Moves[:min(t.top, len(a.Moves))]
	}
	t.policy = t.policy[:0]
	if t.weigh != nil {
		t.policy = t.weigh(t.policy, a.Moves)
	}
	d.Policy = t.policy
	return a.Moves
}

// rankOf is the rank of the i-th line, as far as a byte can tell.
func rankOf(i int) uint8 { return uint8(min(i, int(engine.RankRandom)-1)) }

var errNotEvaluated = errors.New("the game has no static score to search with")

// checkSearchable reports an error for a game that cannot be searched.
func checkSearchable(g *engine.Game) error {
	if g.New == nil {
		return errNotEvaluated
	}
	if _, ok := g.New("").(engine.Evaluator); !ok {
		return errNotEvaluated
	}
	return nil
}

func parseGreedy(g *engine.Game, texts []string) (string, maker, error) {
	_, err := parseParams(nil, texts)
	return "", maker{searches: true, make: func() Player {
		return &searchPlayer{searcher: search.NewGreedy()}
	}}, errors.Join(err, checkSearchable(g))
}

func alphaBetaParams(*engine.Game) []param {
	return []param{
		{name: "depth", usage: "N", doc: "turns to look ahead; 2 if neither depth nor nodes is given", least: 0, most: search.MaxDepth},
		{name: "nodes", usage: "N", doc: "positions to look at; 0 for as many as depth takes", least: 0, most: math.MaxUint32},
		{name: "hash", usage: "MIB", doc: "size of the transposition table", least: 0, most: search.MaxHash},
		{name: "multi", usage: "N", doc: "best moves that get an exact score, and a weight in the policy if more than one", value: 1, least: 1, most: 255},
		{name: "temp", usage: "CENTIUNITS", doc: "play these by a softmax of score/temp; 0 plays the best", least: 0, most: engine.MaxStatic},
	}
}

func parseAlphaBeta(g *engine.Game, texts []string) (string, maker, error) {
	params := alphaBetaParams(g)
	v, err := parseParams(params, texts)
	if err := errors.Join(err, checkSearchable(g)); err != nil {
		return "", maker{}, err
	}
	if v["depth"] == 0 && v["nodes"] == 0 {
		v["depth"] = 2
	}
	o := search.AlphaBetaOptions{Depth: v["depth"], Nodes: uint64(v["nodes"]), Hash: v["hash"], Multi: v["multi"]}
	return v.canonical(params), maker{searches: true, single: o.Multi == 1, make: func() Player {
		t := &searchPlayer{searcher: search.NewAlphaBeta(o), top: o.Multi}
		if o.Multi > 1 {
			t.weigh = weighScores
		}
		if temp := v["temp"]; temp > 0 {
			t.choose = func(lines []search.RootMove, src *rand.PCG) int { return search.PickByScore(lines, temp, src) }
		}
		return t
	}}, o.Validate()
}

// The defaults of priors and scale come from matches of 400 playouts. With static priors
// the player beats greedy in every game (51-8-1 in Contrast, 77-0-23 in chess, 28-0-32 in
// CoTuLenh; wins, losses, draws), with gains only in chess, though there it is the stronger
// of the two (44-13-43). A scale of 300 beat 200 by 54-26-120 in chess and 27-16-77 in
// CoTuLenh, and in Contrast no scale differs from another. The curve that is as steep at 0
// as the results of searched games (encode.WDL) has scale b cosh(a/2b)^2: 376 in CoTuLenh,
// 199 in chess and 164 in Contrast.
func mctsParams(*engine.Game) []param {
	return []param{
		{name: "sims", usage: "N", doc: "playouts a decision", value: 128, least: 1, most: math.MaxUint16},
		{name: "temp", usage: "T", doc: "play moves by visits to the power of 1/T; 0 plays the most visited", value: 0, least: 0, most: 10_000, decimals: true},
		{name: "noise", usage: "SHARE", doc: "of Dirichlet noise in the priors at the root", least: 0, most: 1000, decimals: true},
		{name: "alpha", usage: "A", doc: "concentration of the noise", value: 300, least: 1, most: 100_000, decimals: true},
		{name: "c", usage: "C", doc: "weight of priors against values", value: 1500, least: 1, most: 100_000, decimals: true},
		{name: "scale", usage: "CENTIUNITS", doc: "score that is expected to win 73 of 100 games", value: 300, least: 1, most: engine.MaxStatic},
		choice("priors", "first guess at a move: what it wins at once, or the static score after it", int(search.PriorStatic), "gain", "static"),
		{name: "rollout", usage: "N", doc: "random plies before a position is scored", least: 0, most: 10_000},
	}
}

func parseMCTS(g *engine.Game, texts []string) (string, maker, error) {
	params := mctsParams(g)
	v, err := parseParams(params, texts)
	if err := errors.Join(err, checkSearchable(g)); err != nil {
		return "", maker{}, err
	}
	o := search.MCTSOptions{
		Sims: v["sims"], C: v["c"], Scale: v["scale"], Priors: search.Priors(v["priors"]),
		Noise: v["noise"], Concentration: v["alpha"], Rollout: v["rollout"],
	}
	return v.canonical(params), maker{searches: true, make: func() Player {
		t := &searchPlayer{searcher: search.NewMCTS(o), weigh: weighVisits}
		if temp := v["temp"]; temp > 0 {
			t.choose = func(lines []search.RootMove, src *rand.PCG) int { return search.PickByVisits(lines, temp, src) }
		}
		return t
	}}, o.Validate()
}

// weighVisits takes the moves that were visited, by their visits.
func weighVisits(dst []Weight, lines []search.RootMove) []Weight {
	for _, l := range lines {
		if l.Visits > 0 {
			dst = append(dst, Weight{l.Move, uint16(min(l.Visits, math.MaxUint16))})
		}
	}
	return dst
}

// weighScores takes all moves, by a softmax of their scores.
func weighScores(dst []Weight, lines []search.RootMove) []Weight {
	for _, l := range lines {
		dst = append(dst, Weight{l.Move, search.Weight(lines[0].Score - l.Score)})
	}
	return dst
}
