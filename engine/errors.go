package engine

import "strconv"

// TextError describes why a position text was rejected, and where.
type TextError struct {
	Kind     string // stable name of the fault for programs, such as FEN_INVALID_PIECE
	Category string // check that found the fault: structure, lexical, terrain, …
	Rank     int    // board rank as printed; 0 if the fault has no rank
	Column   int    // character in the text of that rank, from 1; 0 if the fault has no column
	Msg      string // explanation for people: what was found and what is expected
}

func (e *TextError) Error() string {
	where := ""
	if e.Rank > 0 {
		where = "rank " + strconv.Itoa(e.Rank)
		if e.Column > 0 {
			where += " column " + strconv.Itoa(e.Column)
		}
		where += ": "
	}
	return "parse position: " + where + e.Msg + " (" + e.Kind + ")"
}
