package contrast

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"selfplay/engine"
)

// A position text is the 29 elements of the array, separated by commas, a blank, and the
// side to move: x for Black, o for White.

// StartText is the text of the start of the game.
const StartText = "3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,3,1,3,1 x"

var sideLetters = [2]byte{'x', 'o'}

// String returns the canonical text.
func (p *Position) String() string {
	b := make([]byte, 0, len(StartText))
	for _, v := range p.Array() {
		b = append(b, '0'+v, ',')
	}
	b[len(b)-1] = ' '
	return string(append(b, sideLetters[p.turn&1]))
}

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

// Reachable returns why no game leads to the position, or nil if it finds no reason.
// Each test is sound; together they are not complete:
//
//   - each side has five pieces, because there are no captures;
//   - board and hands together hold six black and two gray tiles;
//   - at most one piece stands on its goal row, because the first one ends the game;
//   - its side is not to move, because that piece has just moved.
//
// In any other position either side may be to move: a jump covers the distance of
// several steps, so a side can lose a ply and return to the same cells.
func (p *Position) Reachable() error {
	black, gray := p.tiles[0].count(), p.tiles[1].count()
	for _, h := range p.hands {
		black += uint32(h.black())
		gray += uint32(h.gray())
	}
	if black != 6 {
		return fmt.Errorf("reach position: %d black tiles on the board and in hand, want 6", black)
	}
	if gray != 2 {
		return fmt.Errorf("reach position: %d gray tiles on the board and in hand, want 2", gray)
	}
	var onGoal [2]uint32
	for side, name := range sideNames {
		if n := p.pieces[side].count(); n != 5 {
			return fmt.Errorf("reach position: %d %s pieces, want 5", n, name)
		}
		onGoal[side] = (p.pieces[side] & goals[side]).count()
	}
	if n := onGoal[0] + onGoal[1]; n > 1 {
		return fmt.Errorf("reach position: %d pieces on their goal rows, want 1 at most", n)
	}
	if onGoal[p.turn&1] > 0 {
		return fmt.Errorf("reach position: %s has reached its goal but is to move", sideNames[p.turn&1])
	}
	return nil
}

// ArrayLen is the length of a position's array. Elements 0 to 24 are the cells from a5
// to e1 as occupant*3 + tile. Elements 25 to 28 are the tiles in hand: Black's black
// (0-3), Black's gray (0-1), White's black and White's gray. The side to move is not
// part of the array.
const ArrayLen = numCells + 4

// startArray is the array of the start of the game.
var startArray = [ArrayLen]uint8{
	3, 3, 3, 3, 3,
	0, 0, 0, 0, 0,
	0, 0, 0, 0, 0,
	0, 0, 0, 0, 0,
	6, 6, 6, 6, 6,
	3, 1, 3, 1,
}

// Array returns the array of the position.
func (p *Position) Array() (a [ArrayLen]uint8) {
	// Copy five cells and three walls at a time; the next row overwrites the walls.
	for rank := range ranks {
		eight := binary.LittleEndian.Uint64(p.cells[8*rank+9:])
		binary.LittleEndian.PutUint64(a[files*rank:], eight)
	}
	a[25], a[26] = p.hands[0].black(), p.hands[0].gray()
	a[27], a[28] = p.hands[1].black(), p.hands[1].gray()
	return a
}

// AppendArray appends the array of the position to dst.
func (p *Position) AppendArray(dst []byte) []byte {
	a := p.Array()
	return append(dst, a[:]...)
}

// MigrateV1 converts an array of version 1, the 25 cells alone, to the current array
// with full hands. certain is true only if no tile lies on the board: version 1 does
// not record which player placed a tile, so otherwise the true hands are unknown and
// Reachable rejects the result.
func MigrateV1(cells []uint8) (a [ArrayLen]uint8, certain bool, err error) {
	if len(cells) != numCells {
		return a, false, fmt.Errorf("migrate array: %d elements: want %d", len(cells), numCells)
	}
	a, certain = startArray, true
	for i, code := range cells {
		if code > maxCode {
			return [ArrayLen]uint8{}, false, fmt.Errorf("migrate array: element %d is %d: want 0 to %d", i, code, maxCode)
		}
		a[i] = code
		certain = certain && code%3 == noTile
	}
	return a, certain, nil
}
