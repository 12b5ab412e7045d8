package stats

// Distribution describes how often whole numbers occur. Without any number all fields are 0.
type Distribution struct {
	Mean   float64 `json:"mean"`
	Least  int     `json:"least"`
	Median int     `json:"median"`
	P90    int     `json:"p90"` // 90th percentile
	Most   int     `json:"most"`
}

// distributionOf returns the distribution of numbers, where number n occurs counts[n] times.
func distributionOf(counts []uint64) (d Distribution) {
	var total, sum uint64
	for n, count := range counts {
		total += count
		sum += uint64(n) * count
	}
	d.Mean = share(sum, total)
	before := uint64(0) // occurrences of smaller numbers
	for n, count := range counts {
		if count == 0 {
			continue
		}
		if before == 0 {
			d.Least = n
		}
		if before < (total+1)/2 {
			d.Median = n
		}
		if before*10 < total*9 {
			d.P90 = n
		}
		d.Most = n
		before += count
	}
	return d
}
