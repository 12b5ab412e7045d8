package cotulenh

import "selfplay/engine"

// weights are the terms of Evaluate, in centi-units: 100 is about one infantry.
type weights struct {
	// worth is indexed by code and square: the opening value in the low half, the
	// endgame value, for few pieces on the board, in the high half.
	worth [512][256]int32

	pressure     phased // penalty per enemy stack and square that it is closer to the commander than PressureRadius
	near         int    // penalty per enemy stack within NearRadius of the commander
	inRange      int    // penalty per enemy stack that attacks it, or would if nothing stood between
	noAirDefense int    // penalty if no own air defense covers it and the enemy has air forces
	check        int    // penalty if it is attacked
	tempo        int    // bonus for the side to move
}

// phased is a score in the opening and in the endgame, for few pieces on the board.
type phased struct{ mid, late int }

// pieceWeights is the worth of a type of piece.
type pieceWeights struct {
	value, lateValue     int // base value, in the opening and in the endgame
	hero, lateHero       int // bonus for a heroic piece
	advance, lateAdvance int // per rank forward
	mobility             int // per target on an empty board
}

// standardPieces are fitted to the results of some thousand games between players that
// look one step and all captures ahead, then rounded and tested in matches. They beat the
// values of the published rules, where a navy is 8 infantries and an air force 4. A bonus
// for the middle files gained nothing. With few pieces left, air forces and artilleries
// decide games, so they are worth more there.
var standardPieces = [numTypes]pieceWeights{
	//            value       hero      advance mobility
	Commander:    {10000, 10000, 0, 0, 0, 0, 0},
	Infantry:     {90, 90, 60, 60, 8, 10, 2},
	Tank:         {110, 110, 80, 80, 12, 12, 5},
	Militia:      {110, 110, 60, 60, 6, 8, 5},
	Engineer:     {70, 70, 50, 50, 6, 6, 2},
	Artillery:    {240, 340, 150, 200, 5, 5, 5},
	AntiAir:      {80, 80, 50, 50, 4, 4, 4},
	Missile:      {100, 100, 80, 80, 8, 8, 4},
	AirForce:     {520, 820, 400, 500, 0, 0, 4},
	Navy:         {420, 420, 240, 240, 0, 0, 7},
	Headquarters: {30, 30, 80, 80, 0, 0, 4},
}

// standardWeights are the weights of Evaluate.
var standardWeights = newWeights(&standardPieces)

func newWeights(pieces *[numTypes]pieceWeights) (w weights) {
	w = weights{pressure: phased{5, 15}, near: 25, inRange: 60, noAirDefense: 15, check: 20, tempo: 30}
	for code := Stack(1); code < NumStacks; code++ {
		for _, sq := range boardSquares {
			mid, late := 0, 0
			for _, kind := range infos[code].kinds[:infos[code].size] {
				m, l := pieces[kind>>1].worthAt(kind, infos[code].side, Square(sq))
				mid += m
				late += l
			}
			w.worth[code][sq] = int32(late)<<16 | int32(uint16(mid))
		}
	}
	return w
}

// worthAt returns the worth of one piece on a square, in the opening and in the
// endgame. Cargo counts like a lone piece.
func (t *pieceWeights) worthAt(kind, side uint8, sq Square) (mid, late int) {
	forward := sq.PrintedRank() - 1
	if side == 1 {
		forward = sq.Rank()
	}
	hero, v := int(kind&heroicBit), t.mobility*int(spans[kind][sq].count)
	mid = v + t.value + hero*t.hero + forward*t.advance
	return mid, v + t.lateValue + hero*t.lateHero + forward*t.lateAdvance
}

// priceOf returns the opening value of a piece with its average mobility.
func priceOf(kind uint8) int {
	t, squares, mobility := &standardPieces[kind>>1], 0, 0
	for _, sq := range boardSquares {
		if fits[kind>>1][sq] {
			squares++
			mobility += int(spans[kind][sq].count)
		}
	}
	return t.value + int(kind&heroicBit)*t.hero + t.mobility*mobility/squares
}

// stackMaterial holds for each code its price without the commander, plus airForceUnit
// for each air force that is not heroic.
var stackMaterial = func() (table [512]uint32) {
	for code := Stack(1); code < NumStacks; code++ {
		for _, kind := range infos[code].kinds[:infos[code].size] {
			if Type(kind>>1) != Commander {
				table[code] += uint32(priceOf(kind))
			}
			if kind == airKind {
				table[code] += airForceUnit
			}
		}
	}
	return table
}()

const (
	airForceUnit  = 1 << 20 // more than the material that fits on 132 squares
	startMaterial = 1 << 13 // about the material of both sides at the start
)

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
