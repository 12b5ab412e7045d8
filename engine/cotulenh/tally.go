package cotulenh

// tally holds the sums of Evaluate for both sides. The first call of Evaluate starts
// it; from then on every change of a cell updates it, forwards and backwards. Games
// that are never evaluated do not pay for it.
type tally struct {
	sides [2]sum
	known bool // the sums agree with the board
}

// sum adds up a side: worth as in weights.worth, but with 32 bits per half, and
// material as in stackMaterial.
type sum struct{ worth, material int64 }

// strength is a sum taken apart.
type strength struct {
	mid, late int // worth in the opening and in the endgame
	material  int // price of all stacks without the commander
	airForces int // number of air forces that air defense can stop
}

// strength takes a sum apart. A negative low half has borrowed from the high half.
func (s sum) strength() strength {
	mid := int32(s.worth)
	return strength{
		mid: int(mid), late: int((s.worth - int64(mid)) >> 32),
		material: int(s.material & (airForceUnit - 1)), airForces: int(s.material / airForceUnit),
	}
}

// worthAt returns the worth of a stack on a square with 32 bits per half.
func (w *weights) worthAt(code Stack, sq uint8) int64 {
	v := w.worth[code&511][sq]
	return int64(v>>16)<<32 + int64(int16(v))
}

// sumSide adds up a side from the board.
func (p *Position) sumSide(side uint8, w *weights) (s sum) {
	a := &p.sides[side&1]
	for _, sq := range a.squares[:a.n] {
		code := p.cells[sq] & 511
		s.worth += w.worthAt(code, sq)
		s.material += int64(stackMaterial[code])
	}
	return s
}

// startTally adds up both sides from the board.
func (p *Position) startTally() {
	p.tally = tally{[2]sum{p.sumSide(0, &standardWeights), p.sumSide(1, &standardWeights)}, true}
}

// strength returns the strength of a side.
func (t *tally) strength(side uint8) strength { return t.sides[side&1].strength() }

// replace updates the sums after the content of a square changed from old to new.
func (t *tally) replace(sq uint8, was, is *stackInfo, old, new Stack) {
	if was.side < sideNone {
		s := &t.sides[was.side&1]
		s.worth -= standardWeights.worthAt(old, sq)
		s.material -= int64(stackMaterial[old&511])
	}
	if is.side < sideNone {
		s := &t.sides[is.side&1]
		s.worth += standardWeights.worthAt(new, sq)
		s.material += int64(stackMaterial[new&511])
	}
}

// move updates the sums after a stack moved to an empty square.
func (t *tally) move(side uint8, code Stack, from, to uint8) {
	t.sides[side&1].worth += standardWeights.worthAt(code, to) - standardWeights.worthAt(code, from)
}
