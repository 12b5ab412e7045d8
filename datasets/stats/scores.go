package stats

import (
	"maps"
	"math"
	"slices"

	"selfplay/datasets/wdl"
	"selfplay/encode"
	"selfplay/engine"
)

// Scores describes the root scores of searched plies, from the view of the side to move, and
// how well they predict results.
type Scores struct {
	Plies uint64 `json:"plies"`
	// Proven is the number of plies whose score is a proven end. They need no model and do
	// not count below.
	Proven uint64 `json:"proven"`
	// Judged is the number of plies of games with a result. AUC, losses and buckets are
	// computed from them. Adjudicated games count: without them mostly draws would be left.
	Judged uint64 `json:"judged"`
	// AUC is the probability that a ply of a winner has a higher score than a ply of a
	// loser; 0.5 means no information.
	AUC float64 `json:"auc"`
	// Lead is the least score whose leader wins nine of ten decided games, by the model of the files or
	// else the first of the game; 0 if there is neither. See Ending.Led.
	Lead int `json:"lead,omitzero"`
	// Model is the model of wins, draws and losses in the files, nil if they have none. Loss
	// is its log loss in nats. ConstantLoss is the log loss of the constant prediction by
	// their shares.
	Model        *encode.WDL  `json:"model,omitempty"`
	Loss         float64      `json:"log_loss,omitzero"`
	ConstantLoss float64      `json:"log_loss_constant"`
	Buckets      []wdl.Bucket `json:"buckets"`
	Histogram    []Range      `json:"histogram"`
	ByPly        []ScoreAt    `json:"by_ply"`
}

// Range counts plies with values from Low to High, inclusive.
type Range struct {
	Low   int    `json:"low"`
	High  int    `json:"high"`
	Plies uint64 `json:"plies"`
}

// ScoreAt describes the scores in a range of plies, without proven ends.
type ScoreAt struct {
	From  int     `json:"from"`
	To    int     `json:"to"`
	Plies uint64  `json:"plies"`
	Mean  float64 `json:"mean"`  // from the view of side 0
	Ahead float64 `json:"ahead"` // mean absolute score
}

// bins is the number of ranges of the histogram on each side of 0.
const bins = 20

// scores counts plies by score.
type scores struct {
	model       *encode.WDL      // of the files, nil if they have none
	calibration *wdl.Calibration // of the model, nil without one

	tally  wdl.Tally      // of games with a result
	counts map[int]uint64 // plies by score, of all games
	proven uint64
	byPly  []scoreSum
}

type scoreSum struct {
	n          uint64
	sum, ahead int64
}

// add counts the score of a ply, from the view of the side to move, and the outcome of its
// game.
func (s *scores) add(ply, score int, turn engine.Side, end engine.Outcome) {
	if max(score, -score) > engine.MaxStatic {
		s.proven++
		return
	}
	s.counts[score]++
	if end.Result != engine.NoResult {
		s.tally.Add(score, end.For(turn))
		if s.calibration != nil {
			s.calibration.Add(score, end.For(turn))
		}
	}
	ahead := max(score, -score)
	if turn == engine.Second {
		score = -score
	}
	at(&s.byPly, ply).add(scoreSum{1, int64(score), int64(ahead)})
}

// endGame ends the current game.
func (s *scores) endGame() {
	if s.calibration != nil {
		s.calibration.EndGame()
	}
}

func (s *scores) merge(o *scores) {
	if s.calibration != nil {
		s.calibration.Merge(o.calibration)
	}
	s.tally.AddAll(o.tally)
	for score, n := range o.counts {
		s.counts[score] += n
	}
	s.proven += o.proven
	for ply, more := range o.byPly {
		at(&s.byPly, ply).add(more)
	}
}

func (a *scoreSum) add(b scoreSum) {
	a.n += b.n
	a.sum += b.sum
	a.ahead += b.ahead
}

// newScores returns no scores, which will be compared with a model, nil for none.
func newScores(model *encode.WDL) scores {
	s := scores{model: model, tally: wdl.Tally{}, counts: map[int]uint64{}}
	if model != nil {
		s.calibration = wdl.NewCalibration(wdl.ModelOf(model))
	}
	return s
}

// summary describes the scores. scoreWidth is the width of a
// range of the histogram, plyWidth that of a range of plies.
func (s *scores) summary(scoreWidth, plyWidth int) *Scores {
	list := &Scores{Proven: s.proven, AUC: AUC(s.tally), Judged: s.tally.Sum().All()}
	if list.Judged > 0 {
		s.judge(list)
	}
	list.Histogram = histogram(s.counts, scoreWidth)
	list.Plies = s.proven
	for _, n := range s.counts {
		list.Plies += n
	}
	from := 0
	for part := range slices.Chunk(s.byPly, plyWidth) {
		var all scoreSum
		for _, more := range part {
			all.add(more)
		}
		if n := float64(all.n); n > 0 {
			list.ByPly = append(list.ByPly, ScoreAt{from, from + plyWidth - 1, all.n, float64(all.sum) / n, float64(all.ahead) / n})
		}
		from += plyWidth
	}
	return list
}

// judge compares the scores with results, and with the model.
func (s *scores) judge(list *Scores) {
	list.ConstantLoss = s.tally.ConstantLoss()
	if s.model == nil {
		list.Buckets = s.tally.Buckets(nil, wdl.BucketCount)
		return
	}
	list.Model, list.Loss = s.model, s.tally.LogLoss(wdl.ModelOf(s.model))
	list.Buckets = s.calibration.Buckets(s.tally)
}

// histogram counts scores in ranges of a width around 0. The first and the last range also
// hold the scores beyond them.
func histogram(counts map[int]uint64, width int) []Range {
	list := make([]Range, 2*bins+1)
	for i := range list {
		middle := width * (i - bins)
		list[i] = Range{Low: middle - width/2, High: middle - width/2 + width - 1}
	}
	for score, n := range counts {
		i := floor(score+width/2, width) + bins
		list[min(max(i, 0), 2*bins)].Plies += n
	}
	list[0].Low, list[2*bins].High = -engine.MaxStatic, engine.MaxStatic
	return list
}

// floor divides and rounds down.
func floor(a, b int) int {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

// AUC returns the area under the ROC curve of scores as predictors of the winner: the
// probability that a ply of a winner has a higher score than a ply of a loser, with equal
// scores counting half. Without decisive games it is 0.5.
func AUC(t wdl.Tally) float64 {
	var won, lost, above float64 // above: pairs in which the winner has the higher score
	for _, score := range slices.Sorted(maps.Keys(t)) {
		c := t[score]
		above += float64(c.Wins) * (lost + float64(c.Losses)/2)
		won += float64(c.Wins)
		lost += float64(c.Losses)
	}
	if won == 0 || lost == 0 {
		return 0.5
	}
	return above / (won * lost)
}

// Policy describes the policies: how many moves they rate, and how evenly.
type Policy struct {
	Plies   uint64   `json:"plies"`   // plies with a policy
	Moves   float64  `json:"moves"`   // mean number of rated moves
	Entropy float64  `json:"entropy"` // mean, in bits
	Spread  []Range  `json:"spread"`  // plies by entropy in thousandths of a bit
	ByPly   []MeanAt `json:"by_ply"`  // mean entropy in bits
}

// MeanAt is a mean over a range of plies, inclusive.
type MeanAt struct {
	From  int     `json:"from"`
	To    int     `json:"to"`
	Plies uint64  `json:"plies"`
	Mean  float64 `json:"mean"`
}

// entropyStep is the width of a range of entropies, in thousandths of a bit.
const entropyStep = 125

// policy sums up entropies in whole thousandths of a bit, so that the order of the plies does
// not matter.
type policy struct {
	plies, moves, entropy uint64
	spread                []uint64
	byPly                 means
}

func (p *policy) add(ply int, weights []uint16) {
	e := entropy(weights)
	p.plies++
	p.moves += uint64(len(weights))
	p.entropy += e
	*at(&p.spread, int(e/entropyStep))++
	p.byPly.add(ply, e)
}

func (p *policy) merge(o *policy) {
	p.plies += o.plies
	p.moves += o.moves
	p.entropy += o.entropy
	mergeCounts(&p.spread, o.spread)
	p.byPly.merge(o.byPly)
}

func (p *policy) summary(width int) *Policy {
	s := &Policy{Plies: p.plies, Moves: share(p.moves, p.plies), Entropy: share(p.entropy, p.plies) / 1000}
	for i, n := range p.spread {
		s.Spread = append(s.Spread, Range{i * entropyStep, (i+1)*entropyStep - 1, n})
	}
	s.ByPly = p.byPly.list(width, 1000)
	return s
}

// entropy returns the entropy of weights in thousandths of a bit.
func entropy(weights []uint16) uint64 {
	var all, mean float64
	for _, w := range weights {
		if w > 0 {
			all += float64(w)
			mean += float64(w) * math.Log2(float64(w))
		}
	}
	if all == 0 {
		return 0
	}
	return uint64(math.Round(1000 * max(0, math.Log2(all)-mean/all)))
}

// means holds sums by ply.
type means []plySum

type plySum struct{ n, sum uint64 }

func (s *plySum) add(o plySum) {
	s.n += o.n
	s.sum += o.sum
}

func (m *means) add(ply int, v uint64) { at(m, ply).add(plySum{1, v}) }

func (m *means) merge(o means) {
	for ply, more := range o {
		at(m, ply).add(more)
	}
}

// list returns the means over ranges of plies, divided by unit.
func (m means) list(width int, unit float64) (list []MeanAt) {
	from := 0
	for part := range slices.Chunk(m, width) {
		var all plySum
		for _, more := range part {
			all.add(more)
		}
		if all.n > 0 {
			list = append(list, MeanAt{from, from + width - 1, all.n, share(all.sum, all.n) / unit})
		}
		from += width
	}
	return list
}

// at returns element i of a list, which it extends if necessary.
func at[S ~[]E, E any](list *S, i int) *E {
	if n := i + 1 - len(*list); n > 0 {
		*list = append(*list, make([]E, n)...)
	}
	return &(*list)[i]
}

func mergeCounts(to *[]uint64, more []uint64) {
	for i, n := range more {
		*at(to, i) += n
	}
}
