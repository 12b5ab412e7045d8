package cotulenh

import (
	"fmt"
	"strconv"
	"strings"

	"selfplay/engine"
)

// Kinds of errors in a position text. All but kindSession are the names that the
// published engine uses.
const (
	kindFormat      = "FEN_INVALID_FORMAT"
	kindRankCount   = "FEN_INVALID_RANK_COUNT"
	kindFileCount   = "FEN_INVALID_FILE_COUNT"
	kindPiece       = "FEN_INVALID_PIECE"
	kindParentheses = "FEN_MISMATCH_PARENTHESES"
	kindCombination = "COMBINATION_FAILED"
	kindTerrain     = "BOARD_INVALID_TERRAIN"
	kindCommander   = "COMMANDER_LIMIT_EXCEEDED"
	kindSession     = "FEN_INVALID_SESSION"
)

func fault(kind, category, format string, args ...any) *engine.TextError {
	return &engine.TextError{Kind: kind, Category: category, Msg: fmt.Sprintf(format, args...)}
}

// inRank adds the printed rank to an error; row counts from rank 12.
func inRank(err *engine.TextError, row int) error {
	err.Rank = ranks - row
	return err
}

// atColumn adds the place in the rank's text to an error.
func atColumn(err *engine.TextError, index int) *engine.TextError {
	err.Column = index + 1
	return err
}

// description is what a position text describes.
type description struct {
	cells      [256]Stack
	turn       uint8
	half, full uint32
	session    string // seventh field if it is a session
}

// parse reads a position text but does not check its session. It reports the first
// error in this order: the format of the whole text, misplaced marks, then pieces.
func parse(text string) (*description, error) {
	fields := strings.Fields(text)
	if len(fields) < 6 {
		return nil, fault(kindFormat, "structure", "found %d fields: want at least 6", len(fields))
	}
	d := new(description)
	if err := d.readClocks(fields); err != nil {
		return nil, err
	}
	rows := strings.Split(fields[0], "/")
	if len(rows) != ranks {
		return nil, fault(kindRankCount, "structure", "found %d ranks: want %d", len(rows), ranks)
	}
	if err := checkRows(rows, checkRank); err != nil {
		return nil, err
	}
	if text[0] != fields[0][0] {
		return nil, fault(kindRankCount, "structure", "the text begins with white space: remove it")
	}
	if err := checkRows(rows, checkMarks); err != nil {
		return nil, err
	}
	origin := Square(NoSquare)
	if len(fields) > 6 && strings.Contains(fields[6], ":") {
		d.session = fields[6]
		origin, _ = ParseSquare(d.session[:strings.IndexByte(d.session, ':')])
	}
	return d, d.place(rows, origin)
}

// checkRows applies a check to each rank and returns the first error.
func checkRows(rows []string, check func(row string) *engine.TextError) error {
	for i, row := range rows {
		if err := check(row); err != nil {
			return inRank(err, i)
		}
	}
	return nil
}

// readClocks reads the side to move, the unused fields and the clocks.
func (d *description) readClocks(fields []string) error {
	switch fields[1] {
	case "r":
		d.turn = 0
	case "b":
		d.turn = 1
	default:
		return fault(kindFormat, "structure", "side to move is %q: want r or b", fields[1])
	}
	for i := 2; i <= 3; i++ {
		if fields[i] != "-" {
			return fault(kindFormat, "structure", "field %d is %q: want -", i+1, fields[i])
		}
	}
	if !isDigits(fields[4]) {
		return fault(kindFormat, "structure", "half-move clock is %q: want a number", fields[4])
	}
	if !isDigits(fields[5]) || fields[5][0] == '0' {
		return fault(kindFormat, "structure", "full-move number is %q: want a number from 1", fields[5])
	}
	half, errHalf := strconv.ParseUint(fields[4], 10, 16)
	full, errFull := strconv.ParseUint(fields[5], 10, 16)
	if errHalf != nil || errFull != nil {
		return fault(kindFormat, "structure", "clocks are %s and %s: want at most %d", fields[4], fields[5], MaxClock)
	}
	d.half, d.full = uint32(half), uint32(full)
	return nil
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
