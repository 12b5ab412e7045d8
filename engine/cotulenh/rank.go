package cotulenh

import (
	"fmt"

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

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// emptyRun reads the number of empty squares at row[i]. A 1 and a digit after it are
// one number; any other digit is a number of its own.
func emptyRun(row string, i int) (value, length int) {
	value = int(row[i] - '0')
	if value == 1 && i+1 < len(row) && isDigits(row[i+1:i+2]) {
		return 10 + int(row[i+1]-'0'), 2
	}
	return value, 1
}

// checkRank checks the format of one rank: numbers, letters, parentheses, width.
func checkRank(row string) *engine.TextError {
	width, open, plus := 0, -1, false
	for i := 0; i < len(row); {
		c := row[i]
		length := 1
		switch {
		case isDigits(row[i : i+1]):
			n, l := emptyRun(row, i)
			if n < 1 || n > files {
				return atColumn(fault(kindFileCount, "lexical", "a run of %d empty squares: want 1 to %d", n, files), i)
			}
			width += n
			length = l
		case c == '+':
			if plus {
				return atColumn(fault(kindFormat, "lexical", "two + in a row: want one"), i)
			}
		case c == '(':
			if open >= 0 {
				return atColumn(fault(kindFormat, "structure", "( inside a stack"), i)
			}
			open = i
			width++
		case c == ')':
			if open < 0 {
				return atColumn(fault(kindParentheses, "structure", ") without ("), i)
			}
			open = -1
		default:
			if _, ok := typeOf(c | 0x20); !ok {
				return atColumn(fault(kindPiece, "lexical", "%q is not a piece: want one of %s", c, typeLetters), i)
			}
			if open < 0 {
				width++
			}
		}
		plus = c == '+'
		i += length
	}
	switch {
	case open >= 0:
		return atColumn(fault(kindParentheses, "structure", "( without )"), open)
	case plus:
		return atColumn(fault(kindFormat, "lexical", "+ at the end of the rank: want a piece after it"), len(row)-1)
	case width != files:
		return fault(kindFileCount, "structure", "%d squares: want %d", width, files)
	}
	return nil
}

// checkMarks rejects what the published engine accepts without a clear meaning: a +
// before anything but a letter, a stack of none or one, a number inside a stack.
func checkMarks(row string) *engine.TextError {
	open, members := -1, 0
	for i := range len(row) {
		c := row[i]
		switch {
		case i > 0 && row[i-1] == '+' && !isLetter(c):
			return atColumn(fault(kindFormat, "lexical", "+ before %q: want a piece after it", c), i-1)
		case c == '(':
			open, members = i, 0
		case c == ')':
			if members < 2 {
				return atColumn(fault(kindFormat, "structure", "%d pieces in parentheses: want 2 or 3", members), open)
			}
			open = -1
		case isLetter(c):
			members++
		case open >= 0 && c != '+':
			return atColumn(fault(kindFormat, "structure", "a number inside a stack"), i)
		}
	}
	return nil
}
