package engine

import "strconv"

// TextError tells why a position text was refused, and where.
type TextError struct {
	Kind     string // what is wrong, a name that programs may test: FEN_INVALID_PIECE
	Category string // which check found it: structure, lexical, terrain, …
	Rank     int    // rank of the board as printed, 0 where the fault has none
	Column   int    // character in that rank's text, from 1; 0 where it has none
	Msg      string // what a person needs to mend it
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
