package bitboard

import "selfplay/engine/cotulenh"

// Air defense is not stored: the boards of the leads that provide it are, and a zone is a
// precomputed circle around a provider. So Do and Undo change one bit for a provider, where
// a map of zones changes 5, 13 or 29 cells.

// circles[radius] holds the squares within each radius of a square: dx*dx + dy*dy <=
// radius*radius. It is symmetric: the circle around a square also holds the centers of all
// circles that cover it.
var circles = func() (table [4][256]Board) {
	for radius := 1; radius < len(table); radius++ {
		for _, sq := range squares {
			table[radius][sq] = Of(cotulenh.Zone(cotulenh.Square(sq), radius)...)
		}
	}
	return table
}()

// Circle returns the zone of a provider of a level, 1 to 3.
func Circle(center cotulenh.Square, level int) Board { return circles[level&3][center] }

// providers returns the squares of a side's air-defense leads.
func (s *sideState) providers() Board {
	return s.leads[cotulenh.AntiAir].Or(s.leads[cotulenh.Navy]).Or(s.leads[cotulenh.Missile])
}

// covering returns the providers of side us whose zone covers a square. The squares of the
// set are the identities of the providers.
func (p *Position) covering(us, sq uint8) Board {
	s, heroic := &p.sides[us&1], p.heroic
	first := s.leads[cotulenh.AntiAir].Or(s.leads[cotulenh.Navy]) // level 1, heroic 2
	second := s.leads[cotulenh.Missile]                           // level 2, heroic 3
	return first.And(circles[1][sq]).
		Or(first.And(heroic).Or(second).And(circles[2][sq])).
		Or(second.And(heroic).And(circles[3][sq]))
}

// AirDefense returns the squares that a side's air defense covers.
func (p *Position) AirDefense(side int) (zone Board) {
	for all := p.sides[side&1].providers(); !all.Empty(); {
		sq := all.pop()
		zone = zone.Or(circles[facts[p.cells[sq]&511].level&3][sq])
	}
	return zone
}

// An air force that flies along a ray is safe until the first square in a zone. Two
// providers that cover squares on its way destroy it. With one provider it can capture, and
// is lost (suicide), as long as it stays in that zone; a circle is convex, so it stays
// there up to the square where the ray leaves the circle.
//
// zoneRays[level][offset] holds the squares of a provider's zone in the Rays around an air
// force, and metRays those on or behind the first of them on a ray. The offset is that of
// the provider from the air force in a numbering with 32 squares per rank, where offsets are
// unique.
var zoneRays, metRays = func() (zone, met [4][1024]Rays) {
	for level := 1; level < 4; level++ {
		for _, from := range squares {
			for _, center := range squares {
				r := circles[level][center].raysAt(from)
				i := offset(from, center)
				zone[level][i] |= r
				met[level][i] |= raysAll &^ r.before()
			}
		}
	}
	return zone, met
}()

// offset numbers the offset from one square to another.
func offset(from, to uint8) uint16 { return (wide(to) - wide(from)) & 1023 }

func wide(sq uint8) uint16 { return uint16(sq&0xF0)<<1 | uint16(sq&15) }

// flights returns where an air force of side us on a square that flies into enemy air
// defense is safe, and where it can only capture and is lost. It cannot fly farther. The
// caller excludes heroic air forces.
func (p *Position) flights(us, from uint8) (safe, suicide Rays) {
	var zones, met, metTwice Rays
	for all := p.sides[us&1^1].providers(); !all.Empty(); {
		sq := all.pop()
		level, i := facts[p.cells[sq]&511].level&3, offset(from, sq)
		m := metRays[level][i]
		metTwice |= met & m
		met |= m
		zones |= zoneRays[level][i]
	}
	return raysAll &^ met, zones &^ metTwice
}

// Providers returns the squares of a side's stacks whose zone covers a square.
func (p *Position) Providers(side int, sq cotulenh.Square) Board {
	return p.covering(uint8(side), uint8(sq))
}
