package cotulenh

// weights are the numbers of Evaluate, in hundredths of an infantry.
type weights struct {
	// worth has what a stack is worth on a square: in the opening in the low half,
	// in the end, when little is left on the board, in the high half.
	worth [512][256]int32

	near  int // an enemy stack within nearRadius of the commander
	aim   int // an enemy stack that would attack it if nothing stood between
	bare  int // it stands under no own air defense, and the enemy can fly
	check int // it is attacked
	tempo int // having the move
}

// trait is what a type is worth and where it likes to stand.
type trait struct {
	value    int // alone
	hero     int // more for a hero: one step farther, in all directions
	advance  int // a rank forward
	late     int // a rank forward in the end
	mobility int // a square that it can reach or shoot at on an empty board
}

// traits by type. They come from the results of some thousand games of players
// that look one step and all captures ahead, fitted, rounded and tried in matches
// (tune_test.go). The published rules rate a ship 8 infantries and an air force 4,
// and lose to these numbers. Nearness to the middle files was tried too: nothing.
var traits = [numTypes]trait{
	//           value  hero adv late mob
	Commander:   {10000, 0, 0, 0, 0},
	Infantry:    {90, 60, 8, 10, 2},
	Tank:        {110, 80, 12, 12, 5},
	Militia:     {110, 60, 6, 8, 5},
	Engineer:    {70, 50, 6, 6, 2},
	Artillery:   {240, 100, 5, 5, 5},
	AntiAir:     {80, 50, 4, 4, 4},
	Missile:     {100, 80, 8, 8, 4},
	AirForce:    {520, 250, 0, 0, 4},
	Navy:        {420, 240, 0, 0, 7},
	Headquarter: {30, 80, 0, 0, 4},
}

// standard are the weights of Evaluate.
var standard = newWeights(&traits)

func newWeights(traits *[numTypes]trait) (w weights) {
	w = weights{near: 25, aim: 60, bare: 15, check: 20, tempo: 30}
	for code := Stack(1); code < NumStacks; code++ {
		for _, sq := range boardSquares {
			mid, late := 0, 0
			for _, kind := range infos[code].kinds[:infos[code].size] {
				t := &traits[kind>>1]
				m, l := t.at(kind, infos[code].side, Square(sq))
				mid += m
				late += l
			}
			w.worth[code][sq] = int32(late)<<16 | int32(uint16(mid))
		}
	}
	return w
}

// at returns what one piece is worth on a square, in the opening and in the end.
// Cargo counts like a piece that stands there.
func (t *trait) at(kind, side uint8, sq Square) (mid, late int) {
	forward := sq.DisplayRank() - 1
	if side == 1 {
		forward = sq.Rank()
	}
	v := t.value + int(kind&heroicBit)*t.hero
	v += t.mobility * int(spans[kind][sq].count)
	return v + t.advance*forward, v + t.late*forward
}

func abs(n int) int { return max(n, -n) }

// prices are the values of stacks wherever they stand.
var prices = func() (table [512]int16) {
	for code := Stack(1); code < NumStacks; code++ {
		for _, kind := range infos[code].kinds[:infos[code].size] {
			table[code] += int16(priceOf(kind))
		}
	}
	return table
}()

// kindPrices are the values of single pieces by kind.
var kindPrices = func() (table [32]int16) {
	for kind := range uint8(numKinds) {
		table[kind] = int16(priceOf(kind))
	}
	return table
}()

// priceOf is the value of a piece with the mobility that it has on average.
func priceOf(kind uint8) int {
	t, squares, reach := &traits[kind>>1], 0, 0
	for _, sq := range boardSquares {
		if fits[kind>>1][sq] {
			squares++
			reach += int(spans[kind][sq].count)
		}
	}
	return t.value + int(kind&heroicBit)*t.hero + t.mobility*reach/squares
}

// censuses hold for each code its price without the commander, and planeUnit for
// each air force that is no hero.
var censuses = func() (table [512]uint32) {
	for code := Stack(1); code < NumStacks; code++ {
		for _, kind := range infos[code].kinds[:infos[code].size] {
			if Type(kind>>1) != Commander {
				table[code] += uint32(priceOf(kind))
			}
			if kind == airKind {
				table[code] += planeUnit
			}
		}
	}
	return table
}()

const (
	// planeUnit is larger than what 132 squares can hold of material.
	planeUnit = 1 << 20
	// openingForce is about the material of both sides at the start.
	openingForce = 1 << 13

	nearRadius = 3
)

// nearRing holds the squares within nearRadius king's steps of each square.
var nearRing = func() (table [256]squareSet) {
	for _, a := range boardSquares {
		for _, b := range boardSquares {
			s, t := Square(a), Square(b)
			if max(abs(s.File()-t.File()), abs(s.Rank()-t.Rank())) <= nearRadius {
				table[a].set(b)
			}
		}
	}
	return table
}()
