package cotulenh

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
