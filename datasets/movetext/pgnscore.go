package movetext

import (
	"bytes"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"selfplay/engine"
	"selfplay/engine/search"
)

// Scores in comments, in three forms:
//
//	{[%eval 0.31]} {[%eval #-3,20]}    of the position, which follows the previous move, from the
//	                                   view of White, in pawns or moves to mate: Lichess,
//	                                   python-chess, ChessBase and this program
//	{+0.31/12 0.5s} {-M4/20 1.2s}      of the search that chose the move before the comment, from
//	                                   the view of its player, in pawns or plies to mate: cutechess
//	                                   and fastchess, which may add n=NODES
//	{d=30, n=25801, wv=0.28, R50=50,}  of the same search, from the view of White, in pawns: TCEC
//
// A number without a decimal point is in centipawns: ChessBase writes [%eval 31,20], and every program that writes
// pawns writes the point.
//
// Other comments may look alike, such as 3.5/10 of a reader who rates the move. The programs of the second form write
// the sign of every score but 0. What looks like a score and is not read is noted.
//
// The search of the decision itself counts if a ply has two scores.

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

// readScores reads the scores in a comment that begins at an offset and stands before ply. It notes what it does not
// understand.
func (p *pgnParser) readScores(comment []byte, begin, ply int) {
	eval := bytes.Contains(comment, []byte("[%ev"))
	if !eval && !bytes.ContainsAny(comment, "./=") {
		return
	}
	comment = p.singleSpaces(comment)
	turn := p.pos.Turn()
	own, isOwn := searchScore(comment)
	if !isOwn {
		own, isOwn = whiteScore(comment)
		own = own.seenBy(turn.Other())
	}
	if isOwn && ply > 0 {
		p.scores.set(ply-1, plyScore{own.fromPlies(p.WholePawns), nodesIn(comment), true})
	}
	v, isEval := evalScore(comment)
	if isEval && !v.isOver() {
		p.scores.set(ply, plyScore{p.evalOf(v, turn), 1, false})
	}
	if isOwn && own.whole || isEval && v.whole {
		p.note(WholeScores, comment, begin)
	}
	if !isOwn && !isEval && looksLikeScore(comment) {
		p.note(UnreadScores, comment, begin)
	}
}

// evalOf returns the score of [%eval ...] from the view of the side to move. Where turns have several moves, its mates are in
// decisions.
func (p *pgnParser) evalOf(v number, turn engine.Side) int16 {
	if p.turns != nil {
		return v.seenBy(turn).fromPlies(p.WholePawns)
	}
	return v.fromMoves(turn, p.WholePawns)
}

// readStepScores reads the scores of the second and later decisions of a turn, which is the last before the comment and has
// the plies from begin up to end: [%stepevals 0.31 - #2].
func (p *pgnParser) readStepScores(comment []byte, begin, end int, side engine.Side) {
	text, ok := cutCommand(comment, stepScores)
	if !ok {
		return
	}
	ply := begin
	for word := range bytes.FieldsSeq(text) {
		ply++
		v, ok := parseNumber(string(word))
		if ok && ply < end && !v.isOver() {
			p.scores.set(ply, plyScore{p.evalOf(v, side), 1, false})
		}
	}
}

// singleSpaces returns a comment with a single space in place of all white space between two words, as programs break
// lines there.
func (p *pgnParser) singleSpaces(comment []byte) []byte {
	if isPlain(comment) {
		return comment
	}
	p.text = p.text[:0]
	for word := range bytes.FieldsSeq(comment) {
		p.text = append(append(p.text, word...), ' ')
	}
	return bytes.TrimSuffix(p.text, []byte{' '})
}

// isPlain reports whether all white space of a text is single spaces.
func isPlain(text []byte) bool {
	last := byte(0)
	for _, c := range text {
		if c < ' ' || c >= utf8.RuneSelf || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return true
}

// number is a score as a text has it.
type number struct {
	n     float64
	mate  bool // n counts to mate
	whole bool // n has no decimal point and is not 0
}

// parseNumber parses a score: 0.31, -31, #3, #-3, -M3.
func parseNumber(text string) (v number, ok bool) {
	point := false
	for i, c := range []byte(text) { // ParseFloat takes inf, nan, exponents and hexadecimal numbers, too
		switch {
		case c >= '0' && c <= '9', c == '+', c == '-':
		case c == '.':
			point = true
		case i < 2 && !v.mate && (c == '#' || c == 'M' || c == 'm'):
			v.mate, text = true, text[:i]+text[i+1:]
		default:
			return v, false
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	v.n, v.whole = n, !v.mate && !point && n != 0
	return v, err == nil && !(v.mate && point)
}

// isOver reports whether the number is that of a game that is over: a mate in 0.
func (v number) isOver() bool { return v.mate && v.n == 0 }

// fromPlies returns the score of a number whose mates are in plies.
func (v number) fromPlies(wholePawns bool) int16 {
	if v.mate {
		return mateIn(int(max(-search.MateScore, min(v.n, search.MateScore))))
	}
	if !v.whole || wholePawns {
		v.n *= 100
	}
	const most = engine.MaxStatic // a score that is no mate proves no end
	return int16(max(-most, min(math.Round(v.n), most)))
}

// fromMoves returns the score, from the view of the side to move, of a number from the view of White whose mates are in
// moves.
func (v number) fromMoves(turn engine.Side, wholePawns bool) int16 {
	v = v.seenBy(turn)
	switch {
	case v.mate && v.n > 0:
		v.n = 2*v.n - 1 // the side to move has the first move
	case v.mate:
		v.n *= 2
	}
	return v.fromPlies(wholePawns)
}

// seenBy returns a number from the view of White as a side sees it.
func (v number) seenBy(side engine.Side) number {
	if side == engine.Second {
		v.n = -v.n
	}
	return v
}

// mateIn returns the score of a mate in a number of plies, by the other side if it is negative.
func mateIn(plies int) int16 {
	if plies < 0 {
		return -mateIn(-plies)
	}
	return int16(max(search.MateScore-plies, engine.MaxStatic+1))
}

// evalScore returns the number in [%eval ...]. The depth may follow it.
func evalScore(comment []byte) (v number, ok bool) {
	_, rest, _ := bytes.Cut(comment, []byte("[%eval "))
	value, _, ok := bytes.Cut(rest, []byte{']'})
	if !ok {
		return v, false
	}
	if end := bytes.IndexAny(value, ",/"); end >= 0 {
		value = value[:end]
	}
	return parseNumber(string(bytes.TrimSpace(value)))
}

// searchScore returns the number of a comment such as +0.31/12 0.5s.
func searchScore(comment []byte) (v number, ok bool) {
	value, depth, _ := bytes.Cut(bytes.TrimSpace(comment), []byte{'/'})
	if len(value) == 0 || len(value) > 12 || !beginsWithDigit(depth) {
		return v, false
	}
	text := string(value)
	if text[0] != '+' && text[0] != '-' && strings.Trim(text, "0") != "." || strings.Contains(text, "#") {
		return v, false
	}
	v, ok = parseNumber(text)
	return v, ok && !v.isOver()
}

// whiteScore returns the number after wv= in a comment. Whether its mates are in moves or plies is not known, so they
// are not read.
func whiteScore(comment []byte) (v number, ok bool) {
	if !bytes.Contains(comment, []byte("wv=")) {
		return v, false
	}
	for word := range words(comment) {
		text, is := bytes.CutPrefix(word, []byte("wv="))
		if is {
			v, ok = parseNumber(string(text))
			return v, ok && !v.mate
		}
	}
	return v, false
}

// nodesIn returns the number after n= in a comment, 1 if there is none.
func nodesIn(comment []byte) uint32 {
	for word := range words(comment) {
		text, is := bytes.CutPrefix(word, []byte("n="))
		if !is {
			continue
		}
		n, err := strconv.ParseUint(string(text), 10, 64)
		if err == nil {
			return uint32(min(max(n, 1), math.MaxUint32))
		}
	}
	return 1
}

// words yields the words of a comment.
func words(comment []byte) iter.Seq[[]byte] {
	return bytes.FieldsFuncSeq(comment, func(c rune) bool { return strings.ContainsRune(" ,;()[]", c) })
}

// scoreKeys are names of scores in comments of programs.
var scoreKeys = []string{"wv", "ev", "eval", "score", "cp"}

// looksLikeScore reports whether a comment from which no score was read may have one: [%eval, 0.31/12, ev=0.31, or
// +0.31 at its begin.
func looksLikeScore(comment []byte) bool {
	if bytes.Contains(comment, []byte("[%ev")) {
		return true
	}
	first := true
	for word := range words(comment) {
		value, depth, slash := bytes.Cut(word, []byte{'/'})
		v, ok := parseNumber(string(value))
		key, text, equals := bytes.Cut(word, []byte{'='})
		switch {
		case equals && slices.Contains(scoreKeys, string(key)) && beginsWithDigit(bytes.TrimLeft(text, "+-#M")):
			return true
		case slash && ok && beginsWithDigit(depth) && (v.mate || bytes.IndexByte(value, '.') >= 0):
			return true
		case first && !slash && ok && bytes.IndexByte(value, '.') >= 0 && (word[0] == '+' || word[0] == '-'):
			return true
		}
		first = false
	}
	return false
}

func beginsWithDigit(text []byte) bool { return len(text) > 0 && text[0] >= '0' && text[0] <= '9' }
