package contrast

import "selfplay/engine"

// baseMoves has, for each direction, the pieces with a base move: the run of own
// pieces next to them ends at a target. A piece and a direction determine a base move;
// no two base moves join the same two cells.
type baseMoves [8]set

// findBaseMoves fills b with the base moves of the side to move to targets, a set of
// empty squares, and returns their number. It is 0 if a goal is reached.
func (p *Position) findBaseMoves(b *baseMoves, targets set) uint32 {
	if p.goalReached() {
		*b = baseMoves{}
		return 0
	}
	return p.findBaseMovesOf(p.turn, b, targets)
}

// findBaseMovesOf is findBaseMoves for either side. It ignores a reached goal.
func (p *Position) findBaseMovesOf(side uint8, b *baseMoves, targets set) uint32 {
	own := p.pieces[side&1]
	orthogonal := own &^ p.tiles[0]
	diagonals := own & (p.tiles[0] | p.tiles[1])

	b[0] = orthogonal & originsDown(own, targets, 8)
	b[1] = orthogonal & originsUp(own, targets, 1)
	b[2] = orthogonal & originsUp(own, targets, 8)
	b[3] = orthogonal & originsDown(own, targets, 1)
	b[4] = diagonals & originsDown(own, targets, 9)
	b[5] = diagonals & originsDown(own, targets, 7)
	b[6] = diagonals & originsUp(own, targets, 9)
	b[7] = diagonals & originsUp(own, targets, 7)

	return b[0].count() + b[1].count() + b[2].count() + b[3].count() +
		b[4].count() + b[5].count() + b[6].count() + b[7].count()
}

// originsUp returns the squares from which a move upwards by steps of n ends at a
// target: the next square is a target, or begins a run of at most three own pieces
// that ends at one. Each line doubles the length of the runs.
func originsUp(own, targets set, n uint) set {
	targets |= own & (targets >> n)
	targets |= own & (own >> n) & (targets >> (2 * n))
	return targets >> n
}

// originsDown is originsUp for steps downwards.
func originsDown(own, targets set, n uint) set {
	targets |= own & (targets << n)
	targets |= own & (own << n) & (targets << (2 * n))
	return targets << n
}

// landing returns the target of a base move from a square in direction dir.
func (p *Position) landing(from, dir uint8) uint8 {
	own := p.pieces[p.turn&1]
	to := from + dir
	for own.has(to) {
		to += dir
	}
	return to
}

// tileSquares returns the squares where a tile may be placed with a base move. free
// are the squares without tile and piece before the move.
func (p *Position) tileSquares(free set, from, to uint8) set {
	if p.before {
		return free
	}
	return (free | one(from)&p.bare()) &^ one(to)
}

// Moves appends the legal moves: by direction, then by the square they leave, the base
// move before its variations with a tile.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	var b baseMoves
	p.findBaseMoves(&b, p.empty())
	free, k := p.empty()&p.bare(), p.tileKinds()
	for i, movers := range b {
		for ; movers != 0; movers &= movers - 1 {
			from := movers.first()
			to := p.landing(from, directions[i])
			base := newMove(from, to)
			dst = append(dst, base)
			if k.n > 0 {
				dst = appendPlacements(dst, base, p.tileSquares(free, from, to), k)
			}
		}
	}
	return dst
}

// appendPlacements appends a base move with every kind of tile in hand on every
// allowed square.
func appendPlacements(dst []engine.Move, base engine.Move, allowed set, k *tileKinds) []engine.Move {
	base |= placement(0, k.kinds[0])
	if k.n == 1 {
		for ; allowed != 0; allowed &= allowed - 1 {
			dst = append(dst, base|placement(allowed.first(), 0))
		}
		return dst
	}
	for ; allowed != 0; allowed &= allowed - 1 {
		m := base | placement(allowed.first(), 0)
		dst = append(dst, m, m+nextKind)
	}
	return dst
}

// Count returns the number of legal moves. Each base move combines with every kind of
// tile in hand on every square that was free before it. In the variant after, a
// vacated square without a tile adds one place, and a destination without a tile
// removes one.
func (p *Position) Count() int {
	var b baseMoves
	all := p.findBaseMoves(&b, p.empty())
	k := p.tileKinds()
	if k.n == 0 || all == 0 {
		return int(all)
	}
	free := p.empty() & p.bare()
	places := all * free.count()
	if !p.before {
		bare := p.bare()
		for _, movers := range b[:4] { // a piece on a cell without a tile moves orthogonally
			places += (movers & bare).count()
		}
		places -= p.findBaseMoves(&b, free)
	}
	return int(all + k.n*places)
}
