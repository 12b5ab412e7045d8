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
