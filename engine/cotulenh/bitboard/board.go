package bitboard

import (
	"math/bits"

	"selfplay/engine/cotulenh"
)

// Board is a set of squares. Square rank*16 + file is bit square&63 of word square>>6, so
// four ranks share a word, and the bits of files 11 to 15 are always 0.
//
// It is a struct, not an array: Go keeps a struct of three words in registers, but an array
// in memory, which makes chains of set operations two to four times as slow.
type Board struct{ A, B, C uint64 }

// validWord holds the squares of one word.
const validWord = 0x07FF_07FF_07FF_07FF

// Valid holds the 132 squares of the board.
var Valid = Board{validWord, validWord, validWord}

// squareBoards holds each square as a set. It has 256 entries, so that a uint8 needs no
// bounds check; entries off the board are empty.
var squareBoards = func() (table [256]Board) {
	for _, sq := range squares {
		bit := uint64(1) << (sq & 63)
		switch sq >> 6 {
		case 0:
			table[sq].A = bit
		case 1:
			table[sq].B = bit
		case 2:
			table[sq].C = bit
		}
	}
	return table
}()

// squares lists the 132 squares row by row from a12.
var squares = func() (list [132]uint8) {
	for cell := range list {
		list[cell] = uint8(cotulenh.SquareOfCell(cell))
	}
	return list
}()

// Of returns the set of the given squares.
func Of(list ...cotulenh.Square) (b Board) {
	for _, sq := range list {
		b.Set(sq)
	}
	return b
}

// Set adds a square.
func (b *Board) Set(sq cotulenh.Square) { *b = b.Or(squareBoards[sq]) }

// Clear removes a square.
func (b *Board) Clear(sq cotulenh.Square) { *b = b.AndNot(squareBoards[sq]) }

// add is Set.
func (b *Board) add(sq uint8) { *b = b.Or(squareBoards[sq]) }

// toggle adds a square, or removes it if it is in the set.
func (b *Board) toggle(sq uint8) { *b = b.Xor(squareBoards[sq]) }

// Test reports whether a square is in the set.
func (b Board) Test(sq cotulenh.Square) bool { return b.has(uint8(sq)) }

// has is Test. It reads the square's mask from a table, because choosing the word would be
// a branch.
func (b Board) has(sq uint8) bool { return !b.And(squareBoards[sq]).Empty() }

// Empty reports whether the set has no square.
func (b Board) Empty() bool { return b.A|b.B|b.C == 0 }

// Count returns the number of squares (population count).
func (b Board) Count() int {
	return bits.OnesCount64(b.A) + bits.OnesCount64(b.B) + bits.OnesCount64(b.C)
}

// First returns the first square in board order, NoSquare if the set is empty.
func (b Board) First() cotulenh.Square {
	switch {
	case b.A != 0:
		return cotulenh.Square(bits.TrailingZeros64(b.A))
	case b.B != 0:
		return cotulenh.Square(64 + bits.TrailingZeros64(b.B))
	case b.C != 0:
		return cotulenh.Square(128 + bits.TrailingZeros64(b.C))
	}
	return cotulenh.NoSquare
}

// pop removes the first square of a set that is not empty and returns it.
func (b *Board) pop() uint8 {
	if w := b.A; w != 0 {
		b.A = w & (w - 1)
		return uint8(bits.TrailingZeros64(w))
	}
	if w := b.B; w != 0 {
		b.B = w & (w - 1)
		return uint8(64 + bits.TrailingZeros64(w))
	}
	w := b.C
	b.C = w & (w - 1)
	return uint8(128 + bits.TrailingZeros64(w))
}

// And returns the squares in both sets.
func (b Board) And(c Board) Board { return Board{b.A & c.A, b.B & c.B, b.C & c.C} }

// Or returns the squares in at least one of the sets.
func (b Board) Or(c Board) Board { return Board{b.A | c.A, b.B | c.B, b.C | c.C} }

// Xor returns the squares in exactly one of the sets.
func (b Board) Xor(c Board) Board { return Board{b.A ^ c.A, b.B ^ c.B, b.C ^ c.C} }

// AndNot returns the squares of b that are not in c.
func (b Board) AndNot(c Board) Board { return Board{b.A &^ c.A, b.B &^ c.B, b.C &^ c.C} }

// Not returns the squares of the board that are not in the set.
func (b Board) Not() Board { return Valid.AndNot(b) }

// Squares lists the set in board order.
func (b Board) Squares() (list []cotulenh.Square) {
	for !b.Empty() {
		list = append(list, cotulenh.Square(b.pop()))
	}
	return list
}

// Shifts move every square of a set one step. Squares that leave the board are dropped. A
// step along a rank lands in the unused files, or leaves the word, and never reaches
// another rank's squares: a Board has five unused bits between two ranks.

// North moves the set towards rank 12.
func (b Board) North() Board {
	return Board{b.A>>16 | b.B<<48, b.B>>16 | b.C<<48, b.C >> 16}
}

// South moves the set towards rank 1.
func (b Board) South() Board {
	return Board{b.A << 16, b.B<<16 | b.A>>48, b.C<<16 | b.B>>48}
}

// East moves the set towards file k.
func (b Board) East() Board { return Board{b.A << 1, b.B << 1, b.C << 1}.And(Valid) }

// West moves the set towards file a.
func (b Board) West() Board { return Board{b.A >> 1, b.B >> 1, b.C >> 1}.And(Valid) }

// NorthWest moves the set one step north and one west.
func (b Board) NorthWest() Board { return b.North().West() }

// NorthEast moves the set one step north and one east.
func (b Board) NorthEast() Board { return b.North().East() }

// SouthEast moves the set one step south and one east.
func (b Board) SouthEast() Board { return b.South().East() }

// SouthWest moves the set one step south and one west.
func (b Board) SouthWest() Board { return b.South().West() }

// shifts lists the shifts in the order of cotulenh.Directions.
var shifts = [8]func(Board) Board{
	Board.North, Board.East, Board.South, Board.West,
	Board.NorthWest, Board.NorthEast, Board.SouthEast, Board.SouthWest,
}

// Shift moves the set one step in a direction, numbered as in cotulenh.Directions.
func (b Board) Shift(direction int) Board { return shifts[direction](b) }

// Terrain masks, by the rule book. The design document that proposed them leaves file c out
// of the mixed squares and counts the four bridges as mixed.
var (
	Water   = where(func(sq cotulenh.Square) bool { return cotulenh.TerrainAt(sq) == cotulenh.Water }) // files a and b
	Mixed   = where(func(sq cotulenh.Square) bool { return cotulenh.TerrainAt(sq) == cotulenh.Mixed }) // file c, d6 e6 d7 e7
	Land    = where(func(sq cotulenh.Square) bool { return cotulenh.TerrainAt(sq) == cotulenh.Land })
	Bridges = where(func(sq cotulenh.Square) bool { // plain land; heavy pieces cross the river on these files
		return (sq.Rank() == 5 || sq.Rank() == 6) && (sq.File() == 5 || sq.File() == 7)
	})

	NavyMask  = Water.Or(Mixed) // where a navy lead may stand
	LandMask  = Land.Or(Mixed)  // where any other lead may stand
	UpperBank = where(func(sq cotulenh.Square) bool { return sq.File() >= 2 && sq.Rank() <= 5 })
	LowerBank = LandMask.AndNot(UpperBank)
)

// where returns the squares with a property.
func where(holds func(cotulenh.Square) bool) (b Board) {
	for _, sq := range squares {
		if holds(cotulenh.Square(sq)) {
			b.toggle(sq)
		}
	}
	return b
}

// fits reports whether a lead may stand on a square. It is false for noLead and off the
// board. A table of booleans answers for one square faster than a Board.
var fits = func() (table [16][256]bool) {
	for t := cotulenh.Commander; t <= cotulenh.Headquarters; t++ {
		for _, sq := range squares {
			table[t][sq] = cotulenh.CanStand(t, cotulenh.Square(sq))
		}
	}
	return table
}()

// remnantFits reports whether a remnant may stay on a square after a deployment.
func remnantFits(remnant cotulenh.Stack, sq uint8) bool {
	return remnant == cotulenh.Empty || fits[facts[remnant&511].lead&15][sq]
}
