package dedup

import "selfplay/datasets/scan"

// steps counts games in n: one half of a game when it is read, the other half when its rows
// are compared. It belongs to one goroutine.
type steps struct {
	n           *scan.Counter
	halves      uint64
	games, rows uint64 // read
	compared    uint64 // rows
	done        uint64 // games that were compared
}

// read counts a game that was read.
func (s *steps) read(rows uint64) {
	s.games++
	s.rows += rows
	s.half(rows)
}

// compare counts a row that was compared. Rows are compared in the order of their hashes, so
// the rows of an average game count as a game.
func (s *steps) compare() {
	s.compared++
	for s.compared*s.games >= (s.done+1)*s.rows {
		s.done++
		s.half(s.rows / s.games)
	}
}

func (s *steps) half(rows uint64) {
	s.halves++
	s.n.Add((s.halves+1)%2, rows/2)
}
