package contrast

import (
	"fmt"
	"strconv"
	"strings"

	"selfplay/engine"
)

// Values of engine.TextError.Kind.
const (
	kindFormat = "CONTRAST_INVALID_FORMAT"
	kindSide   = "CONTRAST_INVALID_SIDE"
	kindCount  = "CONTRAST_INVALID_ELEMENT_COUNT"
	kindNumber = "CONTRAST_INVALID_NUMBER"
	kindCell   = "CONTRAST_INVALID_CELL"
	kindHand   = "CONTRAST_INVALID_HAND"
)

// Set sets up the position of a text. It accepts every array whose elements are in
// range, including positions that no game leads to.
func (p *Position) Set(text string) error {
	array, turn, err := parse(text)
	if err != nil {
		return err
	}
	p.arrange(&array, turn)
	return nil
}

// parse parses a position text. It returns the first fault: of the whole text, then of
// the elements from left to right.
func parse(text string) (a [ArrayLen]uint8, turn engine.Side, err error) {
	list, side, found := strings.Cut(text, " ")
	if !found {
		return a, 0, fault(kindFormat, "structure", "want an array, a blank and a side to move, x or o")
	}
	switch side {
	case "x":
		turn = engine.First
	case "o":
		turn = engine.Second
	default:
		return a, 0, fault(kindSide, "structure", "side to move %q: want x or o", side)
	}
	elements := strings.Split(list, ",")
	if len(elements) != ArrayLen {
		return a, 0, fault(kindCount, "structure", "%d elements: want %d", len(elements), ArrayLen)
	}
	for i, element := range elements {
		value, err := readElement(element, i)
		if err != nil {
			return a, 0, atCell(err, i)
		}
		a[i] = value
	}
	return a, turn, nil
}

// readElement parses element i: a number without sign or leading zeros, within its
// range.
func readElement(text string, i int) (uint8, *engine.TextError) {
	value, err := strconv.ParseUint(text, 10, 32)
	if err != nil || strconv.FormatUint(value, 10) != text {
		return 0, fault(kindNumber, "lexical", "element %d is %q: want a number without sign or leading zeros", i, text)
	}
	limit, kind, category := uint64(maxCode), kindCell, "board"
	if i >= numCells {
		limit, kind, category = maxInHand[i-numCells], kindHand, "hands"
	}
	if value > limit {
		return 0, fault(kind, category, "element %d is %d: want 0 to %d", i, value, limit)
	}
	return uint8(value), nil
}

// maxInHand are the largest values of the last four elements.
var maxInHand = [4]uint64{3, 1, 3, 1}

func fault(kind, category, format string, args ...any) *engine.TextError {
	return &engine.TextError{Kind: kind, Category: category, Msg: fmt.Sprintf(format, args...)}
}

// atCell adds rank and column to a fault of element i if the element is a cell.
func atCell(err *engine.TextError, i int) *engine.TextError {
	if i < numCells {
		err.Rank, err.Column = ranks-i/files, 1+i%files
	}
	return err
}
