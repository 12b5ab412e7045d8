package encode

import "selfplay/engine"

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

// Action is the meaning of an action number. From and To are cell names, empty if the
// action has none. Kind is the kind of move, or NoAction.
type Action struct{ From, To, Kind string }

// NoAction is the kind of numbers that stand for no move on any board.
const NoAction = "none"
