package cotulenh

import (
	"fmt"
	"strconv"
)

// Square is a cell of the mailbox: internal rank * 16 + file.
type Square uint8

// NoSquare means "no square". It is a dead cell.
const NoSquare = 0xFF

const (
	files = 11
	ranks = 12
)

// Directions as offsets between squares. North is towards rank 12.
const (
	North     = -16
	East      = +1
	South     = +16
	West      = -1
	NorthWest = -17
	NorthEast = -15
	SouthEast = +17
	SouthWest = +15
)

// directions lists four orthogonal and then four diagonal directions. Action
// numbers contain the index of a direction; never change the order.
var directions = [8]int{North, East, South, West, NorthWest, NorthEast, SouthEast, SouthWest}

// squareAt returns the square on an internal rank and file.
func squareAt(rank, file int) Square { return Square(rank<<4 | file) }

// File returns 0 for file a to 10 for file k.
func (s Square) File() int { return int(s & 15) }

// Rank returns the internal rank: 0 for printed rank 12, 11 for printed rank 1.
func (s Square) Rank() int { return int(s >> 4) }

// PrintedRank returns the printed rank, 1 to 12.
func (s Square) PrintedRank() int { return ranks - s.Rank() }

// FileLetter returns 'a' to 'k'.
func (s Square) FileLetter() byte { return 'a' + byte(s.File()) }

// Valid reports whether s is on the board.
func (s Square) Valid() bool { return s.File() < files && s.Rank() < ranks }

// String returns the name of the square, such as e6, or "-" if s is off the board.
func (s Square) String() string {
	if !s.Valid() {
		return "-"
	}
	return string(s.FileLetter()) + strconv.Itoa(s.PrintedRank())
}

// Cell returns the index of the square in a dataset's array: 0 to 131, row by row
// from a12.
func (s Square) Cell() int { return s.Rank()*files + s.File() }

// SquareOfCell is the inverse of Cell.
func SquareOfCell(cell int) Square { return squareAt(cell/files, cell%files) }

// ParseSquare reads the name of a square, such as e6.
func ParseSquare(text string) (Square, error) {
	if len(text) < 2 || len(text) > 3 || text[0] < 'a' || text[0] > 'k' || text[1] == '0' {
		return NoSquare, fmt.Errorf("parse square %q: want a file a-k and a rank 1-12", text)
	}
	rank, err := strconv.ParseUint(text[1:], 10, 8)
	if err != nil || rank < 1 || rank > ranks {
		return NoSquare, fmt.Errorf("parse square %q: want a file a-k and a rank 1-12", text)
	}
	return squareAt(ranks-int(rank), int(text[0]-'a')), nil
}

// boardSquares lists the 132 squares row by row from a12.
var boardSquares = func() (list [files * ranks]uint8) {
	for i := range list {
		list[i] = uint8(SquareOfCell(i))
	}
	return list
}()
