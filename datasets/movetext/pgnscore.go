package movetext

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine"
	"selfplay/engine/search"
)

// Scores in comments, in two forms:
//
//	{[%eval 0.31]} {[%eval #-3]}    of the position, which follows the previous move, from the
//	                                view of White, in pawns or moves to mate: Lichess,
//	                                python-chess and this program
//	{+0.31/12 0.5s} {-M4/20 1.2s}   of the search that chose the move before the comment, from
//	                                the view of its player, in pawns or plies to mate: cutechess
//	                                and fastchess, which may add n=NODES
//
// Other comments may look alike, such as 3.5/10 of a reader who rates the move. Both programs write the sign of
// every score but 0.
//
// The second is the search of the decision itself, so it counts if a ply has both.

// scoreList holds the scores of a game by ply.
type scoreList struct{ plies []plyScore }

// plyScore is the score of a position from the view of the side to move. nodes is 0 without a
// score, and 1 if the text does not say.
type plyScore struct {
	score int16
	nodes uint32
	own   bool // of the search that chose the move
}

func (s *scoreList) reset() { s.plies = s.plies[:0] }

// read reads the scores in a comment that stands before ply, where turn is to move.
func (s *scoreList) read(comment []byte, ply int, turn engine.Side) {
	if score, nodes, ok := searchScore(comment); ok && ply > 0 {
		s.set(ply-1, plyScore{score, nodes, true})
	}
	if score, ok := evalScore(comment, turn); ok {
		s.set(ply, plyScore{score, 1, false})
	}
}

func (s *scoreList) set(ply int, score plyScore) {
	for len(s.plies) <= ply {
		s.plies = append(s.plies, plyScore{})
	}
	if !s.plies[ply].own {
		s.plies[ply] = score
	}
}

// addTo adds the scores to a record, if there are any.
func (s *scoreList) addTo(r *engine.Record) {
	s.plies = s.plies[:min(len(s.plies), len(r.Actions))] // without that of the last position
	if !slices.ContainsFunc(s.plies, func(p plyScore) bool { return p.nodes > 0 }) {
		return
	}
	s.set(len(r.Actions)-1, s.at(len(r.Actions)-1))
	for _, p := range s.plies {
		addScore(r, p.score, p.nodes)
	}
}

// at returns the score of a ply.
func (s *scoreList) at(ply int) plyScore {
	if ply < len(s.plies) {
		return s.plies[ply]
	}
	return plyScore{}
}

// evalScore returns the score of [%eval ...] from the view of turn.
func evalScore(comment []byte, turn engine.Side) (int16, bool) {
	_, rest, ok := bytes.Cut(comment, []byte("[%eval "))
	if !ok {
		return 0, false
	}
	value, _, ok := bytes.Cut(rest, []byte{']'})
	if !ok {
		return 0, false
	}
	value, _, _ = bytes.Cut(value, []byte{','}) // the depth may follow
	text := string(bytes.TrimSpace(value))
	sign := 1
	if turn == engine.Second {
		sign = -1
	}
	if len(text) < 2 || text[0] != '#' {
		score, ok := pawns(text)
		return int16(sign) * score, ok
	}
	moves, err := strconv.Atoi(text[1:])
	moves = max(-search.MateScore, min(moves, search.MateScore)) // so that twice as many are a number, too
	if moves *= sign; err != nil || moves == 0 {
		return 0, false
	}
	if moves > 0 {
		return mateIn(2*moves - 1), true
	}
	return -mateIn(-2 * moves), true
}

// searchScore returns the score and the nodes of a comment such as +0.31/12 0.5s.
func searchScore(comment []byte) (score int16, nodes uint32, ok bool) {
	value, rest, ok := bytes.Cut(bytes.TrimSpace(comment), []byte{'/'})
	if !ok || len(value) == 0 || len(value) > 12 || len(rest) == 0 || rest[0] < '0' || rest[0] > '9' {
		return 0, 0, false
	}
	text := string(value)
	if text[0] != '+' && text[0] != '-' && strings.Trim(text, "0") != "." {
		return 0, 0, false
	}
	if len(text) > 2 && text[1] == 'M' {
		plies, err := strconv.ParseUint(text[2:], 10, 31)
		if score = mateIn(int(plies)); text[0] == '-' {
			score = -score
		}
		return score, nodesIn(rest), err == nil && plies > 0
	}
	score, ok = pawns(text)
	return score, nodesIn(rest), ok
}

// nodesIn returns the number after n= in a comment, 1 if there is none.
func nodesIn(comment []byte) uint32 {
	for _, word := range bytes.FieldsFunc(comment, func(c rune) bool { return c == ' ' || c == ',' || c == ';' }) {
		if number, ok := bytes.CutPrefix(word, []byte("n=")); ok {
			n, err := strconv.ParseUint(string(number), 10, 64)
			if err == nil {
				return uint32(min(max(n, 1), math.MaxUint32))
			}
		}
	}
	return 1
}

// pawns returns a score in pawns as centi-units, at most engine.MaxStatic: it proves no end.
func pawns(text string) (int16, bool) {
	if strings.Trim(text, "+-.0123456789") != "" { // ParseFloat takes inf, nan, exponents and hexadecimal numbers, too
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	const most = engine.MaxStatic
	return int16(max(-most, min(math.Round(v*100), most))), true
}

// mateIn returns the score of a mate that the side to move gives in a number of plies.
func mateIn(plies int) int16 {
	return int16(max(search.MateScore-plies, engine.MaxStatic+1))
}
