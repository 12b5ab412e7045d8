package stats

import (
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
