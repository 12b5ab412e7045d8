package cotulenh

// coverage is the set of squares in any zone of a side. It is computed when it is needed.
type coverage struct {
	set   squareSet
	known bool
}

// coverage returns the squares in any zone of a side.
func (p *Position) coverage(side uint8) *squareSet {
	c := &p.cover[side&1]
	if c.known {
		return &c.set
	}
	a := &p.sides[side&1]
	c.set = squareSet{}
	for _, sq := range a.squares[:a.n] {
		if level := infos[p.cells[sq]&511].level; level != 0 {
			c.set.include(&zoneSets[level&3][sq])
		}
	}
	c.known = true
	return &c.set
}

// zoneSets holds the squares within each radius of each square.
var zoneSets = func() (table [4][256]squareSet) {
	for level := range table {
		for _, center := range boardSquares {
			for _, sq := range Zone(Square(center), level) {
				table[level][center].set(uint8(sq))
			}
		}
	}
	return table
}()
