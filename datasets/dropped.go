package datasets

// Dropped is the number of rows that one part of the plan's filter dropped. A row counts
// for the first part that drops it.
type Dropped struct {
	Filter string `json:"filter"`
	Rows   uint64 `json:"rows"`
}

// dropped pairs counts with the parts of the filter. Without a filter it returns nil.
func (p Plan) dropped(counts []uint64) (list []Dropped) {
	for i, part := range p.Filter {
		list = append(list, Dropped{part, counts[i]})
	}
	return list
}
