package datasets

// Dropped is how many rows a part of the plan's filter left out: each row counts
// where it fell out first.
type Dropped struct {
	Filter string `json:"filter"`
	Rows   uint64 `json:"rows"`
}

// dropped names counts that follow the parts of the filter; nil without a filter.
func (p Plan) dropped(counts []uint64) (list []Dropped) {
	for i, part := range p.Filter {
		list = append(list, Dropped{part, counts[i]})
	}
	return list
}

// allDropped sums up what was left out of some shards.
func (p Plan) allDropped(commits []*Commit) []Dropped {
	counts := make([]uint64, len(p.Filter))
	for _, c := range commits {
		for i, d := range c.Dropped {
			counts[i] += d.Rows
		}
	}
	return p.dropped(counts)
}
