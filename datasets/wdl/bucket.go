package wdl

// Bucket compares a model with the outcomes in a range of scores, both ends included. Shares
// are those of wins, draws and losses, from 0 to 1.
//
// A Calibration also counts games: the plies of a game are one result. Results is the number of
// independent results that the plies are worth, which is less than that of the games if some have more plies than
// others. Error has the standard errors of Seen.
type Bucket struct {
	Low       int        `json:"low"`
	High      int        `json:"high"`
	Plies     uint64     `json:"plies"`
	Predicted [3]float64 `json:"predicted,omitzero"` // shares by the model; zeros without one
	Seen      [3]float64 `json:"seen"`               // shares of the plies
	Results   float64    `json:"results,omitzero"`
	Error     [3]float64 `json:"error,omitzero"`
}

// BucketCount is the number of ranges of scores in reports.
const BucketCount = 12

// Buckets compares a model, nil for none, with the outcomes. It divides the scores into n ranges with about equal numbers of plies. One score is
// never divided, so there may be fewer than n.
func (t Tally) Buckets(m *Model, n int) (list []Bucket) {
	all := t.Sum().All()
	var in []int // scores of the bucket being filled
	done, plies := uint64(0), uint64(0)
	for _, score := range t.scores() {
		in = append(in, score)
		plies += t[score].All()
		if (done+plies)*uint64(n) >= all*uint64(len(list)+1) {
			list = append(list, t.bucket(m, in))
			done, plies, in = done+plies, 0, in[:0]
		}
	}
	return list
}

// bucket returns the bucket of a list of scores.
func (t Tally) bucket(m *Model, scores []int) Bucket {
	b := Bucket{Low: scores[0], High: scores[len(scores)-1]}
	var sum Count
	for _, score := range scores {
		c := t[score]
		sum.add(c)
		if m == nil {
			continue
		}
		win, draw, loss := m.Chances(score)
		for i, p := range [3]float64{win, draw, loss} {
			b.Predicted[i] += p * float64(c.All())
		}
	}
	b.Plies = sum.All()
	for i, n := range [3]uint64{sum.Wins, sum.Draws, sum.Losses} {
		b.Predicted[i] /= float64(b.Plies)
		b.Seen[i] = float64(n) / float64(b.Plies)
	}
	return b
}
