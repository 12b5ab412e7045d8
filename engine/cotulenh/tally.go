package cotulenh

import "selfplay/engine"

// Tally holds the sums of the static score for both sides. The first call of Evaluate
// starts it; from then on every change of a cell must be reported, forwards and backwards.
// Games that are never evaluated do not pay for it.
type Tally struct {
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
func (w *weights) worthAt(code Stack, sq Square) int64 {
	v := w.worth[code&511][sq]
	return int64(v>>16)<<32 + int64(int16(v))
}

// Known reports whether the tally was started.
func (t *Tally) Known() bool { return t.known }

// Start adds up a board from its squares.
func (t *Tally) Start(at func(Square) Stack) {
	*t = Tally{known: true}
	for _, sq := range boardSquares {
		t.Replace(Square(sq), Empty, at(Square(sq)))
	}
}

// Replace updates the sums after the content of a square changed.
func (t *Tally) Replace(sq Square, old, new Stack) {
	if side := infos[old&511].side; side < sideNone {
		s := &t.sides[side&1]
		s.worth -= standardWeights.worthAt(old, sq)
		s.material -= int64(stackMaterial[old&511])
	}
	if side := infos[new&511].side; side < sideNone {
		s := &t.sides[side&1]
		s.worth += standardWeights.worthAt(new, sq)
		s.material += int64(stackMaterial[new&511])
	}
}

// Move updates the sums after a stack moved to an empty square.
func (t *Tally) Move(s Stack, from, to Square) {
	t.sides[infos[s&511].side&1].worth += standardWeights.worthAt(s, to) - standardWeights.worthAt(s, from)
}

// strength returns the strength of a side.
func (t *Tally) strength(side uint8) strength { return t.sides[side&1].strength() }

// AirForces returns the number of a side's air forces that air defense can stop.
func (t *Tally) AirForces(side engine.Side) int { return t.strength(uint8(side)).airForces }
