package cotulenh

import (
	"fmt"
	"strconv"
)

// Square is a cell of the mailbox: internal rank * 16 + file.
type Square uint8

// noSquare stands for no square: it is a dead cell.
const noSquare = 0xFF

const (
	files = 11
	ranks = 12
)

// Directions, as differences of squares. North is towards rank 12.
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

// directions in the order of the rule book: four orthogonal, four diagonal. The
// index of a direction is part of the action numbers.
var directions = [8]int{North, East, South, West, NorthWest, NorthEast, SouthEast, SouthWest}

// squareAt returns the square of an internal rank and file.
func squareAt(rank, file int) Square { return Square(rank<<4 | file) }

// File returns 0 for file a to 10 for file k.
func (s Square) File() int { return int(s & 15) }

// Rank returns the internal rank, 0 for rank 12 to 11 for rank 1.
func (s Square) Rank() int { return int(s >> 4) }

// DisplayRank returns the rank as printed, 1 to 12.
func (s Square) DisplayRank() int { return ranks - s.Rank() }

// FileLetter returns 'a' to 'k'.
func (s Square) FileLetter() byte { return 'a' + byte(s.File()) }

// Valid reports whether s is on the board.
func (s Square) Valid() bool { return s.File() < files && s.Rank() < ranks }

func (s Square) String() string {
	if !s.Valid() {
		return "-"
	}
	return string(s.FileLetter()) + strconv.Itoa(s.DisplayRank())
}

// Cell returns the number of the square row by row from a12, 0 to 131: its place
// in a dataset's array.
func (s Square) Cell() int { return s.Rank()*files + s.File() }

// SquareOfCell is the inverse of Cell.
func SquareOfCell(cell int) Square { return squareAt(cell/files, cell%files) }

// ParseSquare reads a square such as e6.
func ParseSquare(text string) (Square, error) {
	if len(text) < 2 || len(text) > 3 || text[0] < 'a' || text[0] > 'k' || text[1] == '0' {
		return noSquare, fmt.Errorf("parse square %q: want a file a-k and a rank 1-12", text)
	}
	rank, err := strconv.ParseUint(text[1:], 10, 8)
	if err != nil || rank < 1 || rank > ranks {
		return noSquare, fmt.Errorf("parse square %q: want a file a-k and a rank 1-12", text)
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

// Terrain is the ground of a square.
type Terrain uint8

// Navy stands on Water and Mixed, everything else on Mixed and Land.
const (
	Water Terrain = 0
	Mixed Terrain = 1
	Land  Terrain = 2
)

// terrainMap is the board as printed, rank 12 first: ~ water, = mixed, . land.
// The bridges f6 f7 h6 h7 are plain land; they only matter to heavy pieces.
const terrainMap = `
~~=........
~~=........
~~=........
~~=........
~~=........
~~===......
~~===......
~~=........
~~=........
~~=........
~~=........
~~=........
`

var terrain = func() (t [256]Terrain) {
	for i, sq := range boardSquares {
		switch terrainMap[1+i/files*(files+1)+i%files] {
		case '~':
			t[sq] = Water
		case '=':
			t[sq] = Mixed
		case '.':
			t[sq] = Land
		}
	}
	return t
}()

// TerrainAt returns the ground of a square of the board.
func TerrainAt(s Square) Terrain { return terrain[s] }

// CanStand reports whether a stack led by t may stand on s. Cargo never matters.
func CanStand(t Type, s Square) bool {
	if t == Navy {
		return terrain[s] != Land
	}
	return terrain[s] != Water
}

// fits is CanStand as a table.
var fits = func() (f [16][256]bool) {
	for t := range Type(numTypes) {
		for _, sq := range boardSquares {
			f[t][sq] = CanStand(t, Square(sq))
		}
	}
	return f
}()

// bank is the side of the river a square lies on. Only heavy pieces care.
func bank(s Square) int {
	const none, upper, lower = 0, 1, 2
	switch {
	case s.File() < 2:
		return none
	case s.Rank() <= 5:
		return upper
	}
	return lower
}

// navyWalls are the diagonal steps that no ship can take: the square entered and
// the direction it is entered in.
var navyWalls = map[[2]int]bool{
	{0x63, NorthEast}: true, // c5 to d6
	{0x72, SouthWest}: true, // d6 to c5
	{0x42, NorthWest}: true, // d7 to c8
	{0x53, SouthEast}: true, // c8 to d7
}

// terrainBlocks reports whether a lead that started on from and goes in direction
// dir is stopped by the ground of to. Once stopped, it is stopped for the rest of
// the ray. Captures ignore it.
func terrainBlocks(lead Type, from, to Square, dir int) bool {
	if lead == AirForce {
		return false
	}
	if !CanStand(lead, to) {
		return true
	}
	if heavy := lead == Artillery || lead == AntiAir || lead == Missile; heavy {
		a, b := bank(from), bank(to)
		bridge := (dir == North || dir == South) && (from.File() == 5 || from.File() == 7)
		if a != 0 && b != 0 && a != b && !bridge {
			return true
		}
	}
	return lead == Navy && navyWalls[[2]int{int(to), dir}]
}
