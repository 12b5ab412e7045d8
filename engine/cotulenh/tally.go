package cotulenh

// What the sides have on the board is counted once, where a score is first asked
// for, and from there on kept with every change of a cell, back and forth. Games that
// nobody scores pay nothing for it.

// tally is what both sides have.
type tally struct {
	sides [2]sum
	known bool // the sums are those of the board
}

// sum adds up what a side has: worth as in weights.worth, but 32 bits each, and
// census as in censuses.
type sum struct{ worth, census int64 }

// strength is what a side has on the board.
type strength struct {
	mid, late int // worth of the stacks where they stand, in the opening and in the end
	force     int // material without the commander
	planes    int // air forces that air defense can stop
}

// split takes a sum apart. The low half of worth may be negative and have borrowed.
func (s sum) split() strength {
	mid := int32(s.worth)
	return strength{
		mid: int(mid), late: int((s.worth - int64(mid)) >> 32),
		force: int(s.census & (planeUnit - 1)), planes: int(s.census / planeUnit),
	}
}

// worthAt widens what a stack is worth on a square.
func (w *weights) worthAt(code Stack, sq uint8) int64 {
	v := w.worth[code&511][sq]
	return int64(v>>16)<<32 + int64(int16(v))
}

// muster sums up a side.
func (p *Position) muster(side uint8, w *weights) (s sum) {
	a := &p.sides[side&1]
	for _, sq := range a.list[:a.n] {
		code := p.cells[sq] & 511
		s.worth += w.worthAt(code, sq)
		s.census += int64(censuses[code])
	}
	return s
}

// of returns what a side has.
func (t *tally) of(side uint8) strength { return t.sides[side&1].split() }

// count begins the tally.
func (p *Position) count() {
	p.tally = tally{[2]sum{p.muster(0, &standard), p.muster(1, &standard)}, true}
}

// turn notes that a square that held one stack, or none, holds another.
func (t *tally) turn(sq uint8, was, is *stackInfo, old, new Stack) {
	if was.side < sideNone {
		s := &t.sides[was.side&1]
		s.worth -= standard.worthAt(old, sq)
		s.census -= int64(censuses[old&511])
	}
	if is.side < sideNone {
		s := &t.sides[is.side&1]
		s.worth += standard.worthAt(new, sq)
		s.census += int64(censuses[new&511])
	}
}

// shift notes that a stack went from one square to another.
func (t *tally) shift(side uint8, code Stack, from, to uint8) {
	t.sides[side&1].worth += standard.worthAt(code, to) - standard.worthAt(code, from)
}
