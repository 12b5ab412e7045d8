package bitboard

import "selfplay/engine/cotulenh"

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
