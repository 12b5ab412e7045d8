package cotulenh

import "selfplay/engine"

var _ engine.CaptureLister = (*Position)(nil)

// AppendCaptures visits only enemies that are worth the gain: a capture gains at most the price of
// its victim.
func (p *Position) AppendCaptures(dst []engine.Move, gains []int32, least int) ([]engine.Move, []int32) {
	var victims squareSet
	if !p.victimsWorth(&victims, least) {
		return dst, gains
	}
	start := len(dst)
	dst = p.pseudoCaptures(dst, &victims)
	keep := start
	for _, m := range dst[start:] {
		if gain := p.Gain(m); gain >= least {
			dst[keep] = m
			gains = append(gains, int32(gain))
			keep++
		}
	}
	return dst[:keep], gains
}

// victimsWorth finds the enemy stacks with at least a price. It returns false if there are none.
func (p *Position) victimsWorth(victims *squareSet, least int) bool {
	if least <= leastPrice {
		*victims = p.occ[p.turn&1^1]
		return true
	}
	them := &p.sides[p.turn&1^1]
	found := false
	for _, sq := range them.squares[:them.n] {
		if int(stackPrices[p.cells[sq]&511]) >= least {
			victims.set(sq)
			found = true
		}
	}
	return found
}

// leastPrice is the least price of a stack.
var leastPrice = func() int {
	least := Price(1)
	for code := Stack(1); code < NumStacks; code++ {
		least = min(least, Price(code))
	}
	return least
}()

// LegalCapture decides by the threats, which are the same for all captures of a position.
func (p *Position) LegalCapture(m engine.Move) bool { return p.isLegal(m, p.threatsHere()) }
