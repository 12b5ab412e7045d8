package contrast

import (
	"fmt"
	"math/bits"
)

const (
	files     = 5
	ranks     = 5
	numCells  = files * ranks
	numPlaces = 64 // size of the mailbox, walls included
)

// Directions as differences of squares modulo 256. North is towards rank 5.
const (
	south = 8
	east  = 1
	north = 256 - south
	west  = 256 - east

	southEast = south + east
	southWest = south - east
	northWest = 256 - southEast
	northEast = 256 - southWest
)

// directions in the order of baseMoves: four orthogonal, four diagonal.
var directions = [8]uint8{north, east, south, west, northWest, northEast, southEast, southWest}

// squareOf returns the square of a cell; for numbers beyond the board a wall.
func squareOf(cell uint8) uint8 { return squares[cell&31] }

var squares = func() (t [32]uint8) {
	for cell := range numCells {
		t[cell] = uint8(8*(cell/files+1) + cell%files + 1)
	}
	return t
}()

// cellOf is the inverse of squareOf.
func cellOf(sq uint8) uint8 { return cells[sq&63] }

var cells = func() (t [numPlaces]uint8) {
	for cell := range uint8(numCells) {
		t[squareOf(cell)] = cell
	}
	return t
}()

// CellName returns the name of a cell, such as c3 for 12, and "-" for numbers beyond
// the board.
func CellName(cell uint8) string { return string(appendCell(nil, cell)) }

func appendCell(b []byte, cell uint8) []byte {
	if cell >= numCells {
		return append(b, '-')
	}
	return append(b, 'a'+cell%files, '0'+ranks-cell/files)
}

// ParseCell parses the name of a cell.
func ParseCell(text string) (uint8, error) {
	if len(text) != 2 || text[0] < 'a' || text[0] > 'e' || text[1] < '1' || text[1] > '5' {
		return 0, fmt.Errorf("parse cell %q: want a1 to e5", text)
	}
	return ('5'-text[1])*files + text[0] - 'a', nil
}

// A set has one bit per square of the mailbox. It never contains walls, so a shifted
// set needs no mask before it is intersected with another.
type set uint64

// one returns the set of a single square.
func one(sq uint8) set { return 1 << (sq & 63) }

func (s set) has(sq uint8) bool { return s>>(sq&63)&1 != 0 }

func (s set) count() uint32 { return uint32(bits.OnesCount64(uint64(s))) }

// first returns the lowest square of a non-empty set.
func (s set) first() uint8 { return uint8(bits.TrailingZeros64(uint64(s))) }

// nth returns the n-th square, from 0, of a set with more than n squares.
func (s set) nth(n uint32) uint8 {
	for ; n > 0; n-- {
		s &= s - 1
	}
	return s.first()
}

const (
	row   set = 0b111110
	board     = (1 | 1<<8 | 1<<16 | 1<<24 | 1<<32) * row << 8
)

// goals are the goal rows by side: rank 1 for Black, rank 5 for White.
var goals = [2]set{row << (8 * ranks), row << 8}

// hand is the tiles that a player has left: the number of black ones, 0 to 3, plus 4
// for the gray one.
type hand uint8

const (
	oneBlack hand = 1
	oneGray  hand = 4
)

// tileUnits holds what one tile of each kind adds to a hand.
var tileUnits = [4]hand{blackTile: oneBlack, grayTile: oneGray}

func (h hand) black() uint8 { return uint8(h & 3) }
func (h hand) gray() uint8  { return uint8(h >> 2) }

// holds reports whether the hand has a tile of a kind.
func (h hand) holds(kind uint8) bool {
	if kind == grayTile {
		return h.gray() > 0
	}
	return h.black() > 0
}

// tileKinds lists the kinds of tiles in a hand.
type tileKinds struct {
	n     uint32
	kinds [2]uint8
}

// tileKindsOf is indexed by hand.
var tileKindsOf = func() (t [8]tileKinds) {
	for h := range t {
		c := &t[h]
		if hand(h).black() > 0 {
			c.kinds[c.n&1] = blackTile
			c.n++
		}
		if hand(h).gray() > 0 {
			c.kinds[c.n&1] = grayTile
			c.n++
		}
	}
	return t
}()

// tileKinds returns the kinds of tiles that the side to move may place.
func (p *Position) tileKinds() *tileKinds { return &tileKindsOf[p.hands[p.turn&1]&7] }
