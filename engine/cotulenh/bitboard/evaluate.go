package bitboard

import (
	"math/bits"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Evaluate returns the static score for the side to move, the same as package cotulenh:
// its tally adds up the stacks, and masks around the commanders count what endangers them.
func (p *Position) Evaluate() int {
	if !p.tally.Known() {
		p.tally.Start(p.At)
	}
	risks := [2]cotulenh.CommanderRisk{p.commanderRisk(0), p.commanderRisk(1)}
	return p.tally.Score(p.Turn(), &risks, p.commanderAttack(p.turn) != noAttack)
}

// commanderRisk returns what endangers the commander of a side.
func (p *Position) commanderRisk(side uint8) (r cotulenh.CommanderRisk) {
	sq := p.sides[side&1].commander
	if sq == noSquare {
		return r
	}
	them := p.sides[side&1^1].occupied
	r.Near = disks[sq][cotulenh.NearRadius].And(them).Count()
	r.Pressure = pressureOn(sq, them)
	r.NoAirDefense = p.tally.AirForces(engine.Side(side^1)) > 0 && p.covering(side, sq).Empty()
	kind := p.targetKind(sq) & 1
	for candidates := attackRange[sq].And(them); !candidates.Empty(); {
		from := candidates.pop()
		if attackSlots[kind][p.cells[from]&511][bitBetween[from-sq]&63] != 0 {
			r.InRange++
		}
	}
	return r
}

// pressureOn adds up how much closer than cotulenh.PressureRadius the squares of a set are.
func pressureOn(sq uint8, set Board) int {
	near := &pressure[sq]
	return near[0].And(set).Count() + 2*near[1].And(set).Count() + 4*near[2].And(set).Count()
}

// Gain estimates what a legal step wins at once, as package cotulenh does.
func (p *Position) Gain(m engine.Move) int {
	if !isCapture(m) {
		return 0
	}
	from, to, e := fromOf(m), toOf(m), effectOf(m)
	moved := p.cells[from] & 511
	if mover := moverOf(m); mover >= deploy {
		moved = kept[moved][1<<(mover-deploy)&7]
	}
	victim, own := cotulenh.Price(p.cells[to]), cotulenh.Price(moved)
	switch {
	case e == cotulenh.Suicide:
		return victim - own
	case own > victim:
		if loss := p.expectedLoss(from, to, own, e); loss > 0 {
			return victim - loss
		}
	}
	return victim - min(own, cotulenh.TieLimit)/cotulenh.TieDivisor
}

// Placement returns how much more the moving stack is worth on its new square.
func (p *Position) Placement(m engine.Move) int {
	return cotulenh.PlacementOf(m, p.cells[fromOf(m)])
}

// Additive marks the static score as a sum over pieces; see engine.Additive.
func (p *Position) Additive() {}

// Tuning returns the margins of the search.
func (p *Position) Tuning() *engine.Tuning { return cotulenh.Tuning() }

// expectedLoss estimates the loss of a capturer with price own: the enemy recaptures if it
// can, and loses its cheapest recapturer if we can capture back. Attacks are those on the
// board before the step.
func (p *Position) expectedLoss(from, to uint8, own int, effect cotulenh.Effect) int {
	us, sq := p.turn&1, to
	if effect == cotulenh.Stay {
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

// cheapestAttacker returns the price of the cheapest piece that attacks a square of side
// us, ignoring the stack on except. It returns 0 without an attacker.
func (p *Position) cheapestAttacker(us, sq, except uint8) int {
	const none = 1 << 15 // above any price
	cheapest := none
	a := attackedSquare{us: us, sq: sq, kind: landTarget, occupied: p.occupied()}
	candidates := attackRange[sq].And(p.sides[us&1^1].occupied).AndNot(squareBoards[except])
	for !candidates.Empty() {
		from := candidates.pop()
		slots, _ := p.attackingSlots(&a, from)
		for ; slots != 0; slots &= slots - 1 {
			kind := facts[p.cells[from]&511].kinds[bits.TrailingZeros8(slots)&3]
			cheapest = min(cheapest, int(kindPrices[kind&31]))
		}
	}
	if cheapest == none {
		return 0
	}
	return cheapest
}

// kindPrices holds the price of each kind.
var kindPrices = func() (table [32]int16) {
	for code := cotulenh.Stack(1); code < cotulenh.NumStacks; code++ {
		if f := &facts[code]; f.size == 1 {
			table[f.kinds[0]] = int16(cotulenh.Price(code))
		}
	}
	return table
}()
