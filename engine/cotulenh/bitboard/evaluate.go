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

// Captures appends the legal steps that remove an enemy stack, each once; see package
// cotulenh. It looks only at enemies within the capture range of each stack.
func (p *Position) Captures(dst []engine.Move) []engine.Move {
	start := len(dst)
	if p.session.open() {
		from := p.session.origin
		dst = p.capturesFrom(dst, from, p.session.rest, p.victims(from), false)
	} else if own := p.own(); own.commander != noSquare {
		for _, from := range own.squares[:own.n] {
			if victims := p.victims(from); !victims.Empty() {
				dst = p.capturesFrom(dst, from, membersOf[facts[p.cells[from]&511].size&3], victims, true)
			}
		}
	}
	if len(dst) == start {
		return dst
	}
	th := p.assess()
	return p.appendLegal(dst[:start], dst[start:], &th)
}

// membersOf holds the slots that may deploy from a stack by its size. A lone piece moves as
// a whole.
var membersOf = [4]uint8{0, 0, 3, 7}

// victims returns the enemy stacks within the capture range of a stack.
func (p *Position) victims(from uint8) Board {
	return attackRanges[captureDistance[p.cells[from]&511]&7][from].And(p.enemy().occupied)
}

// capturesFrom appends the pseudo-legal captures of the given members of a stack, and those
// of the whole stack, on victims.
func (p *Position) capturesFrom(dst []engine.Move, from, slots uint8, victims Board, withWhole bool) []engine.Move {
	var list [4]mover
	n := 0
	for ; slots != 0; slots &= slots - 1 {
		list[n&3] = p.memberOf(from, uint8(bits.TrailingZeros8(slots)))
		n++
	}
	if withWhole {
		list[n&3] = p.wholeOf(from)
		n++
	}
	var safe, suicide Rays
	if facts[p.cells[from]&511].plainAir != 0 {
		safe, suicide = p.flights(p.turn, from)
	}
	for !victims.Empty() {
		to := victims.pop()
		for i := range n {
			if m := &list[i&3]; m.kind == airKind {
				dst = appendAirCapture(dst, m, to, safe, suicide)
			} else {
				dst = p.appendCaptureOn(dst, m, to)
			}
		}
	}
	return dst
}

// appendAirCapture appends the captures of an air force on an enemy in its attack range.
func appendAirCapture(dst []engine.Move, m *mover, to uint8, safe, suicide Rays) []engine.Move {
	bit := bitBetween[to-m.from] & 63
	if captureRays[airKind]&(safe|suicide)>>bit&1 == 0 {
		return dst
	}
	return appendCapture(dst, m, to, suicide>>bit&1 != 0)
}

// appendCaptureOn appends the captures of another mover on an enemy in its attack range.
func (p *Position) appendCaptureOn(dst []engine.Move, m *mover, to uint8) []engine.Move {
	bit := int(bitBetween[to-m.from])
	if (captureRays[m.kind&31]|captureNavyRays[m.kind&31])>>bit&1 == 0 {
		return dst
	}
	effect, ok := p.effectOnEnemy(m, bit>>3, uint8(bit&7+1), to, &facts[p.cells[to]&511])
	if !ok {
		return dst
	}
	return appendCapture(dst, m, to, effect == cotulenh.Suicide)
}

var _ engine.Featured = (*Position)(nil)

// FeatureSet returns the features of the game.
func (p *Position) FeatureSet() *engine.FeatureSet { return cotulenh.FeatureSet() }

// AppendFeatures appends one feature per piece.
func (p *Position) AppendFeatures(dst []engine.Feature) []engine.Feature {
	for side := range p.sides {
		a := &p.sides[side]
		for _, sq := range a.squares[:a.n] {
			dst = cotulenh.AppendStackFeatures(dst, p.cells[sq], cotulenh.Square(sq))
		}
	}
	return dst
}

// Plies returns the number of steps played since Set or Reset.
func (p *Position) Plies() int { return len(p.history) }

// HashAt returns the hash after the first n of them.
func (p *Position) HashAt(n int) uint64 {
	if n < len(p.history) {
		return p.history[n].hash
	}
	return p.hash
}

// AppendChanges reads the log of step n.
func (p *Position) AppendChanges(n int, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	end := len(p.log)
	if n+1 < len(p.history) {
		end = int(p.history[n+1].log)
	}
	for _, c := range p.log[p.history[n].log:end] {
		if c.new == moved {
			removed = cotulenh.AppendStackFeatures(removed, c.old, cotulenh.Square(c.sq))
			added = cotulenh.AppendStackFeatures(added, c.old, cotulenh.Square(c.index))
			continue
		}
		removed, added = cotulenh.AppendChange(removed, added, cotulenh.Square(c.sq), c.old, c.new)
	}
	return removed, added, true
}
