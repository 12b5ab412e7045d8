package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

var _ engine.Evaluator = (*Position)(nil)

// Evaluate returns the static score for the side to move, in centi-units.
// It compares the sides by the worth of their stacks where they stand (weights.go) and by
// the safety of their commanders. In an open session it evaluates the board as it stands.
//
// Scores belong to the version of every player that searches: a change here changes
// datasets.
func (p *Position) Evaluate() int {
	if !p.tally.known {
		p.tally.Start(p.At)
	}
	risks := [2]CommanderRisk{p.commanderRisk(0, p.tally.AirForces(1)), p.commanderRisk(1, p.tally.AirForces(0))}
	return p.tally.Score(p.Turn(), &risks, p.commanderAttack(p.turn&1) != noAttack)
}

// Score returns the static score for a side to move. checked says that its commander is
// attacked.
func (t *Tally) Score(turn engine.Side, risks *[2]CommanderRisk, checked bool) int {
	return standardWeights.score(uint8(turn), &[2]strength{t.strength(0), t.strength(1)}, risks, checked)
}

// score returns the score for side us from the strengths of both sides and the risks of
// their commanders.
func (w *weights) score(us uint8, sides *[2]strength, risks *[2]CommanderRisk, checked bool) int {
	own, enemy := &sides[us&1], &sides[us&1^1]
	safety, enemySafety := w.safety(&risks[us&1]), w.safety(&risks[us&1^1])
	mid := own.mid - enemy.mid + safety.mid - enemySafety.mid
	late := own.late - enemy.late + safety.late - enemySafety.late
	left := min(own.material+enemy.material, startMaterial)
	s := late + (mid-late)*left/startMaterial + w.tempo
	if checked {
		s -= w.check
	}
	return min(max(s, -engine.MaxStatic), engine.MaxStatic)
}

// CommanderRisk is what the static score counts around a commander. A bonus for own stacks
// around it was tested and gained nothing.
//
// Pressure leads a side that is ahead towards mate, which a search of few turns does not
// see: without pressure two of three games at depth 2 end by the half-move clock.
type CommanderRisk struct {
	Near         int  // enemy stacks within NearRadius
	Pressure     int  // of enemy stacks, the squares that they are closer than PressureRadius
	InRange      int  // enemy stacks that attack it, or would if nothing stood between
	NoAirDefense bool // no own air defense covers it, and the enemy has air forces
}

// safety returns the penalty for a commander, 0 or less.
func (w *weights) safety(r *CommanderRisk) phased {
	s := phased{-w.pressure.mid*r.Pressure - w.near*r.Near - w.inRange*r.InRange, -w.pressure.late * r.Pressure}
	if r.NoAirDefense {
		s.mid -= w.noAirDefense
	}
	return s
}

// commanderRisk returns what endangers the commander of a side.
func (p *Position) commanderRisk(side uint8, enemyAirForces int) (r CommanderRisk) {
	sq := p.sides[side&1].commander
	if sq == NoSquare {
		return r
	}
	return p.riskAt(side, sq, targetKind(p.cells[sq]), enemyAirForces)
}

// riskAt is commanderRisk for a commander on any square, as a target of a kind.
func (p *Position) riskAt(side, sq uint8, kind, enemyAirForces int) (r CommanderRisk) {
	them := &p.occ[side&1^1]
	r.Near = shared(&nearSquares[sq], them)
	r.Pressure = pressureOn(sq, them)
	r.NoAirDefense = enemyAirForces > 0 && p.zones[side&1][sq] == 0
	near := &attackRange[sq]
	for i := range 3 {
		for set := near[i] & them[i]; set != 0; set &= set - 1 {
			from := uint8(i<<6 | bits.TrailingZeros64(set))
			if attackSlots[kind][p.cells[from]&511][relations[from-sq].index()] != 0 {
				r.InRange++
			}
		}
	}
	return r
}

// distance returns the number of king's moves between two squares.
func distance(a, b Square) int {
	gap := func(x, y int) int { return max(x-y, y-x) }
	return max(gap(a.File(), b.File()), gap(a.Rank(), b.Rank()))
}

// NearRadius is the distance of enemies that weights.near counts, in king's moves.
const NearRadius = 3

// nearSquares holds the squares within NearRadius of each square.
var nearSquares = func() (table [256]squareSet) {
	for _, a := range boardSquares {
		for _, b := range boardSquares {
			if distance(Square(a), Square(b)) <= NearRadius {
				table[a].set(b)
			}
		}
	}
	return table
}()

// PressureRadius is the distance from which on enemies exert no pressure, in king's moves:
// one more than pressureSquares can count.
const PressureRadius = 1 << pressureBits

const pressureBits = 3

// pressureSquares holds for each square the squares by the bits of how much closer than
// PressureRadius they are.
var pressureSquares = func() (table [256][pressureBits]squareSet) {
	for _, a := range boardSquares {
		for _, b := range boardSquares {
			closer := max(PressureRadius-distance(Square(a), Square(b)), 0)
			for bit := range table[a] {
				if closer>>bit&1 == 1 {
					table[a][bit].set(b)
				}
			}
		}
	}
	return table
}()

// pressureOn adds up how much closer than PressureRadius the squares of a set are.
func pressureOn(sq uint8, set *squareSet) int {
	near := &pressureSquares[sq]
	return shared(&near[0], set) + 2*shared(&near[1], set) + 4*shared(&near[2], set)
}

var _ engine.LeafRepeater = (*Position)(nil)

// ScoreAfter answers steps of whole stacks that capture nothing. It answers nothing where a step may
// attack the enemy commander, promote a piece, repeat a position or reach the limit of the clock.
func (p *Position) ScoreAfter(m engine.Move) (score int, ok bool) {
	if moverOf(m) != Whole || p.half+1 >= DrawClock {
		return 0, false
	}
	s := &p.leaves[len(p.history)%keptSlots]
	if s.hash != p.hash {
		p.sumLeaves(s)
	}
	if !s.usable {
		return 0, false
	}
	switch effectOf(m) {
	case Normal:
		return p.scoreAfterMove(s, fromOf(m), toOf(m))
	case Join:
		return p.scoreAfterJoin(s, fromOf(m), toOf(m))
	}
	return 0, false
}

// sumLeaves computes the sums of the position.
func (p *Position) sumLeaves(s *leafSums) {
	if !p.tally.known {
		p.tally.Start(p.At)
	}
	us := p.turn & 1
	a, b := &p.sides[us], &p.sides[us^1]
	s.hash, s.own, s.enemy, s.stacks = p.hash, a.commander, b.commander, a.n
	s.usable = !p.session.open() && s.own != NoSquare && s.enemy != NoSquare && p.promotesNoGuard() && p.commanderAttack(us^1) == noAttack
	if !s.usable {
		return
	}
	own, enemy := p.tally.strength(us), p.tally.strength(us^1)
	risk, enemyRisk := p.commanderRisk(us, enemy.airForces), p.commanderRisk(us^1, own.airForces)
	enemySafety := standardWeights.safety(&enemyRisk)
	s.safety = standardWeights.safety(&risk)
	s.kind, s.airForces = uint8(targetKind(p.cells[s.enemy])), enemy.airForces
	s.mid = own.mid - enemy.mid + s.safety.mid - enemySafety.mid
	s.late = own.late - enemy.late + s.safety.late - enemySafety.late
	s.left = min(own.material+enemy.material, startMaterial)
}

// promotesNoGuard reports that a step that changes the number of stacks of no side promotes no last
// guard.
func (p *Position) promotesNoGuard() bool {
	return (p.sides[0].n > 2 || p.lastGuardToPromote(0) == NoSquare) &&
		(p.sides[1].n > 2 || p.lastGuardToPromote(1) == NoSquare)
}

// score returns the static score of the other side, which is not in check, after a step that changes
// the sums by values that are packed as in weights.worth and by others.
func (s *leafSums) score(change int32, safety phased) (score int, ok bool) {
	mid := int(int16(change)) // a negative low half has borrowed from the high half
	late := (int(change) - mid) >> 16
	mid, late = -s.mid-mid-safety.mid, -s.late-late-safety.late
	score = late + (mid-late)*s.left/startMaterial + standardWeights.tempo
	return min(max(score, -engine.MaxStatic), engine.MaxStatic), true
}

// scoreAfterMove is ScoreAfter for a stack that moves to an empty square.
func (p *Position) scoreAfterMove(s *leafSums, from, to uint8) (score int, ok bool) {
	code := p.cells[from] & 511
	in := &infos[code]
	if p.half+1 >= soonestThird && p.occurrences(CellKey(code, Square(from))^CellKey(code, Square(to))) >= 2 {
		return 0, false
	}
	if s.mayAttack(code, to) || inAttackRange[from-s.enemy] && p.mayUncover(p.turn&1^1, from) {
		return 0, false
	}
	worth, near := &standardWeights.worth[code], &proximities[s.enemy]
	change := worth[to] - worth[from] + near[to] - near[from] - s.inRange(code, from)
	var safety phased
	switch {
	case in.commander != 0:
		if in.level != 0 {
			return 0, false
		}
		safety = p.safetyChange(s, code, to)
	case in.level != 0:
		safety.mid = p.airDefenseChange(s, p.covered(s, in, from), 0, in, to)
	}
	return s.score(change, safety)
}

// scoreAfterJoin is ScoreAfter for a stack that joins another one.
func (p *Position) scoreAfterJoin(s *leafSums, from, to uint8) (score int, ok bool) {
	code, other := p.cells[from]&511, p.cells[to]&511
	sum := combine(code, other) & 511
	in, joined, all := &infos[code], &infos[other], &infos[sum]
	if s.stacks <= 3 || all.commander != 0 {
		return 0, false
	}
	if p.half+1 >= soonestThird && p.occurrences(CellKey(code, Square(from))^CellKey(other, Square(to))^CellKey(sum, Square(to))) >= 2 {
		return 0, false
	}
	if s.mayAttack(sum, to) || inAttackRange[from-s.enemy] && p.mayUncover(p.turn&1^1, from) {
		return 0, false
	}
	w := &standardWeights
	change := w.worth[sum][to] - w.worth[other][to] - w.worth[code][from] - proximities[s.enemy][from] - s.inRange(code, from) - s.inRange(other, to)
	var safety phased
	if in.level|joined.level|all.level != 0 {
		safety.mid = p.airDefenseChange(s, p.covered(s, in, from), p.covered(s, joined, to), all, to)
	}
	return s.score(change, safety)
}

// soonestThird is the least half-move clock of a third occurrence: each side needs two turns to
// return.
const soonestThird = 8

// occurrences returns how often the position after a turn that changes the keys of the cells has
// occurred, or more.
func (p *Position) occurrences(keys uint64) uint16 {
	return p.hashCounts[(p.hash^sideKey^keys)%numHashCounts]
}

// soonestSecond is the least half-move clock of a second occurrence.
const soonestSecond = 4

// RepeatsAfter answers by the counts of hashes, so some positions that did not occur count, too.
func (p *Position) RepeatsAfter(m engine.Move) bool {
	if p.half+1 < soonestSecond {
		return false
	}
	from, to := fromOf(m), toOf(m)
	code, other := p.cells[from]&511, p.cells[to]&511
	keys := CellKey(code, Square(from))
	if effectOf(m) == Join {
		keys ^= CellKey(other, Square(to)) ^ CellKey(combine(code, other)&511, Square(to))
	} else {
		keys ^= CellKey(code, Square(to))
	}
	return p.occurrences(keys) > 0
}

// mayAttack reports whether a stack may attack the enemy commander from a square.
func (s *leafSums) mayAttack(code Stack, sq uint8) bool {
	return attackSlots[s.kind&1][code&511][relations[sq-s.enemy].index()] != 0
}

// inRange returns the penalty of the enemy commander for having a stack in range.
func (s *leafSums) inRange(code Stack, sq uint8) int32 {
	if s.mayAttack(code, sq) && attackRange[s.enemy].has(sq) {
		return int32(standardWeights.inRange)
	}
	return 0
}

// safetyChange returns by how much the safety of the own commander rises when its stack moves.
func (p *Position) safetyChange(s *leafSums, code Stack, to uint8) phased {
	risk := p.riskAt(p.turn&1, to, targetKind(code), s.airForces)
	safety := standardWeights.safety(&risk)
	return phased{safety.mid - s.safety.mid, safety.late - s.safety.late}
}

// covered returns 1 if a stack on a square provides air defense for the own commander, else 0.
func (p *Position) covered(s *leafSums, in *stackInfo, sq uint8) uint32 {
	if in.level != 0 && zoneSets[in.level&3][sq].has(s.own) {
		return 1
	}
	return 0
}

// airDefenseChange returns by how much the safety of the own commander rises when some stacks no
// longer provide air defense for it, numbers as covered returns them, and one on a square does.
func (p *Position) airDefenseChange(s *leafSums, lost, lostToo uint32, in *stackInfo, to uint8) int {
	if s.airForces == 0 {
		return 0
	}
	was := p.zones[p.turn&1][s.own] / providerUnit
	is := was - lost - lostToo + p.covered(s, in, to)
	switch {
	case was > 0 && is == 0:
		return -standardWeights.noAirDefense
	case was == 0 && is > 0:
		return standardWeights.noAirDefense
	}
	return 0
}

// proximities holds what a stack on a square adds to the penalty of the enemy commander, which is the
// first index, apart from attacks: the values are as in weights.worth.
var proximities = func() (table [256][256]int32) {
	for _, commander := range boardSquares {
		for _, sq := range boardSquares {
			w, d := &standardWeights, distance(Square(commander), Square(sq))
			closer, near := max(PressureRadius-d, 0), 0
			if d <= NearRadius {
				near = w.near
			}
			table[commander][sq] = int32(w.pressure.late*closer)<<16 + int32(w.pressure.mid*closer+near)
		}
	}
	return table
}()

// tuning is from stochastic approximation (SPSA) over 14,400 games with 500 nodes a move and
// from matches at depth 3. Skipping captures that lose material costs 60 Elo at depth 3: an
// air force is worth giving up for what opens the way to the commander. Skipping
// late moves gains nothing at depths that a data generator reaches.
var tuning = engine.Tuning{
	ReverseFutility: 100, ReverseFutilityDepth: 3,
	Futility: 200, FutilityDepth: 5,
	Delta: 130,

	ReductionFactor: 24, ReduceFrom: 3, ReductionHistory: 9_500,
	InternalReduction: 5,

	Aspiration:   75,
	HistoryBonus: 60,
	Placement:    4,

	Recurrence: true, TableScores: true, Stability: true,

	MeanNodes: [5]int{640, 1_380, 5_750, 11_600, 30_000},
}

// Tuning returns the margins of the search.
func (p *Position) Tuning() *engine.Tuning { return &tuning }

// Tuning returns the margins of the search, for other engines of the game.
func Tuning() *engine.Tuning { return &tuning }
