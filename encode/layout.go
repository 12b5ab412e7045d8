package encode

import (
	"fmt"

	"selfplay/engine"
)

// Layout turns a position into an array of fixed length. Name and Version stand
// in every plan: a change of any number is a new version.
type Layout struct {
	Name     string
	Version  int
	Kind     Kind      // of every element
	Elements []Element // what the elements mean, in order
	// Encode appends the Len values to dst as little-endian bytes.
	Encode func(dst []byte, p engine.Position) []byte
	// Decode returns the text of the position that values, little-endian bytes,
	// describe: the inverse of Encode, for the side that stands in its own column. A
	// fault is an *engine.TextError. It is nil where the layout leaves too much out.
	Decode func(values []byte, turn engine.Side) (string, error)
	// Flip turns the values of a position to its other side, in place: cells where
	// that side sees them, colours swapped, so that what is said of First holds for
	// Second. Turned twice they are as before. It is nil where Encode shows every
	// position as the side to move sees it.
	Flip func(values []byte)
	// Identity names the elements that, with the side to move, make a position: two
	// boards of one position differ in clocks, counters and history alone. It is nil
	// where the layout mixes them: see Game.Identity.
	Identity []string
	// Metadata is what a reader needs besides Elements, written into every file
	// as key and value, in this order.
	Metadata []KeyValue
	// Members returns what a JSON object about a position with these values and this
	// side to move says besides its text. Nil: nothing.
	Members func(values []byte, turn engine.Side) []Member
	// Migrate turns the array of an older version, or of another program, into the
	// values of this one; strict refuses what it would have to guess. Nil: arrays
	// of Len values are the only ones.
	Migrate func(array []int, strict bool) ([]int, error)
}

// Member is a member of a JSON object.
type Member struct {
	Name  string
	Value any
}

// Element describes a run of equal elements of a layout.
type Element struct {
	Name  string
	Count int
	Doc   string
}

// KeyValue is one entry of file metadata.
type KeyValue struct{ Key, Value string }

// Len returns how many values a position takes.
func (l *Layout) Len() int {
	n := 0
	for _, e := range l.Elements {
		n += e.Count
	}
	return n
}

// Text returns the text of the position that an array of integers describes for
// the side to move. It reads what Migrate reads; a fault is an *engine.TextError.
func (l *Layout) Text(array []int, turn engine.Side, strict bool) (string, error) {
	if l.Migrate != nil {
		var err error
		if array, err = l.Migrate(array, strict); err != nil {
			return "", err
		}
	}
	if len(array) != l.Len() {
		return "", arrayError("ARRAY_LENGTH", "%d elements, want %d", len(array), l.Len())
	}
	most := 1<<(8*l.Kind.Size()) - 1
	values := make([]byte, 0, len(array)*l.Kind.Size())
	for i, v := range array {
		if v < 0 || v > most {
			return "", arrayError("ARRAY_RANGE", "element %d is %d, want 0 to %d", i, v, most)
		}
		for range l.Kind.Size() {
			values = append(values, byte(v))
			v >>= 8
		}
	}
	return l.Decode(values, turn)
}

func arrayError(kind, format string, args ...any) error {
	return &engine.TextError{Kind: kind, Category: "structure", Msg: fmt.Sprintf(format, args...)}
}

// Actions numbers the moves of a game, as policy indexes on the absolute board.
// Numbers are frozen once released.
type Actions struct {
	Version int
	Count   int // numbers run from 0 to Count-1
	// Number returns the number of a legal move.
	Number func(p engine.Position, m engine.Move) uint16
	// Move returns the move that has this number in p. It checks no more than it
	// needs to build the move: an illegal one is an error or a move that is not in
	// the list, but never a panic.
	Move func(p engine.Position, action uint16) (engine.Move, error)
	// Describe says what a number below Count stands for on any board.
	Describe func(action uint16) Action
	// Flip returns the number of the same move as the other side sees it: m is legal in
	// a position exactly if its turned move is legal in the turned one, see
	// Layout.Flip. It is its own inverse; what is no number of the game stays as it is.
	Flip func(action uint16) uint16
	// Takes reports whether a legal move takes something off the board. It is nil in
	// games where none ever does.
	Takes func(p engine.Position, m engine.Move) bool
}

// Action is what an action number stands for. From and To are squares, empty where
// the action has none; Kind says what is done, NoAction where the number names no
// way across the board.
type Action struct{ From, To, Kind string }

// NoAction is the kind of the numbers that stand for nothing on any board.
const NoAction = "none"
