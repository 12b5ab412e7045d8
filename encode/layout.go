package encode

import "selfplay/engine"

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
	// describe: the inverse of Encode, for the side that stands in its own column.
	Decode func(values []byte, turn engine.Side) (string, error)
	// Metadata is what a reader needs besides Elements, written into every file
	// as key and value, in this order.
	Metadata []KeyValue
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
}
