package encode

import (
	"fmt"
	"slices"

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
		array, err = l.Migrate(array, strict)
		if err != nil {
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

// Two positions are the same if they have the same cells, the same open turn, the same
// side to move, and the same rights and reserves: castling and en passant in chess, hands
// in Contrast. Clocks, move numbers and repetitions do not count. engine.Position.Hash
// hashes exactly this.

// Identity returns the layout that identifies positions. Layouts of planes do not: some of
// their planes are clocks, and they are drawn from the array of this layout.
func (g *Game) Identity() *Layout {
	i := slices.IndexFunc(g.Layouts, func(l Layout) bool { return l.Identity != nil })
	return &g.Layouts[i] // every game has one: see encodetest.Missing
}

// span is a range of bytes of a board.
type span struct{ from, to int }

// Key returns a function that appends the key of a position to dst. It takes the values of
// the layout on the absolute board and the side to move. Two positions are the same exactly
// if their keys are equal.
func (l *Layout) Key() func(dst, values []byte, turn engine.Side) []byte {
	var spans []span
	at := 0
	for _, e := range l.Elements {
		next := at + e.Count*l.Kind.Size()
		if slices.Contains(l.Identity, e.Name) {
			spans = append(spans, span{at, next})
		}
		at = next
	}
	return func(dst, values []byte, turn engine.Side) []byte {
		for _, s := range spans {
			dst = append(dst, values[s.from:s.to]...)
		}
		return append(dst, byte(turn))
	}
}

// The layout planes is the input of a network: one bit per cell and plane, from the point
// of view of the side to move. It is a function of the compact array and the side to move,
// so a dataset in the layout compact can be converted to it.

// PlanesName is the name of the layouts of planes.
const PlanesName = "planes"

// PlaneShape is the metadata key for the number of planes, ranks and files: [58,12,11].
const PlaneShape = "plane_shape"

// FirstPlane is the name of the plane that is full if side 0 is to move. It is the only plane that tells the sides apart.
const FirstPlane = "first"

// Planes describes the layout planes of a game.
type Planes struct {
	Version  int
	Grid     Grid
	Elements []Element // one per plane; Layout sets Count
	// Draw draws the values of a compact array from the point of view of the side to move. It may change values:
	// Layout.Flip turns those of a board into what Second sees.
	Draw func(c Canvas, values []byte, turn engine.Side)
}

// Layout returns the layout of the planes, which are drawn from the layout compact. A plane
// takes whole bytes: bit i, counted from the lowest bit of the first byte, is cell i of the
// board as the side to move sees it, row by row. The bits after the last cell are 0.
func (b Planes) Layout(compact Layout) Layout {
	cells := b.Grid.Cells()
	size := (cells + 7) / 8
	elements := slices.Clone(b.Elements)
	for i := range elements {
		elements[i].Count = size
	}
	bytes, spare := len(elements)*size, compact.Len()*compact.Kind.Size()
	return Layout{
		Name:     PlanesName,
		Version:  b.Version,
		Kind:     Uint8,
		Elements: elements,
		Encode: func(dst []byte, p engine.Position) []byte {
			start, end := len(dst), len(dst)+bytes
			dst = slices.Grow(dst, bytes+spare)[:end]
			drawn := dst[start:]
			clear(drawn)
			// The compact array goes into the spare capacity after the planes.
			b.Draw(Canvas{drawn, size, cells}, compact.Encode(dst[end:], p), p.Turn())
			return dst
		},
		Metadata: []KeyValue{
			{PlaneShape, fmt.Sprintf("[%d,%d,%d]", len(elements), b.Grid.Ranks, b.Grid.Files)},
			{"plane_bits", "little"},
		},
	}
}

// Canvas holds the planes of one position. All bits are 0 at first.
type Canvas struct {
	bytes []byte
	size  int // bytes per plane
	cells int
}

// Set sets a cell of a plane.
func (c Canvas) Set(plane, cell int) {
	c.bytes[plane*c.size+cell>>3] |= 1 << (cell & 7)
}

// Fill sets all cells of a plane if on.
func (c Canvas) Fill(plane int, on bool) {
	if !on {
		return
	}
	out := c.bytes[plane*c.size:][:c.size]
	for i := range out {
		out[i] = 0xFF
	}
	if rest := c.cells & 7; rest != 0 {
		out[c.size-1] = 1<<rest - 1
	}
}

// Clock fills ClockBits planes with the bits of a half-move clock, the lowest first.
func (c Canvas) Clock(plane int, clock int) {
	clock = min(clock, 1<<ClockBits-1)
	for bit := range ClockBits {
		c.Fill(plane+bit, clock>>bit&1 == 1)
	}
}

// ClockBits is the number of planes of a half-move clock.
const ClockBits = 7

// ClockPlanes documents the planes of Canvas.Clock.
func ClockPlanes() (list []Element) {
	for bit := range ClockBits {
		list = append(list, Element{Name: fmt.Sprintf("half_move_%d", 1<<bit),
			Doc: fmt.Sprintf("all cells if bit %d of the half-move clock is set; the clock is capped at 127", bit)})
	}
	return list
}

// SidePlane documents the plane FirstPlane, which tells the sides apart.
func SidePlane(sides [2]string) Element {
	return Element{Name: FirstPlane, Doc: fmt.Sprintf("all cells if %s, side 0, is to move; no cell if %s is", sides[0], sides[1])}
}

// Actions numbers the moves of a game on the absolute board. The numbers are policy
// indexes; they are frozen once released.
type Actions struct {
	Version int
	Count   int // numbers run from 0 to Count-1
	Factors     // of the numbers, if they have any
	// HasOrigin is set if moves start from a cell. Otherwise no action has a From: pieces
	// are placed.
	HasOrigin bool
	// Number returns the number of a move. It depends on the move alone.
	Number func(m engine.Move) uint16
	// Move returns the move with this number in p. It checks only what it needs to build
	// the move. The number of an illegal move gives an error, or a move that Moves does not
	// list; never a panic.
	Move func(p engine.Position, action uint16) (engine.Move, error)
	// Describe returns the meaning of a number below Count, independent of the position.
	Describe func(action uint16) Action
	// Flip returns the number of the same move in the flipped position (see Layout.Flip).
	// It is its own inverse. Numbers from Count on are returned unchanged.
	Flip func(action uint16) uint16
	// IsCapture reports whether a legal move takes a piece off the board. It is nil in
	// games without captures: the condition capture never holds there.
	IsCapture func(p engine.Position, m engine.Move) bool
}

// FlipActions returns an Actions.Flip that follows from the flip of the compact layout: the flipped move has the same kind,
// between the cells to which the layout moves its own. No kind may name a cell, and no two numbers may have one meaning.
func FlipActions(compact Layout, grid Grid, count int, describe func(action uint16) Action) func(action uint16) uint16 {
	seen := map[string]string{"": ""} // by the name of a cell, that of the cell on which the other side sees it
	for cell := range grid.Cells() {
		to, _ := flipOne(&compact, cell, 1)
		seen[grid.Name(cell)] = grid.Name(to)
	}
	numbers := map[Action]uint16{}
	for n := range count {
		numbers[describe(uint16(n))] = uint16(n)
	}
	flipped := make([]uint16, count)
	for n := range flipped {
		a := describe(uint16(n))
		flipped[n] = numbers[Action{seen[a.From], seen[a.To], a.Kind}]
		if a.Kind == NoAction {
			flipped[n] = uint16(n)
		}
	}
	return func(action uint16) uint16 {
		if int(action) < count {
			return flipped[action]
		}
		return action
	}
}

// Action is the meaning of an action number. From and To are cell names, empty if the
// action has none. Kind is the kind of move, or NoAction.
type Action struct{ From, To, Kind string }

// NoAction is the kind of numbers that stand for no move on any board.
const NoAction = "none"
