package cotulenh

import "strings"

// Type is a type of piece.
type Type uint8

// The piece types. Stack codes depend on their order; never change it.
const (
	Commander    Type = 0
	Infantry     Type = 1
	Tank         Type = 2
	Militia      Type = 3
	Engineer     Type = 4
	Artillery    Type = 5
	AntiAir      Type = 6
	Missile      Type = 7
	AirForce     Type = 8
	Navy         Type = 9
	Headquarters Type = 10
)

const numTypes = 11

const typeLetters = "citmeagsfnh"

// Letter returns the lower-case letter of the type.
func (t Type) Letter() byte { return typeLetters[t] }

// typeOf returns the type of a lower-case letter.
func typeOf(letter byte) (Type, bool) {
	i := strings.IndexByte(typeLetters, letter)
	return Type(i), i >= 0
}

// The kind of a piece is type*2 + heroic.
const (
	numKinds  = 2 * numTypes
	heroicBit = 1
	airKind   = uint8(AirForce) << 1 // an air force that is not heroic
)

// reach is the range of a piece on an empty board, in squares.
type reach struct {
	move, capture int
	diagonal      bool // all eight directions, else the four orthogonal ones
}

// Unlimited is longer than any ray on the board.
const Unlimited = 11

// reaches by type, not heroic.
var reaches = [numTypes]reach{
	Commander:    {Unlimited, 1, false},
	Infantry:     {1, 1, false},
	Tank:         {2, 2, false},
	Militia:      {1, 1, true},
	Engineer:     {1, 1, false},
	Artillery:    {3, 3, true},
	AntiAir:      {1, 1, false},
	Missile:      {2, 2, true}, // diagonally it moves and captures one less, but attacks at full range
	AirForce:     {4, 4, true},
	Navy:         {4, 4, true}, // captures one less unless a navy leads the target
	Headquarters: {0, 0, false},
}

// reachOf returns the range of a piece. A heroic piece reaches one square farther
// and in all eight directions.
func reachOf(t Type, heroic bool) reach {
	r := reaches[t]
	if heroic {
		r.move++
		r.capture++
		r.diagonal = true
	}
	return r
}

// Range returns how far a piece moves and captures on an empty board, and whether it goes
// in all eight directions.
func Range(t Type, heroic bool) (move, capture int, diagonal bool) {
	r := reachOf(t, heroic)
	return r.move, r.capture, r.diagonal
}

// zoneLevel returns the air-defense radius of a lead, 0 for none.
func zoneLevel(t Type, heroic bool) uint8 {
	var level uint8
	switch t {
	case Missile:
		level = 2
	case Navy, AntiAir:
		level = 1
	default:
		return 0
	}
	if heroic {
		level++
	}
	return level
}
