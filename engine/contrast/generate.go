package contrast

import "selfplay/engine"

// ways holds, for each direction, the pieces that can go there: the run of own
// pieces next to them ends in a target. A piece and a direction are one base move,
// that is a move but for the tile; no two of them join the same two cells.
type ways [8]set

// look fills w with the base moves of the side to move to the targets, a set of
// empty squares, and returns how many they are; none where the game is over by a
// reached goal.
func (p *Position) look(w *ways, targets set) uint32 {
	if p.goalReached() {
		*w = ways{}
		return 0
	}
	return p.lookOf(p.turn, w, targets)
}

// lookOf is look for either side, as if the game went on.
func (p *Position) lookOf(side uint8, w *ways, targets set) uint32 {
	own := p.pieces[side&1]
	walkers := own &^ p.tiles[0]
	slanters := own & (p.tiles[0] | p.tiles[1])

	w[0] = walkers & lookDown(own, targets, 8)
	w[1] = walkers & lookUp(own, targets, 1)
	w[2] = walkers & lookUp(own, targets, 8)
	w[3] = walkers & lookDown(own, targets, 1)
	w[4] = slanters & lookDown(own, targets, 9)
	w[5] = slanters & lookDown(own, targets, 7)
	w[6] = slanters & lookUp(own, targets, 9)
	w[7] = slanters & lookUp(own, targets, 7)

	return w[0].count() + w[1].count() + w[2].count() + w[3].count() +
		w[4].count() + w[5].count() + w[6].count() + w[7].count()
}

// lookUp returns the squares whose next one, n up, is a target or begins a run of
// own pieces, three at most, that ends in one. It doubles the run at each line.
func lookUp(own, targets set, n uint) set {
	targets |= own & (targets >> n)
	targets |= own & (own >> n) & (targets >> (2 * n))
	return targets >> n
}

// lookDown is lookUp for the next square n down.
func lookDown(own, targets set, n uint) set {
	targets |= own & (targets << n)
	targets |= own & (own << n) & (targets << (2 * n))
	return targets << n
}

// landing returns where a piece goes that has a way in direction dir.
func (p *Position) landing(from, dir uint8) uint8 {
	own := p.pieces[p.turn&1]
	to := from + dir
	for own.has(to) {
		to += dir
	}
	return to
}

// room returns where a tile may be laid with a base move, given the squares that
// were bare and empty before it.
func (p *Position) room(free set, from, to uint8) set {
	if p.before {
		return free
	}
	return (free | one(from)&p.bare()) &^ one(to)
}

// Moves appends the legal moves to dst: by direction, then by the square they
// leave, without a tile first.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	var w ways
	p.look(&w, p.empty())
	free, c := p.empty()&p.bare(), p.choices()
	for i, movers := range w {
		for ; movers != 0; movers &= movers - 1 {
			from := movers.first()
			to := p.landing(from, directions[i])
			base := newMove(from, to)
			dst = append(dst, base)
			if c.n > 0 {
				dst = appendPlacements(dst, base, p.room(free, from, to), c)
			}
		}
	}
	return dst
}

// appendPlacements appends a base move with every kind in hand on every square of
// the room.
func appendPlacements(dst []engine.Move, base engine.Move, room set, c *choices) []engine.Move {
	base |= placement(0, c.kinds[0])
	if c.n == 1 {
		for ; room != 0; room &= room - 1 {
			dst = append(dst, base|placement(room.first(), 0))
		}
		return dst
	}
	for ; room != 0; room &= room - 1 {
		m := base | placement(room.first(), 0)
		dst = append(dst, m, m+nextKind)
	}
	return dst
}

// Count returns how many moves Moves lists. Each base move allows to lay any kind
// in hand on any cell that was free before it; in the dialect after a bare vacated
// cell adds one place and a bare destination takes one away.
func (p *Position) Count() int {
	var w ways
	all := p.look(&w, p.empty())
	c := p.choices()
	if c.n == 0 || all == 0 {
		return int(all)
	}
	free := p.empty() & p.bare()
	places := all * free.count()
	if !p.before {
		bare := p.bare()
		for _, movers := range w[:4] { // a piece on a bare cell goes straight
			places += (movers & bare).count()
		}
		places -= p.look(&w, free)
	}
	return int(all + c.n*places)
}
