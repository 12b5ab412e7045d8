package stats

import (
	"slices"

	"selfplay/engine"
)

// results is the number of results: see engine.Result.
const results = 4

// Lengths describes the lengths of games in plies.
type Lengths struct {
	Distribution
	// Spans counts games by length and result.
	Spans []Span `json:"spans,omitempty"`
}

// Span is a range of plies, inclusive. Counts are indexed by engine.Result.
type Span struct {
	From  int             `json:"from"`
	To    int             `json:"to"`
	Games [results]uint64 `json:"games"` // games that ended in the span
	Going [results]uint64 `json:"going"` // games that reached From, by their later result
}

// widths are the possible widths of ranges.
var widths = []int{1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000}

// width returns the smallest width that divides n values into at most 40 ranges.
func width(n int) int {
	for _, w := range widths {
		if n <= 40*w {
			return w
		}
	}
	return widths[len(widths)-1]
}

// lengths counts games by number of plies and result.
type lengths [][results]uint64

func (l *lengths) add(plies int, result engine.Result) { at(l, plies)[result%results]++ }

func (l *lengths) merge(other lengths) {
	for plies, games := range other {
		add(at(l, plies), games)
	}
}

// summary returns the statistics.
func (l lengths) summary(width int) Lengths {
	games := make([]uint64, len(l))
	for plies, counts := range l {
		games[plies] = total(counts[:])
	}
	return Lengths{Distribution: distributionOf(games), Spans: l.spans(width)}
}

func (l lengths) spans(width int) (list []Span) {
	var going [results]uint64
	for _, counts := range l {
		add(&going, counts)
	}
	for part := range slices.Chunk(l, width) {
		from := width * len(list)
		s := Span{From: from, To: from + width - 1, Going: going}
		for _, counts := range part {
			add(&s.Games, counts)
		}
		for i := range going {
			going[i] -= s.Games[i]
		}
		list = append(list, s)
	}
	return list
}

func add(to *[results]uint64, more [results]uint64) {
	for i, n := range more {
		to[i] += n
	}
}

func total(counts []uint64) (n uint64) {
	for _, c := range counts {
		n += c
	}
	return n
}

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
