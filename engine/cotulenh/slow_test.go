package cotulenh

import (
	"flag"

	"selfplay/engine"
)

var comparedPlies = flag.Int("plies", 30_000, "number of random plies at which Moves, Count and Captures are compared with slowMoves")

// slowMoves is Moves with each target decided by itself and each step decided by playing
// it, in the same order.
func slowMoves(p *Position) []engine.Move {
	var sure, noisy, untested []engine.Move
	switch own := &p.sides[p.turn]; {
	case p.session.open():
		sure = p.sessionSteps(nil)
	case own.commander != NoSquare:
		th := p.assess()
		for _, from := range own.squares[:own.n] {
			s := p.cells[from]
			in := &infos[s]
			for slot := range in.size {
				if in.size > 1 {
					safe := th.quietLegal(from, in) && remnantFits(s.without(slot), from)
					addSlowly(p, listFor(safe, &sure, &untested), &noisy, from, Deploy+slot)
				}
			}
			addSlowly(p, listFor(th.quietLegal(from, in), &sure, &untested), &noisy, from, Whole)
		}
	}
	var legal []engine.Move
	for _, list := range [][]engine.Move{sure, noisy, untested} {
		for _, m := range list {
			if legalByPlaying(p, m) {
				legal = append(legal, m)
			}
		}
	}
	if p.session.open() && !slowDanger(p) && remnantFits(p.cells[p.session.origin], p.session.origin) {
		legal = append(legal, Commit)
	}
	return legal
}

func listFor(first bool, a, b *[]engine.Move) *[]engine.Move {
	if first {
		return a
	}
	return b
}

// addSlowly adds the pseudo-legal steps of one mover, target by target.
func addSlowly(p *Position, quiet, noisy *[]engine.Move, from, mover uint8) {
	moved := &infos[p.cells[from].moving(mover)]
	for _, t := range targetsFrom(moved.kinds[0], from) {
		to := from + t.offset
		e, ok := p.effectOn(from, to, moved, &t)
		switch base := newStep(from, 0, mover, Normal); {
		case !ok:
		case e == Normal:
			*quiet = append(*quiet, quietStep(base, to))
		default:
			*noisy = appendStep(*noisy, base, to, moved.kinds[0], e)
		}
	}
}

// legalByPlaying decides about a pseudo-legal step by playing it and, in a session,
// everything that may follow.
func legalByPlaying(p *Position, m engine.Move) bool {
	var before snapshot
	p.save(&before)
	defer p.restore(&before)
	mayFinishLater := p.session.open() || infos[p.cells[fromOf(m)]].commander != 0
	p.apply(m)
	if moverOf(m) < Deploy {
		return !slowDanger(p)
	}
	return (mayFinishLater || !slowDanger(p)) && finishesByPlaying(p)
}

// finishesByPlaying is canFinish without shortcuts.
func finishesByPlaying(p *Position) bool {
	if !slowDanger(p) && remnantFits(p.cells[p.session.origin], p.session.origin) {
		return true
	}
	var before snapshot
	p.save(&before)
	for _, m := range p.sessionSteps(nil) {
		p.apply(m)
		ok := finishesByPlaying(p)
		p.restore(&before)
		if ok {
			return true
		}
	}
	return false
}

// slowDanger is danger without what is known of attacks.
func slowDanger(p *Position) bool {
	known := p.sides[p.turn].attacked
	defer func() { p.sides[p.turn].attacked = known }()
	p.sides[p.turn].attacked = attackUnknown
	return p.danger(p.turn)
}
