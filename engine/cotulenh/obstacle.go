package cotulenh

import (
	"fmt"

	"selfplay/engine"
)

// This file says why a step is not legal. It follows one line, square by square, and asks in the
// order of engine.Why. It shares attacks and trials with move generation, but neither rays nor
// scopes: tests compare the two for every wish.

// Obstacle returns why no legal step fulfils a wish.
func (p *Position) Obstacle(w engine.Wish) engine.Obstacle {
	if p.sides[p.turn&1].commander == NoSquare {
		return obstacle(engine.Over, NoSquare, "%s has lost its commander.", sideName(p.turn))
	}
	if w == (engine.Wish{Way: engine.EndTurn}) {
		return p.commitObstacle()
	}
	a, missing := p.attempt(w)
	if missing.Why != engine.NoObstacle {
		return missing
	}
	if !a.joinsLanded() {
		for _, ask := range [...]func(*attempt) engine.Obstacle{
			(*attempt).outOfRange, (*attempt).wrongTarget, (*attempt).blocked, (*attempt).terrain, (*attempt).airDefense, (*attempt).exposure,
		} {
			o := ask(a)
			if o.Why != engine.NoObstacle {
				return o
			}
		}
	}
	return a.trials()
}

// outOfRange asks for geometry and range.
func (a *attempt) outOfRange() engine.Obstacle {
	r, to := reachOf(a.lead, a.heroic), Square(a.to)
	limit, does := a.limit(r)
	out := func(format string, args ...any) engine.Obstacle { return obstacle(engine.Range, a.to, format, args...) }
	switch {
	case a.from == a.to:
		return out("%s stands on %v already.", a.subject(), to)
	case r.move == 0:
		return out("%s does not move unless it is heroic.", a.subject())
	case a.dist == 0 && r.diagonal:
		return out("%s goes along ranks, files and diagonals, and %v is on none of them.", a.subject(), to)
	case a.dist == 0:
		return out("%s goes along ranks and files only, and %v is on none of them.", a.subject(), to)
	case a.diagonal() && !r.diagonal:
		return out("%s does not go diagonally.", a.subject())
	case a.dist > limit:
		return out("%s %s, and %v is %d away.", a.subject(), does, to, a.dist)
	case a.captures() && a.lead == Commander && infos[a.target&511].lead == Commander && a.diagonal():
		return out("%s does not capture the other commander diagonally.", a.subject())
	}
	return engine.Obstacle{}
}

// limit returns the distance to which the mover may go here, and says so.
func (a *attempt) limit(r reach) (limit uint8, does string) {
	n, does, also := r.move, "goes", ""
	if a.captures() {
		n, does = r.capture, "captures"
	}
	switch {
	case a.captures() && a.lead == Commander:
		n = 1
	case a.captures() && a.lead == Navy && infos[a.target&511].lead != Navy:
		n, also = n-1, " unless a navy leads the other stack"
	case a.lead == Missile && a.diagonal():
		n, also = n-1, " diagonally"
	}
	cells := "cells"
	if n == 1 {
		cells = "cell"
	}
	return uint8(n), fmt.Sprintf("%s %d %s at most%s", does, n, cells, also)
}

// wrongTarget asks whether the way fits what stands on the target. Air defense is asked later.
func (a *attempt) wrongTarget() engine.Obstacle {
	to := Square(a.to)
	wrong := func(format string, args ...any) engine.Obstacle {
		return obstacle(engine.Target, a.to, format, args...)
	}
	switch a.way {
	case engine.AnyWay:
	case engine.Quiet:
		if a.owner != sideNone {
			return wrong("%v is not empty.", to)
		}
	case engine.Join:
		if !a.joins() {
			return wrong("No stack of %s stands on %v.", sideName(a.turn), to)
		}
	case engine.Capture, engine.Stay, engine.Suicide:
		if !a.captures() {
			return wrong("No stack of %s stands on %v.", sideName(a.turn^1), to)
		}
		return a.wrongCapture()
	default:
		return wrong("No piece of this game does that.")
	}
	return engine.Obstacle{}
}

// wrongCapture asks whether the mover may stay, or is lost, when it captures.
func (a *attempt) wrongCapture() engine.Obstacle {
	to, isAir := Square(a.to), a.lead == AirForce
	canLand := fits[a.lead&15][a.to]
	switch {
	case a.way == engine.Suicide && !isAir:
		return obstacle(engine.Target, a.to, "Only an air force is lost with what it captures.")
	case a.way == engine.Suicide && (a.heroic || a.flight() == safe):
		return obstacle(engine.Target, a.to, "No air defense stops %s on the way to %v.", a.subject(), to)
	case a.way == engine.Stay && canLand && isAir && a.mover >= Deploy:
		return obstacle(engine.Target, a.to, "%s deploys, so it captures on %v by landing there.", a.subject(), to)
	case a.way == engine.Stay && canLand && !isAir:
		return obstacle(engine.Target, a.to, "%s can stand on %v, so it captures by going there.", a.subject(), to)
	}
	return engine.Obstacle{}
}

// blocked asks for stacks on the way, and for one on the target that cannot be joined.
func (a *attempt) blocked() engine.Obstacle {
	for n := uint8(1); n < a.dist; n++ {
		sq := a.square(n)
		if a.cells[sq] != Empty && a.stoppedBy(a.cells[sq]) {
			return obstacle(engine.InTheWay, sq, "%s is in the way of %s.", a.pieceOn(sq), a.subject())
		}
	}
	if a.joins() && combine(a.moved, a.target) == Empty {
		return obstacle(engine.InTheWay, a.to, "%v is taken: %s and %s form no stack.", Square(a.to), describe(a.moved), describe(a.target))
	}
	return engine.Obstacle{}
}

// stoppedBy reports whether a stack on the way stops the mover.
func (a *attempt) stoppedBy(s Stack) bool {
	switch a.lead {
	case AirForce:
		return false
	case Navy:
		return !a.captures() && s.Lead() == Navy
	case Artillery, Missile:
		return !a.captures()
	}
	return true
}

// terrain asks for squares that the mover can neither pass nor stand on.
func (a *attempt) terrain() engine.Obstacle {
	lead, from := a.lead, Square(a.from)
	if a.captures() {
		if a.way == engine.Capture && !fits[lead&15][a.to] {
			return obstacle(engine.OfTerrain, a.to, "%s cannot stand on %s: it captures there and stays.", a.subject(), ground(a.to))
		}
		return engine.Obstacle{}
	}
	for n := uint8(1); n <= a.dist; n++ {
		sq := Square(a.square(n))
		switch {
		case !TerrainBlocks(lead, from, sq, int(int8(a.dir))):
		case !CanStand(lead, sq):
			return obstacle(engine.OfTerrain, uint8(sq), "%s cannot enter %s.", a.subject(), ground(uint8(sq)))
		case lead == Navy:
			return obstacle(engine.OfTerrain, uint8(sq), "%s cannot go diagonally over the land between %v and %v.", a.subject(), Square(a.square(n-1)), sq)
		default:
			return obstacle(engine.OfTerrain, uint8(sq), "%s is heavy: it crosses the river only straight along file f or h.", a.subject())
		}
	}
	switch {
	case !a.joins() && !fits[lead&15][a.to]: // an air force
		return obstacle(engine.OfTerrain, a.to, "%s cannot land on %s.", a.subject(), ground(a.to))
	case a.joins() && !fits[combine(a.moved, a.target).Lead()&15][a.to]:
		return obstacle(engine.OfTerrain, a.to, "the stack of both cannot stand on %s.", ground(a.to))
	}
	return engine.Obstacle{}
}

// ground names a square with its terrain.
func ground(sq uint8) string {
	name := [...]string{Water: "water", Mixed: "shore", Land: "land"}[terrain[sq]]
	return fmt.Sprintf("%v, which is %s", Square(sq), name)
}

// flight returns the effect of air defense on the way. The mover is an air force.
func (a *attempt) flight() flight {
	if a.heroic {
		return safe
	}
	return a.zones[a.turn&1^1].fly(a.from, a.dir, int(a.dist))
}

// airDefense asks for enemy zones on the way.
func (a *attempt) airDefense() engine.Obstacle {
	if a.lead != AirForce {
		return engine.Obstacle{}
	}
	switch a.flight() {
	case destroyed:
		return a.shotDown()
	case inZone:
		guard := a.guards(a.to)[0]
		if a.captures() && a.way != engine.AnyWay && a.way != engine.Suicide {
			return obstacle(engine.OfAirDefense, guard, "%s guards %v: %s is lost with what it captures there.", a.pieceOn(guard), Square(a.to), a.subject())
		}
		if !a.captures() && !a.joins() {
			return obstacle(engine.OfAirDefense, guard, "%s guards %v: %s may only capture there, and is lost then.", a.pieceOn(guard), Square(a.to), a.subject())
		}
	case safe:
	}
	return engine.Obstacle{}
}

// shotDown says where the line of an air force ends.
func (a *attempt) shotDown() engine.Obstacle {
	first := uint8(NoSquare)
	for n := uint8(1); n <= a.dist; n++ {
		sq := a.square(n)
		guards := a.guards(sq)
		if first != NoSquare && len(guards) == 0 {
			return obstacle(engine.OfAirDefense, first, "The way ends in the zone of %s: %s cannot leave it.", a.pieceOn(first), a.subject())
		}
		for _, guard := range guards {
			if first != NoSquare && guard != first {
				return obstacle(engine.OfAirDefense, guard, "The way ends at %v: %s and %s both guard it.", Square(sq), a.pieceOn(first), a.pieceOn(guard))
			}
			first = guard
		}
	}
	panic("cotulenh: no air defense on the way")
}

// guards returns the squares of the enemy stacks whose zones cover a square.
func (a *attempt) guards(sq uint8) (list []uint8) {
	for _, from := range a.Pieces(engine.Side(a.turn ^ 1)) {
		files, ranks := from.File()-Square(sq).File(), from.Rank()-Square(sq).Rank()
		level := AirDefense(a.cells[from])
		if level > 0 && files*files+ranks*ranks <= level*level {
			list = append(list, uint8(from))
		}
	}
	return list
}

// exposure asks for squares that face the enemy commander, which a commander cannot pass.
func (a *attempt) exposure() engine.Obstacle {
	if a.lead != Commander || a.captures() {
		return engine.Obstacle{}
	}
	for n := uint8(1); n <= a.dist; n++ {
		sq := a.square(n)
		if a.cells[sq] == Empty && a.exposed(a.from, sq) {
			enemy := a.sides[a.turn&1^1].commander
			return obstacle(engine.Attacked, enemy, "%s cannot go over %v, which faces %s.", a.subject(), Square(sq), a.pieceOn(enemy))
		}
	}
	return engine.Obstacle{}
}

// steps returns the steps that fulfil the wish if they leave the commander safe.
func (a *attempt) steps() (list []engine.Move) {
	base := newStep(a.from, 0, a.mover, Normal)
	add := func(e Effect) {
		if a.way == engine.AnyWay || a.way == waysOf[e] {
			list = append(list, noisyStep(base, a.to, e))
		}
	}
	switch {
	case a.joins():
		add(Join)
	case !a.captures():
		add(Normal)
	case a.lead == AirForce && a.flight() == inZone:
		add(Suicide)
	case !fits[a.lead&15][a.to]:
		add(Stay)
	default:
		add(Capture)
		if a.lead == AirForce && a.mover == Whole {
			add(Stay)
		}
	}
	return list
}

// trials plays the steps. It returns why the first is not legal if none is.
func (a *attempt) trials() (first engine.Obstacle) {
	before := a.danger(a.turn)
	for i, m := range a.steps() {
		o := a.trial(m, before)
		if o.Why == engine.NoObstacle {
			return o
		}
		if i == 0 {
			first = o
		}
	}
	return first
}

// trial plays a step, asks why the turn may not go on, and takes it back. before says whether the
// commander was in danger.
func (a *attempt) trial(m engine.Move, before bool) engine.Obstacle {
	var was snapshot
	a.save(&was)
	defer a.restore(&was)
	own := &a.sides[a.turn&1]
	// As in tryStep: other deploy steps than these need only a continuation that can commit.
	mustBeSafe := a.mover < Deploy || !a.session.open() && infos[a.cells[a.from]&511].commander == 0
	stood := own.commander
	a.apply(m)
	before = before && own.commander == stood
	switch {
	case mustBeSafe && a.danger(a.turn):
		return a.dangerObstacle(before, "")
	case a.mover >= Deploy && !a.canFinish(1):
		return a.unfinished(before)
	}
	return engine.Obstacle{}
}

// unfinished says why the open deployment cannot end after its last step. before is as in
// dangerObstacle.
func (p *Position) unfinished(before bool) engine.Obstacle {
	origin := p.session.origin
	isLast, remnant := p.session.rest == 0, p.cells[origin]
	switch {
	case !remnantFits(remnant, origin):
		return p.leftBehind("The deployment could not end: the")
	case isLast:
		return p.dangerObstacle(before, "")
	}
	o := p.dangerObstacle(before, ", and no further step of the deployment could help")
	o.Why = engine.CannotEnd
	return o
}

// leftBehind says why the rest of the deployment cannot stay where it is, in a sentence with a beginning.
func (p *Position) leftBehind(begin string) engine.Obstacle {
	origin := p.session.origin
	return obstacle(engine.CannotEnd, origin, begin+" %s left behind cannot stand on %s.", describe(p.cells[origin]), ground(origin))
}

// dangerObstacle says what threatens the commander of the side to move. before says whether it
// was in danger there already.
func (p *Position) dangerObstacle(before bool, more string) engine.Obstacle {
	us := p.turn & 1
	own, enemy := p.sides[us].commander, p.sides[us^1].commander
	why, would := engine.Attacked, "would"
	if before {
		why, would = engine.StaysAttacked, "would still"
	}
	if own == NoSquare {
		return obstacle(engine.Attacked, NoSquare, "%s would lose its own commander%s.", sideName(us), more)
	}
	var attackers attackerList
	p.attackersOn(us, own, &attackers)
	if attackers.n == 0 {
		return obstacle(why, enemy, "The commander on %v %s face %s with nothing between%s.", Square(own), would, p.pieceOn(enemy), more)
	}
	from := attackers.list[0].sq
	return obstacle(why, from, "%s %s attack the commander on %v%s.", p.pieceOn(from), would, Square(own), more)
}

// commitObstacle says why the turn cannot end.
func (p *Position) commitObstacle() engine.Obstacle {
	switch {
	case !p.session.open():
		return obstacle(engine.NoPiece, NoSquare, "No stack deploys, so there is nothing to end.")
	case p.danger(p.turn):
		return p.dangerObstacle(true, "")
	case !p.canCommit():
		return p.leftBehind("The")
	}
	return engine.Obstacle{}
}
