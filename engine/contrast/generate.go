package contrast

import (
	"math/rand/v2"

	"selfplay/engine"
)

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

// Captures appends the base moves that reach the goal row, each once. The game has no
// captures. Variations with a tile are omitted: a tile cannot improve a winning move.
func (p *Position) Captures(dst []engine.Move) []engine.Move {
	var b baseMoves
	if p.findBaseMoves(&b, p.goalTargets(p.turn)) == 0 {
		return dst
	}
	for i, movers := range b {
		for ; movers != 0; movers &= movers - 1 {
			from := movers.first()
			dst = append(dst, newMove(from, p.landing(from, directions[i])))
		}
	}
	return dst
}

// goalTargets returns the empty squares of a side's goal row.
func (p *Position) goalTargets(side uint8) set { return goals[side&1] & p.empty() }

// Placement returns what the advance of the piece is worth, minus the tile.
func (p *Position) Placement(m engine.Move) int {
	s := advances[p.turn&1][toOf(m)&63] - advances[p.turn&1][fromOf(m)&63]
	if placesTile(m) {
		s -= standard.gray
	}
	return s
}

// advances holds the worth of a piece by side and square.
var advances = func() (table [2][64]int) {
	for side := range table {
		for rank, worth := range standard.rank[1:] {
			for sq := range uint8(64) {
				if ranksOf[side][rank+1].has(sq) {
					table[side][sq] = worth
				}
			}
		}
	}
	return table
}()

// Gain returns winGain for a move that reaches the goal row and 0 for any other.
func (p *Position) Gain(m engine.Move) int {
	if goals[p.turn&1].has(toOf(m)) {
		return winGain
	}
	return 0
}

// Legal reports whether Moves lists m in this position. Moves must have listed m in
// some position.
func (p *Position) Legal(m engine.Move) bool {
	from, to, kind := fromOf(m), toOf(m), kindOf(m)
	if p.goalReached() || !p.hasBaseMove(from, to) {
		return false
	}
	return kind == noTile || p.hands[p.turn&1].holds(kind) && p.tileSquares(p.empty()&p.bare(), from, to).has(tileSquareOf(m))
}

// The order and the bounds of all draws belong to the player's version.

// DoRandom plays a legal move drawn uniformly. With tiles in hand it uses rejection
// sampling: it draws a cell of a rectangle, base moves by placements, whose width is
// the largest number of placements that any base move can have, until the placement
// exists.
func (p *Position) DoRandom(src *rand.PCG) (engine.Move, bool) {
	var b baseMoves
	all := p.findBaseMoves(&b, p.empty())
	if all == 0 || p.repeated() {
		return 0, false
	}
	k := p.tileKinds()
	if k.n == 0 {
		m := p.nthBaseMove(&b, engine.Below(src, all))
		p.Do(m)
		return m, true
	}
	free := p.empty() & p.bare()
	width := 1 + k.n*(free.count()+1)
	for {
		r := engine.Below(src, all*width)
		m := p.nthBaseMove(&b, r/width)
		r %= width
		if r > 0 {
			allowed := p.tileSquares(free, fromOf(m), toOf(m))
			if r > k.n*allowed.count() {
				continue
			}
			m |= nthPlacement(allowed, k, r-1)
		}
		p.Do(m)
		return m, true
	}
}

// RandomTile plays a random move drawn in three steps: a base move, uniformly; whether
// to place a tile, with the given probability, if a tile can be placed; and the tile,
// uniformly over kinds in hand and squares. It fails where DoRandom fails. Uniform
// play places all tiles within about ten plies; RandomTile keeps some for later.
func (p *Position) RandomTile(src *rand.PCG, probability engine.Fraction) (engine.Move, bool) {
	var b baseMoves
	all := p.findBaseMoves(&b, p.empty())
	if all == 0 || p.repeated() {
		return 0, false
	}
	m := p.nthBaseMove(&b, engine.Below(src, all))
	if k := p.tileKinds(); k.n > 0 && engine.Below(src, uint32(engine.One)) < uint32(probability) {
		allowed := p.tileSquares(p.empty()&p.bare(), fromOf(m), toOf(m))
		if n := k.n * allowed.count(); n > 0 {
			m |= nthPlacement(allowed, k, engine.Below(src, n))
		}
	}
	p.Do(m)
	return m, true
}

// nthBaseMove returns the r-th base move of b.
func (p *Position) nthBaseMove(b *baseMoves, r uint32) engine.Move {
	i := 0
	for {
		n := b[i&7].count()
		if r < n {
			break
		}
		r -= n
		i++
	}
	from := b[i&7].nth(r)
	return newMove(from, p.landing(from, directions[i&7]))
}

// nthPlacement returns the r-th placement: each kind in hand on each allowed square.
func nthPlacement(allowed set, k *tileKinds, r uint32) engine.Move {
	if k.n == 2 {
		return placement(allowed.nth(r/2), k.kinds[r&1])
	}
	return placement(allowed.nth(r), k.kinds[0])
}
