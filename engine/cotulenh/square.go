package cotulenh

import (
	"fmt"
	"math/bits"
	"strconv"
)

// Square is a cell of the mailbox: internal rank * 16 + file.
type Square uint8

// NoSquare means "no square". It is a dead cell.
const NoSquare = 0xFF

const (
	files    = 11
	ranks    = 12
	numCells = files * ranks
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

// Directions returns the offsets of the eight directions: N E S W, then NW NE SE SW.
func Directions() [8]int { return directions }

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
var boardSquares = func() (list [numCells]uint8) {
	for i := range list {
		list[i] = uint8(SquareOfCell(i))
	}
	return list
}()

// squareSet is a set of squares, one bit each. The board fills three words; the fourth saves
// bounds checks.
type squareSet [4]uint64

func (b *squareSet) set(sq uint8)      { b[sq>>6] |= 1 << (sq & 63) }
func (b *squareSet) clear(sq uint8)    { b[sq>>6] &^= 1 << (sq & 63) }
func (b *squareSet) has(sq uint8) bool { return b[sq>>6]>>(sq&63)&1 != 0 }

func (b *squareSet) include(a *squareSet) {
	b[0] |= a[0]
	b[1] |= a[1]
	b[2] |= a[2]
}

// overlap reports whether two sets have a square in common.
func overlap(a, b *squareSet) bool { return a[0]&b[0]|a[1]&b[1]|a[2]&b[2] != 0 }

// shared returns the number of squares that two sets have in common.
func shared(a, b *squareSet) int {
	return bits.OnesCount64(a[0]&b[0]) + bits.OnesCount64(a[1]&b[1]) + bits.OnesCount64(a[2]&b[2])
}

// line is a direction and a number of steps.
type line struct{ dir, dist uint8 }

// lineBetween returns the way from a to b along one of the eight rays; dist is 0 if
// they share none.
func lineBetween(a, b Square) line {
	return lines[256+int(b)-int(a)]
}

// lines holds lineBetween by 256 + the difference of the squares.
var lines = func() (table [512]line) {
	for _, dir := range directions {
		for n := 1; n < ranks; n++ {
			if d := 256 + n*dir; d >= 0 && d < len(table) {
				table[d] = line{uint8(dir), uint8(n)}
			}
		}
	}
	return table
}()

// sameLine reports whether two squares share a rank or file.
func sameLine(a, b uint8) bool { return (a^b)&0x0F == 0 || (a^b)&0xF0 == 0 }

// lineDir returns the direction from a to b, which share a rank or file.
func lineDir(a, b uint8) uint8 {
	step := uint8(16)
	if (a^b)&0xF0 == 0 {
		step = 1
	}
	if b < a {
		return -step
	}
	return step
}

// Terrain is the terrain of a square.
type Terrain uint8

// A navy lead stands on Water and Mixed, any other lead on Mixed and Land.
const (
	Water Terrain = 0
	Mixed Terrain = 1
	Land  Terrain = 2
)

// terrainMap shows the board as printed, rank 12 first: ~ water, = mixed, . land.
// The bridges f6 f7 h6 h7 are land; they matter to heavy pieces only.
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

// TerrainAt returns the terrain of a square on the board.
func TerrainAt(s Square) Terrain { return terrain[s] }

// CanStand reports whether a stack with lead t may stand on s. Cargo does not
// matter.
func CanStand(t Type, s Square) bool {
	if t == Navy {
		return terrain[s] != Land
	}
	return terrain[s] != Water
}

// fits is CanStand as a table. It is false for noLead and off the board.
var fits = func() (f [16][256]bool) {
	for t := range Type(numTypes) {
		for _, sq := range boardSquares {
			f[t][sq] = CanStand(t, Square(sq))
		}
	}
	return f
}()

// riverBank is the side of the river that a square is on.
type riverBank uint8

const (
	noBank    riverBank = 0 // files a and b
	upperBank riverBank = 1
	lowerBank riverBank = 2
)

func riverBankOf(s Square) riverBank {
	switch {
	case s.File() < 2:
		return noBank
	case s.Rank() <= 5:
		return upperBank
	}
	return lowerBank
}

// crossesRiver reports whether a heavy piece would cross the river away from the
// files f and h, which have bridges.
func crossesRiver(from, to Square, dir int) bool {
	a, b := riverBankOf(from), riverBankOf(to)
	onBridgeFile := (dir == North || dir == South) && (from.File() == 5 || from.File() == 7)
	return a != noBank && b != noBank && a != b && !onBridgeFile
}

// navyBarriers are the diagonal steps that no navy can take: the square that it
// would enter and the direction.
var navyBarriers = map[[2]int]bool{
	{0x63, NorthEast}: true, // c5 to d6
	{0x72, SouthWest}: true, // d6 to c5
	{0x42, NorthWest}: true, // d7 to c8
	{0x53, SouthEast}: true, // c8 to d7
}

// TerrainBlocks reports whether terrain stops a lead that started on from and would
// enter to in direction dir. The rest of that ray is blocked too. Terrain does not
// block captures.
func TerrainBlocks(lead Type, from, to Square, dir int) bool {
	switch {
	case lead == AirForce:
		return false
	case !CanStand(lead, to):
		return true
	case lead == Artillery, lead == AntiAir, lead == Missile: // the heavy pieces
		return crossesRiver(from, to, dir)
	}
	return lead == Navy && navyBarriers[[2]int{int(to), dir}]
}
