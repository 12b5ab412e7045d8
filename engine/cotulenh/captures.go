package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

// Captures appends the legal steps that remove an enemy stack, each once: captures,
// captures without moving, suicides, and the deploy steps among them. Deploy captures
// double the cost of a quiescence search, because the turn may go on with any step. They
// still gain about 80 Elo: without them a search takes stacks for harmless. In an open
// session Captures lists the captures of the remaining members, not commit.
//
// It does not visit empty squares. It looks only at enemies within the capture range
// of each stack.
func (p *Position) Captures(dst []engine.Move) []engine.Move {
	start := len(dst)
	dst = p.pseudoCaptures(dst, &p.occ[p.turn&1^1])
	if len(dst) == start {
		return dst
	}
	th := p.assess()
	return p.appendLegal(dst[:start], dst[start:], &th)
}

// pseudoCaptures appends the pseudo-legal captures of some enemy stacks.
func (p *Position) pseudoCaptures(dst []engine.Move, them *squareSet) []engine.Move {
	if p.session.open() {
		return p.sessionCaptures(dst, them)
	}
	return p.turnCaptures(dst, them)
}

// turnCaptures appends the pseudo-legal captures at the start of a turn.
func (p *Position) turnCaptures(dst []engine.Move, them *squareSet) []engine.Move {
	a := &p.sides[p.turn&1]
	if a.commander == NoSquare {
		return dst
	}
	for _, from := range a.squares[:a.n] {
		code := p.cells[from] & 511
		in, near := &infos[code], &attackRangeWithin[captureRanges[code]&7][from]
		if !overlap(near, them) {
			continue
		}
		for w := range 3 {
			for set := near[w] & them[w]; set != 0; set &= set - 1 {
				to := uint8(w<<6 | bits.TrailingZeros64(set))
				if in.size > 1 {
					for slot := range in.size {
						dst = p.appendCapture(dst, from, to, in.kinds[slot&3], Deploy+slot)
					}
				}
				dst = p.appendCapture(dst, from, to, in.kinds[0], Whole)
			}
		}
	}
	return dst
}

// sessionCaptures appends the pseudo-legal captures of an open session.
func (p *Position) sessionCaptures(dst []engine.Move, them *squareSet) []engine.Move {
	from := p.session.origin
	in := &infos[p.cells[from]&511]
	near := &attackRange[from]
	for w := range 3 {
		for set := near[w] & them[w]; set != 0; set &= set - 1 {
			to := uint8(w<<6 | bits.TrailingZeros64(set))
			for slot := range in.size {
				if p.session.rest>>slot&1 == 1 {
					dst = p.appendCapture(dst, from, to, in.kinds[slot&3], Deploy+slot)
				}
			}
		}
	}
	return dst
}

// appendCapture appends the captures of one mover on an enemy in its attack range.
func (p *Position) appendCapture(dst []engine.Move, from, to, kind, mover uint8) []engine.Move {
	t := captureTarget(kind, from, to)
	if t.flags&(canCapture|canCaptureNavy) == 0 {
		return dst
	}
	if e, ok := p.effectOnEnemy(from, kind, &infos[p.cells[to]&511], &t); ok {
		dst = appendStep(dst, newStep(from, 0, mover, Normal), to, kind, e)
	}
	return dst
}

// The gain of a capture is reduced by the capturer's price divided by TieDivisor, so
// that the cheaper of two capturers comes first. The price counts at most TieLimit:
// otherwise a stack with the commander would gain nothing from a cheap victim.
const (
	TieDivisor = 128
	TieLimit   = 1024
)

// Gain estimates what a legal step wins at once, in centi-units: the price of the victim
// minus the expected loss. It is 0 for a step that captures nothing.
func (p *Position) Gain(m engine.Move) int {
	if !isCapture(m) {
		return 0
	}
	from, to, e := fromOf(m), toOf(m), effectOf(m)
	victim, own := Price(p.cells[to]), Price(p.cells[from].moving(moverOf(m)))
	switch {
	case e == Suicide:
		return victim - own
	case own > victim:
		if loss := p.expectedLoss(from, to, own, e); loss > 0 {
			return victim - loss
		}
	}
	return victim - min(own, TieLimit)/TieDivisor
}

// Placement returns how much more the moving stack is worth on its new square, by the
// opening values.
func (p *Position) Placement(m engine.Move) int {
	return PlacementOf(m, p.cells[fromOf(m)])
}

// Additive marks the static score as a sum over pieces; see engine.Additive.
func (p *Position) Additive() {}

// Hangs returns false: skipping steps to attacked squares gained nothing in matches.
func (p *Position) Hangs(engine.Move) bool { return false }

// GivesCheck returns false: exempting steps that bring the commander into range from
// pruning gained nothing in matches.
func (p *Position) GivesCheck(engine.Move) bool { return false }

// expectedLoss estimates the loss of a capturer with price own: the enemy recaptures
// if it can, and loses its cheapest recapturer if we can capture back. Attacks are
// those on the board before the step.
func (p *Position) expectedLoss(from, to uint8, own int, e Effect) int {
	us, sq := p.turn&1, to
	if e == Stay {
		sq = from
	}
	recapturer := p.cheapestAttacker(us, sq, from)
	if recapturer == 0 {
		return 0
	}
	if p.cheapestAttacker(us^1, sq, from) != 0 {
		own -= recapturer
	}
	return max(own, 0)
}

// cheapestAttacker returns the price of the cheapest piece that attacks a square of
// side us, ignoring the stack on except. It returns 0 without an attacker.
func (p *Position) cheapestAttacker(us, sq, except uint8) int {
	const none = 1 << 15 // above any price
	cheapest := none
	near, them := &attackRange[sq], &p.occ[us^1]
	for w := range 3 {
		for set := near[w] & them[w]; set != 0; set &= set - 1 {
			from := uint8(w<<6 | bits.TrailingZeros64(set))
			if from == except {
				continue
			}
			slots, _ := p.attackingSlots(us, from, sq, landTarget)
			for ; slots != 0; slots &= slots - 1 {
				kind := infos[p.cells[from]&511].kinds[bits.TrailingZeros8(slots)&3]
				cheapest = min(cheapest, int(kindPrices[kind&31]))
			}
		}
	}
	if cheapest == none {
		return 0
	}
	return cheapest
}

// PlacementOf is Placement for a step that leaves from a square with the given stack.
func PlacementOf(m engine.Move, from Stack) int {
	if m == Commit || effectOf(m) == Stay || effectOf(m) == Suicide {
		return 0
	}
	worth := &standardWeights.worth[from.moving(moverOf(m))&511]
	return int(int16(worth[toOf(m)])) - int(int16(worth[fromOf(m)]))
}

// stackPrices holds the price of each code: its worth independent of the square.
var stackPrices = func() (table [512]int16) {
	for code := Stack(1); code < NumStacks; code++ {
		for _, kind := range infos[code].kinds[:infos[code].size] {
			table[code] += int16(priceOf(kind))
		}
	}
	return table
}()

// kindPrices holds the price of each kind.
var kindPrices = func() (table [32]int16) {
	for kind := range uint8(numKinds) {
		table[kind] = int16(priceOf(kind))
	}
	return table
}()

// Price returns the price of a stack in centi-units.
func Price(s Stack) int { return int(stackPrices[s&511]) }

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
