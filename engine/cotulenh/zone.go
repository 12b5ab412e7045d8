package cotulenh

// AirDefense returns the radius of the zone that a stack provides, 0 for none. Only
// the lead provides a zone.
func AirDefense(s Stack) int { return int(infos[s&511].level) }

// discs holds the offsets of the squares within each radius: dx*dx + dy*dy <=
// radius*radius, which is 5, 13 or 29 squares. An offset that leaves the board leads
// to a dead cell.
var discs = func() (d [4][]uint8) {
	for radius := 1; radius < len(d); radius++ {
		for dr := -radius; dr <= radius; dr++ {
			for df := -radius; df <= radius; df++ {
				if dr*dr+df*df <= radius*radius {
					d[radius] = append(d[radius], uint8(dr*16+df))
				}
			}
		}
	}
	return d
}()

// Zone returns the squares of the board within radius level of center, center
// included, in board order. Level is 0 to 3.
func Zone(center Square, level int) []Square {
	var list []Square
	for _, d := range discs[level] {
		if s := center + Square(d); s.Valid() {
			list = append(list, s)
		}
	}
	return list
}

// zoneMap holds for each square the providers whose zone covers it: their number
// times providerUnit, plus the sum of their squares. So a value below 2*providerUnit
// identifies a single provider.
type zoneMap [256]uint32

const providerUnit = 1 << 16

func (z *zoneMap) add(sq, level uint8) {
	z.adjust(sq, level, providerUnit+uint32(sq))
}

func (z *zoneMap) remove(sq, level uint8) {
	z.adjust(sq, level, -(providerUnit + uint32(sq)))
}

// adjust adds v on all squares of a zone. The common radii are unrolled.
func (z *zoneMap) adjust(sq, level uint8, v uint32) {
	switch level {
	case 1:
		z.adjustRow(sq, v)
		z[sq-16] += v
		z[sq+16] += v
	case 2:
		z[sq-32] += v
		z.adjustRow(sq-16, v)
		z[sq-2] += v
		z.adjustRow(sq, v)
		z[sq+2] += v
		z.adjustRow(sq+16, v)
		z[sq+32] += v
	default:
		for _, d := range discs[level&3] {
			z[sq+d] += v
		}
	}
}

// adjustRow adds v on a square and its neighbours to the west and east.
func (z *zoneMap) adjustRow(sq uint8, v uint32) {
	z[sq-1] += v
	z[sq] += v
	z[sq+1] += v
}

// flight is the effect of air defense on an air force along its way.
type flight uint8

const (
	safe      flight = 0 // in no zone so far
	inZone    flight = 1 // in the zone of the first provider: only suicide captures
	destroyed flight = 2 // met a second provider or left the first zone
)

// fly returns the effect of this air defense on an air force that flies n steps. The
// starting square does not count. The caller excludes heroic air forces.
func (z *zoneMap) fly(from, dir uint8, n int) flight {
	entered := uint32(0)
	for ; n > 0; n-- {
		from += dir
		if v := z[from]; v != entered {
			if entered != 0 || v >= 2*providerUnit {
				return destroyed
			}
			entered = v
		}
	}
	if entered != 0 {
		return inZone
	}
	return safe
}

// coverage is the set of squares in any zone of a side. It is computed when it is needed.
type coverage struct {
	set   squareSet
	known bool
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
