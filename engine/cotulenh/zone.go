package cotulenh

// zoneLevel returns the radius of the air defense a lead provides, 0 for none.
func zoneLevel(t Type, heroic bool) uint8 {
	var level uint8
	switch t {
	case Missile:
		level = 2
	case Navy, AntiAir:
		level = 1
	default:
		return 0
	}
	if heroic {
		level++
	}
	return level
}

// AirDefense returns the radius of the zone that a stack provides, 0 for none.
// Only the lead provides; cargo never does.
func AirDefense(s Stack) int { return int(infos[s&511].level) }

// discs holds the offsets of the squares within each radius: dx*dx + dy*dy <=
// radius*radius, so 5, 13 and 29 squares. On the mailbox an offset of three files
// or ranks leads to the right square or to a dead cell.
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

// Zone returns the squares of the board within radius level of center, in board
// order, center included.
func Zone(center Square, level int) []Square {
	var list []Square
	for _, d := range discs[level] {
		if s := center + Square(d); s.Valid() {
			list = append(list, s)
		}
	}
	return list
}

// A zone map holds for every square the providers that cover it: their number
// times zoneCount plus the sum of their squares. A value below 2*zoneCount thus
// names the one provider.
type zoneMap [256]uint32

const zoneCount = 1 << 16

func (z *zoneMap) add(sq, level uint8) {
	v := zoneCount + uint32(sq)
	for _, d := range discs[level&3] {
		z[sq+d] += v
	}
}

func (z *zoneMap) remove(sq, level uint8) {
	v := zoneCount + uint32(sq)
	for _, d := range discs[level&3] {
		z[sq+d] -= v
	}
}

// flight is what air defense does to an air force on its way.
type flight uint8

const (
	safe      flight = 0 // no zone so far
	kamikaze  flight = 1 // inside the first provider's zone: only suicide captures
	destroyed flight = 2 // met a second provider, or left the zone again
)

// fly walks n steps from a square through the zones of the other side. The
// starting square itself never counts.
func (z *zoneMap) fly(from, dir uint8, n int) flight {
	seen := uint32(0)
	for ; n > 0; n-- {
		from += dir
		if v := z[from]; v != seen {
			if seen != 0 || v >= 2*zoneCount {
				return destroyed
			}
			seen = v
		}
	}
	if seen != 0 {
		return kamikaze
	}
	return safe
}
