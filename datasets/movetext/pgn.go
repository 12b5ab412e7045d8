package movetext

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/search"
)

// Portable Game Notation: http://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm.
//
// Roster tags that the record does not contain are "?", the date too: the text must not
// depend on a clock. Those of an imported game are its own. Scores are comments as Lichess and python-chess read them, from the
// view of White: [%eval 0.34] in pawns, [%eval #-3] in moves to mate. A record has the score
// of the position before a ply; in PGN this is the comment after the previous ply.

func hasSAN(pos engine.Position) bool {
	_, ok := pos.(engine.Algebraic)
	return ok
}

// pgnWidth is the maximum length of a line of moves.
const pgnWidth = 79

func appendPGN(dst []byte, w *Writer, r *engine.Record) ([]byte, error) {
	result := [...]string{engine.NoResult: "*", engine.FirstWins: "1-0", engine.SecondWins: "0-1", engine.Draw: "1/2-1/2"}[r.Outcome.Result]
	dst = appendTags(dst, w, r, result)
	moves := wrapped{text: dst}
	number := 0
	san := w.pos.(engine.Algebraic)
	err := w.Game.Replay(w.pos, r, func(ply int, m engine.Move) {
		white := w.pos.Turn() == engine.First
		switch comment := scoreOf(r, ply, white); {
		case ply == 0:
			number = firstNumber(r.Start)
			moves.word(comment)
			moves.word(numbered(number, white))
		case comment != "":
			moves.word(comment)
			moves.word(numbered(number, white)) // required after a comment
		case white:
			moves.word(numbered(number, true))
		}
		moves.word(san.SAN(m))
		if !white {
			number++
		}
	})
	moves.word(result)
	return append(moves.text, "\n\n"...), err
}

func appendTags(dst []byte, w *Writer, r *engine.Record, result string) []byte {
	tag := func(name, value string) {
		value = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)
		dst = fmt.Appendf(dst, "[%s \"%s\"]\n", name, value)
	}
	tag("Event", tagOf(r, "Event", w.Event))
	tag("Site", tagOf(r, "Site", "?"))
	tag("Date", tagOf(r, "Date", "????.??.??"))
	tag("Round", tagOf(r, "Round", strconv.FormatUint(r.Game, 10)))
	tag("White", r.Players[engine.First])
	tag("Black", r.Players[engine.Second])
	tag("Result", result)
	start := r.Start
	if isChess960(w.pos) {
		tag("Variant", "Chess960")
		start = cmp.Or(start, chess.StartText) // readers expect it
	}
	if start != "" {
		tag("SetUp", "1")
		tag("FEN", start)
	}
	for _, name := range []string{"ECO", "WhiteElo", "BlackElo", "TimeControl"} {
		if value := tagOf(r, name, ""); value != "" {
			tag(name, value)
		}
	}
	tag("PlyCount", strconv.Itoa(len(r.Actions)))
	tag("Termination", tagOf(r, "Termination", termination(r.Outcome.Reason)))
	tag("Reason", r.Outcome.Reason.String())
	return append(dst, '\n')
}

// termination returns the value of the tag Termination.
func termination(reason engine.Reason) string {
	switch reason {
	case engine.Adjudicated:
		return "adjudication"
	case engine.PlyLimit:
		return "unterminated"
	default:
		return "normal"
	}
}

// firstNumber returns the number of the first full move after a FEN.
func firstNumber(fen string) int {
	fields := strings.Fields(fen)
	if len(fields) < 6 {
		return 1
	}
	n, _ := strconv.Atoi(fields[5])
	return max(n, 1)
}

func numbered(n int, white bool) string {
	if white {
		return strconv.Itoa(n) + "."
	}
	return strconv.Itoa(n) + "..."
}

// scoreOf returns the comment with the score of the position before a ply, "" if the ply
// was not searched.
func scoreOf(r *engine.Record, ply int, white bool) string {
	if ply >= len(r.Nodes) || r.Nodes[ply] == 0 {
		return ""
	}
	score := int(r.Scores[ply])
	if !white {
		score = -score
	}
	if size := max(score, -score); size > engine.MaxStatic { // a forced mate
		moves := (search.MateScore - size + 1) / 2
		if score < 0 {
			moves = -moves
		}
		return fmt.Sprintf("{ [%%eval #%d] }", moves)
	}
	return fmt.Sprintf("{ [%%eval %.2f] }", float64(score)/100)
}

// wrapped is text broken into lines.
type wrapped struct {
	text []byte
	line int // length of the last line
}

// word appends a word. It never breaks a comment.
func (w *wrapped) word(s string) {
	switch {
	case s == "":
		return
	case w.line == 0:
	case w.line+1+len(s) > pgnWidth:
		w.text, w.line = append(w.text, '\n'), 0
	default:
		w.text, w.line = append(w.text, ' '), w.line+1
	}
	w.text, w.line = append(w.text, s...), w.line+len(s)
}
