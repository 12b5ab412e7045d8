package cotulenh

// Two commanders face each other if they share a rank or file and nothing stands
// between them. Neither side may end its turn like that.

// commandersFace reports whether the commanders face each other.
func (p *Position) commandersFace() bool {
	own := p.sides[0].commander
	return own != NoSquare && p.wouldFace(0, own)
}

// wouldFace reports whether a commander of side us on sq would face the other one.
func (p *Position) wouldFace(us, sq uint8) bool {
	enemy := p.sides[us&1^1].commander
	if enemy == NoSquare || enemy == sq || !sameLine(sq, enemy) {
		return false
	}
	dir := lineDir(sq, enemy)
	for sq += dir; sq != enemy; sq += dir {
		if p.cells[sq] != Empty {
			return false
		}
	}
	return true
}

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

// exposed reports whether the empty square sq is exposed to the enemy commander, so
// that the own commander on from may not enter or cross it. The enemy commander
// exposes two rays up to the first stack: along its file towards the rank of from
// (south on the same rank), and along its rank towards the file of from (none on the
// same file). The commander on from does not end a ray.
func (p *Position) exposed(from, sq uint8) bool {
	e := p.sides[p.turn&1^1].commander
	return sameLine(sq, e) && e != NoSquare && p.exposedOnLine(from, sq, e)
}

// exposedOnLine is exposed for a square on the rank or file of the enemy commander on e.
func (p *Position) exposedOnLine(from, sq, e uint8) bool {
	switch (sq ^ e) & 0x0F {
	case 0:
		if (sq > e) != (from>>4 >= e>>4) {
			return false
		}
	default:
		if f, g := from&15, e&15; f == g || (sq < e) != (f < g) {
			return false
		}
	}
	dir := lineDir(e, sq)
	for e += dir; e != sq; e += dir {
		if e != from && p.cells[e] != Empty {
			return false
		}
	}
	return true
}

// pathExposed reports whether one of the first n squares in a direction is exposed.
func (p *Position) pathExposed(from, dir, n uint8) bool {
	sq := from
	for range n {
		sq += dir
		if p.exposed(from, sq) {
			return true
		}
	}
	return false
}
