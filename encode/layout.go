package encode

import (
	"fmt"

	"selfplay/engine"
)

// Layout turns a position into an array of fixed length. Name and Version are in every
// plan: a change of any number is a new version.
type Layout struct {
	Name     string
	Version  int
	Kind     Kind      // of every element
	Elements []Element // in order; the first are the cells of the board, row by row
	// Encode appends the Len values of a position to dst as little-endian bytes.
	Encode func(dst []byte, p engine.Position) []byte
	// Decode is the inverse of Encode: it returns the text of the position with these
	// little-endian values and this side to move. Clocks and history that the array does not
	// keep get their initial values. An error is an *engine.TextError. Decode is nil if the
	// array does not determine the position.
	Decode func(values []byte, turn engine.Side) (string, error)
	// AtPly returns a text of Decode with the move number after this number of plies since the
	// start of the game. Nil: the array keeps the move number, or texts have none.
	AtPly func(text string, ply int) string
	// Flip exchanges the sides of a board, in place: every cell moves to where the other
	// side sees it, and the colours are swapped, so that what Elements say of First holds
	// for Second. Flipping twice restores the values. Flip is nil if Encode always shows the
	// point of view of the side to move.
	Flip func(values []byte)
	// Identity names the elements that, together with the side to move, determine a
	// position up to clocks, counters and history. It is nil if the layout mixes these: see
	// Game.Identity.
	Identity []string
	// Metadata is what a reader needs besides Elements. It is written into every file as
	// keys and values, in this order.
	Metadata []KeyValue
	// Members returns further members of a JSON object that describes a position with these
	// values and this side to move. Nil: none.
	Members func(values []byte, turn engine.Side) []Member
	// Migrate converts the array of an older version, or of another program, to the values
	// of this version. With strict it refuses to guess. Nil: only arrays of Len values are
	// accepted.
	Migrate func(array []int, strict bool) ([]int, error)
}

// FullMoveElement is the name of an element that counts full moves. A full move ends with
// the second side's turn, so this number does not flip with the position.
const FullMoveElement = "full_move"

// Member is a member of a JSON object.
type Member struct {
	Name  string
	Value any
}

// Element describes a run of elements of a layout with one meaning.
type Element struct {
	Name  string
	Count int
	Doc   string
}

// KeyValue is one entry of file metadata.
type KeyValue struct{ Key, Value string }

// Len returns the number of values of a position.
func (l *Layout) Len() int {
	n := 0
	for _, e := range l.Elements {
		n += e.Count
	}
	return n
}

// Text returns the text of the position that an array of integers describes, with the
// given side to move. It accepts what Migrate accepts. An error is an *engine.TextError.
func (l *Layout) Text(array []int, turn engine.Side, strict bool) (string, error) {
	if l.Migrate != nil {
		var err error
		if array, err = l.Migrate(array, strict); err != nil {
			return "", err
		}
	}
	if len(array) != l.Len() {
		return "", ArrayError("ARRAY_LENGTH", "%d elements, want %d", len(array), l.Len())
	}
	limit := 1<<(8*l.Kind.Size()) - 1
	values := make([]byte, 0, len(array)*l.Kind.Size())
	for i, v := range array {
		if v < 0 || v > limit {
			return "", ArrayError("ARRAY_RANGE", "element %d is %d, want 0 to %d", i, v, limit)
		}
		for range l.Kind.Size() {
			values = append(values, byte(v))
			v >>= 8
		}
	}
	return l.Decode(values, turn)
}

// Values returns the elements of a board as integers, appended to dst.
func (l *Layout) Values(dst []int, board []byte) []int {
	for size := l.Kind.Size(); len(board) > 0; board = board[size:] {
		v := 0
		for i := range size {
			v |= int(board[i]) << (8 * i)
		}
		dst = append(dst, v)
	}
	return dst
}

// checkArray returns an error if a board has another number of values than its elements, or if a
// value is above the maximum of its element.
func checkArray(elements []Element, maxima []int, kind Kind, board []byte) error {
	size, n := kind.Size(), (&Layout{Elements: elements}).Len()
	if len(board) != n*size {
		return ArrayError("ARRAY_LENGTH", "%d bytes, want %d", len(board), n*size)
	}
	at := 0
	for i, e := range elements {
		for range e.Count {
			v := int(board[at*size])
			if size == 2 {
				v |= int(board[at*size+1]) << 8
			}
			if v > maxima[i] {
				return ArrayError("ARRAY_RANGE", "element %d is %d, want 0 to %d", at, v, maxima[i])
			}
			at++
		}
	}
	return nil
}

// ArrayError returns the error of a layout about a wrong array: an engine.TextError of the
// category structure. kind is a stable name of the fault such as ARRAY_RANGE.
func ArrayError(kind, format string, args ...any) error {
	return &engine.TextError{Kind: kind, Category: "structure", Msg: fmt.Sprintf(format, args...)}
}
