package contrast

import (
	"fmt"
	"strconv"
	"strings"

	"selfplay/engine"
)

// Set makes the position the one that text describes and forgets the history. It
// takes every array whose elements are in range, also what no game leads to.
func (p *Position) Set(text string) error {
	array, turn, err := parse(text)
	if err != nil {
		return err
	}
	p.arrange(&array, turn)
	return nil
}

// parse reads a position text. The first fault is reported: of the whole text,
// then of the elements from left to right.
func parse(text string) (a [ArrayLen]uint8, turn engine.Side, err error) {
	list, side, found := strings.Cut(text, " ")
	if !found {
		return a, 0, fault(kindFormat, "structure", "want an array, a blank and a side to move")
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
		return a, 0, fault(kindCount, "structure", "want %d elements, have %d", ArrayLen, len(elements))
	}
	for i, element := range elements {
		value, err := readElement(element, i)
		if err != nil {
			return a, 0, inCell(err, i)
		}
		a[i] = value
	}
	return a, turn, nil
}

// readElement reads the i-th element: a number in canonical form, within its
// range.
func readElement(text string, i int) (uint8, *engine.TextError) {
	value, err := strconv.ParseUint(text, 10, 32)
	if err != nil || strconv.FormatUint(value, 10) != text {
		return 0, fault(kindNumber, "lexical", "element %d is %q: want a number", i, text)
	}
	most, kind, category := uint64(maxCode), kindCell, "board"
	if i >= numCells {
		most, kind, category = mostInHand[i-numCells], kindHand, "hands"
	}
	if value > most {
		return 0, fault(kind, category, "element %d is %d: want 0 to %d", i, value, most)
	}
	return uint8(value), nil
}

// mostInHand are the largest values of the last four elements.
var mostInHand = [4]uint64{3, 1, 3, 1}

func fault(kind, category, format string, args ...any) *engine.TextError {
	return &engine.TextError{Kind: kind, Category: category, Msg: fmt.Sprintf(format, args...)}
}

// inCell completes a fault of the i-th element with rank and file, if it is a cell.
func inCell(err *engine.TextError, i int) *engine.TextError {
	if i < numCells {
		err.Rank, err.Column = ranks-i/files, 1+i%files
	}
	return err
}
