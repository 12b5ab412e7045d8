package chess

import "selfplay/engine"

// Moves appends every legal move. It finds the checkers and pinned pieces once and
// tests the cells the king can reach; only en passant captures are tried on the
// resulting board.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	us := p.turn()
	cell := p.kingCell(us)
	checkers, pinned := p.checkersAndPins(us, cell)
	if checkers != 0 {
		return p.evasions(dst, us, cell, checkers, pinned)
	}
	own := p.sides[us]
	dst = p.pawnMoves(dst, us, p.kinds[pawn]&own&^pinned, allCells)
	dst = p.knightMoves(dst, us, p.kinds[knight]&own&^pinned, ^own)
	enemy := colourOf(us ^ 1)
	for set := (p.kinds[bishop] | p.kinds[queen]) & own &^ pinned; set != 0; set &= set - 1 {
		from := firstSquare(set)
		base := fromPart(p.board[from], from)
		dst = p.slideMoves(dst, base, from, northWest, enemy)
		dst = p.slideMoves(dst, base, from, northEast, enemy)
		dst = p.slideMoves(dst, base, from, southWest, enemy)
		dst = p.slideMoves(dst, base, from, southEast, enemy)
	}
	for set := (p.kinds[rook] | p.kinds[queen]) & own &^ pinned; set != 0; set &= set - 1 {
		from := firstSquare(set)
		base := fromPart(p.board[from], from)
		dst = p.slideMoves(dst, base, from, north, enemy)
		dst = p.slideMoves(dst, base, from, west, enemy)
		dst = p.slideMoves(dst, base, from, east, enemy)
		dst = p.slideMoves(dst, base, from, south, enemy)
	}
	if pinned != 0 {
		dst = p.pinnedMoves(dst, us, cell, pinned)
	}
	if p.state&passantBits != 0 {
		dst = p.passantMoves(dst)
	}
	dst = p.kingMoves(dst, us, cell)
	if p.state&rightsBits != 0 {
		dst = p.castlingMoves(dst, us)
	}
	return dst
}

// slideMoves lists the moves along one ray; base holds the piece and its square.
func (p *Position) slideMoves(dst []engine.Move, base engine.Move, from, step, enemy uint8) []engine.Move {
	to := from + step
	for p.board[to] == empty {
		dst = append(dst, base|engine.Move(to)<<toShift)
		to += step
	}
	if taken := p.board[to]; taken&enemy != 0 {
		dst = append(dst, base|toPart(taken, to))
	}
	return dst
}

// evasions lists the legal moves of a side in check: the king leaves, or one checker
// is captured or blocked. A pinned piece can do neither.
func (p *Position) evasions(dst []engine.Move, us uint8, cell int, checkers, pinned uint64) []engine.Move {
	if checkers&(checkers-1) == 0 {
		targets := checkers | between[cell&63][firstCell(checkers)]
		free := p.sides[us&1] &^ pinned
		dst = p.pawnMoves(dst, us, p.kinds[pawn]&free, targets)
		dst = p.knightMoves(dst, us, p.kinds[knight]&free, targets)
		for set := (p.kinds[bishop] | p.kinds[rook] | p.kinds[queen]) & free; set != 0; set &= set - 1 {
			dst = p.sliderMoves(dst, firstCell(set), targets)
		}
		if p.state&passantBits != 0 {
			dst = p.passantMoves(dst)
		}
	}
	return p.kingMoves(dst, us, cell)
}

// pinnedMoves lists the moves of pinned pieces along their pins. The side is not in
// check.
func (p *Position) pinnedMoves(dst []engine.Move, us uint8, cell int, pinned uint64) []engine.Move {
	dst = p.pinnedPawnMoves(dst, us, cell, pinned)
	for set := pinned &^ (p.kinds[pawn] | p.kinds[knight]); set != 0; set &= set - 1 {
		from := firstCell(set)
		dst = p.sliderMoves(dst, from, lines[cell&63][from]&^p.sides[us&1])
	}
	return dst
}

func (p *Position) pinnedPawnMoves(dst []engine.Move, us uint8, cell int, pinned uint64) []engine.Move {
	for set := pinned & p.kinds[pawn]; set != 0; set &= set - 1 {
		dst = p.pawnMoves(dst, us, set&-set, lines[cell&63][firstCell(set)])
	}
	return dst
}

// sliderReach has the targets of bishops, rooks and queens on the empty board, by kind
// and cell.
var sliderReach = func() (table [8][64]uint64) {
	for cell := range 64 {
		table[bishop][cell] = diagonals[cell]
		table[rook][cell] = straights[cell]
		table[queen][cell] = diagonals[cell] | straights[cell]
	}
	return table
}()

// sliderMoves lists the moves of a bishop, rook or queen to the given targets. It
// suits small target sets.
func (p *Position) sliderMoves(dst []engine.Move, from int, targets uint64) []engine.Move {
	from &= 63
	sq := squareOf(from)
	piece := p.board[sq]
	occupied := p.occupied()
	base := fromPart(piece, sq)
	for left := sliderReach[piece&kindBits][from] & targets; left != 0; left &= left - 1 {
		cell := firstCell(left)
		if between[from][cell]&occupied == 0 {
			to := squareOf(cell)
			dst = append(dst, base|toPart(p.board[to], to))
		}
	}
	return dst
}

// appendTargets lists the moves of base to all cells of a set.
func (p *Position) appendTargets(dst []engine.Move, base engine.Move, set uint64) []engine.Move {
	for ; set != 0; set &= set - 1 {
		to := firstSquare(set)
		dst = append(dst, base|toPart(p.board[to], to))
	}
	return dst
}

func (p *Position) knightMoves(dst []engine.Move, us uint8, knights, targets uint64) []engine.Move {
	for ; knights != 0; knights &= knights - 1 {
		from := firstCell(knights)
		dst = p.appendTargets(dst, fromPart(colourOf(us)|knight, squareOf(from)), knightReach[from]&targets)
	}
	return dst
}

func (p *Position) kingMoves(dst []engine.Move, us uint8, cell int) []engine.Move {
	return p.appendTargets(dst, fromPart(colourOf(us)|king, squareOf(cell)), p.kingTargets(us, cell))
}

// kingTargets returns the cells that the king may step to.
func (p *Position) kingTargets(us uint8, cell int) uint64 {
	cell &= 63
	own, them := p.sides[us&1], p.sides[us&1^1]
	set := kingReach[cell] &^ own
	occupied := (own | them) &^ (1 << cell) // a slider attacks through the cell that the king leaves
	for left := set; left != 0; left &= left - 1 {
		if p.attacked(firstCell(left), us^1, them, occupied) {
			set ^= left & -left
		}
	}
	return set
}
