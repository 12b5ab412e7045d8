package uci

import (
	"math"
	"strconv"
	"strings"

	"selfplay/engine"
	"selfplay/engine/search"
)

// report is what an engine says about its search.
type report struct {
	nodes uint64
	score int // as in package search
}

// read reads a line "info ...". It ignores what it does not understand and other lines than
// the first of several (multipv).
func (r *report) read(line string) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return
	}
	next := *r
	for i := 1; i < len(words); i++ {
		number := func(at int) (n int64, ok bool) {
			if i+at >= len(words) {
				return 0, false
			}
			n, err := strconv.ParseInt(words[i+at], 10, 64)
			return n, err == nil
		}
		switch words[i] {
		case "string", "pv": // the rest of the line is text, or moves
			*r = next
			return
		case "multipv":
			if n, ok := number(1); ok && n != 1 {
				return
			}
		case "nodes":
			if n, ok := number(1); ok && n >= 0 {
				next.nodes = uint64(n)
			}
		case "score":
			if n, ok := number(2); ok {
				next.setScore(words[i+1], n)
			}
		}
	}
	*r = next
}

// setScore converts a score of the kind cp or mate.
func (r *report) setScore(kind string, n int64) {
	switch kind {
	case "cp":
		r.score = int(max(-engine.MaxStatic, min(n, engine.MaxStatic)))
	case "mate":
		r.score = mateScore(n)
	}
}

// mateScore returns the score of a mate in n moves of the winner, by the side to move if n
// is positive.
func mateScore(n int64) int {
	const most = (search.MateScore - engine.MaxStatic) / 2
	n = max(1-most, min(n, most-1))
	if n > 0 {
		return search.MateScore - int(2*n-1)
	}
	return -search.MateScore - int(2*n)
}

// counted returns the number of nodes as a record has it: at least 1 for a search.
func (r *report) counted() uint32 { return uint32(max(1, min(r.nodes, math.MaxUint32))) }
