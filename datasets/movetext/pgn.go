package movetext

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/search"
)

// Portable Game Notation: http://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm.
//
// Roster tags that the record does not contain are "?", the date too: the text must not
// depend on a clock. Those of an imported game are its own. Scores are comments as Lichess and python-chess read them, from the
// view of White or the first side: [%eval 0.34] in pawns, [%eval #-3] in moves to mate. A record has the score
// of the position before a ply; in PGN this is the comment after the previous ply. docs/cotulenh-pgn.md says what is
// different where turns have several moves.

func writesTurns(pos engine.Position) bool {
	_, turns := pos.(engine.TurnNotation)
	return turns
}

// pgnWidth is the maximum length of a line of moves.
const pgnWidth = 79

func appendPGN(dst []byte, w *Writer, r *engine.Record) ([]byte, error) {
	result := [...]string{engine.NoResult: "*", engine.FirstWins: "1-0", engine.SecondWins: "0-1", engine.Draw: "1/2-1/2"}[r.Outcome.Result]
	dst = appendTags(dst, w, r, result)
	moves := wrapped{text: dst}
	number, renumber := firstNumber(r.Start), true // a number is required at the begin and after a comment
	err := w.Game.Turns(w.pos, r, func(t encode.Turn) {
		first := t.Side == engine.First
		comment := w.comment(r, t.Ply, t.Side)
		moves.word(comment)
		if first || renumber || comment != "" {
			moves.word(numbered(number, first))
		}
		moves.word(t.Text)
		steps := w.stepsComment(r, &t)
		moves.word(steps)
		renumber = steps != ""
		if !first {
			number++
		}
	})
	moves.word(result)
	return append(moves.text, "\n\n"...), err
}

// stepScores begins the scores of the second and later decisions of a turn.
const stepScores = "[%stepevals"

// stepsComment returns the comment behind a turn: its moves if the text does not tell them, and the scores of its second and
// later decisions if they have some. It returns "" for nearly all turns.
func (w *Writer) stepsComment(r *engine.Record, t *encode.Turn) string {
	text := ""
	if !t.Sure {
		text = " [%steps " + strings.Join(t.Moves, " ") + "]"
	}
	scores, known := "", false
	for i := range t.Moves[1:] {
		score, ok := w.scoreOf(r, t.Ply+1+i, t.Side)
		scores, known = scores+" "+score, known || ok
	}
	if known {
		text += " " + stepScores + scores + "]"
	}
	if text == "" {
		return ""
	}
	return "{" + text + " }"
}

func appendTags(dst []byte, w *Writer, r *engine.Record, result string) []byte {
	names := namesOf(w.Game)
	tag := func(name, value string) {
		value = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)
		dst = fmt.Appendf(dst, "[%s \"%s\"]\n", name, value)
	}
	tag("Event", tagOf(r, "Event", w.Event))
	tag("Site", tagOf(r, "Site", "?"))
	tag("Date", tagOf(r, "Date", "????.??.??"))
	tag("Round", tagOf(r, "Round", strconv.FormatUint(r.Game, 10)))
	tag(names.first, r.Players[engine.First])
	tag(names.second, r.Players[engine.Second])
	tag("Result", result)
	start := r.Start
	if isChess960(w.pos) {
		tag("Variant", "Chess960")
		start = cmp.Or(start, chess.StartText) // readers expect it
	} else if !isChess(w.pos) {
		tag("Variant", w.Game.Name)
	}
	if start != "" {
		tag("SetUp", "1")
		tag("FEN", start)
	}
	for _, name := range []string{"ECO", "WhiteElo", "BlackElo", "TimeControl"} {
		if value := tagOf(r, name, ""); value != "" {
			tag(names.tag(name), value)
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

// comment returns the comment with the score of the position before a ply, "" if the ply was not searched.
func (w *Writer) comment(r *engine.Record, ply int, side engine.Side) string {
	score, ok := w.scoreOf(r, ply, side)
	if !ok {
		return ""
	}
	return "{ [%eval " + score + "] }"
}

// scoreOf returns the score of the position before a ply of a side from the view of the first side, or - and false if the
// ply was not searched.
func (w *Writer) scoreOf(r *engine.Record, ply int, side engine.Side) (text string, ok bool) {
	if ply >= len(r.Nodes) || r.Nodes[ply] == 0 {
		return "-", false
	}
	score := int(r.Scores[ply])
	if side == engine.Second {
		score = -score
	}
	size := max(score, -score)
	if size <= engine.MaxStatic {
		return fmt.Sprintf("%.2f", float64(score)/100), true
	}
	mate := search.MateScore - size // in plies
	if !writesTurns(w.pos) {
		mate = (mate + 1) / 2
	}
	if score < 0 {
		mate = -mate
	}
	return fmt.Sprintf("#%d", mate), true
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
