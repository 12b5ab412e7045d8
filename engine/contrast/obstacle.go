package contrast

import "selfplay/engine"

// This file says why a move is not legal: first because of the piece, then because of its tile.

var _ engine.Arbiter = (*Position)(nil)

// Wish returns a legal move as a wish.
func (p *Position) Wish(m engine.Move) engine.Wish {
	w := engine.Wish{From: CellName(cellOf(fromOf(m))), To: CellName(cellOf(toOf(m))), Way: engine.Quiet}
	if kindOf(m) != noTile {
		w.Tile = CellName(cellOf(tileSquareOf(m))) + tileLetters[kindOf(m)]
	}
	return w
}

var (
	tileLetters = [3]string{blackTile: "b", grayTile: "g"}
	tileNames   = [3]string{blackTile: "black", grayTile: "gray"}
)

// noCell is the cell of obstacles that have none.
const noCell = numCells

func obstacle(why engine.Why, at uint8, format string, args ...any) engine.Obstacle {
	name := ""
	if at < noCell {
		name = CellName(at)
	}
	return engine.NewObstacle(why, name, format, args...)
}

// Obstacle returns why no legal move fulfils a wish.
func (p *Position) Obstacle(w engine.Wish) engine.Obstacle {
	if p.goalReached() {
		return obstacle(engine.Over, noCell, "The game is over: a piece stands on its goal row.")
	}
	fromCell, errFrom := ParseCell(w.From)
	toCell, errTo := ParseCell(w.To)
	if errFrom != nil || errTo != nil || w.Piece != "" {
		return obstacle(engine.NoPiece, noCell, "A move goes from a cell of the board to another one.")
	}
	us, from, to := p.turn&1, squareOf(fromCell), squareOf(toCell)
	switch {
	case p.empty().has(from):
		return obstacle(engine.NoPiece, fromCell, "Nothing stands on %s.", w.From)
	case !p.pieces[us].has(from):
		return obstacle(engine.NoPiece, fromCell, "%s is to move, and %s holds a piece of %s.", sideNames[us], w.From, sideNames[us^1])
	}
	l := lines[(to-from)&127]
	o := p.wrongDirection(from, to, l)
	if o.Why != engine.NoObstacle {
		return o
	}
	if w.Way != engine.AnyWay && w.Way != engine.Quiet {
		return obstacle(engine.Target, toCell, "No piece of this game does that.")
	}
	o = p.stopped(from, to, l.dir)
	if o.Why != engine.NoObstacle || w.Tile == "" {
		return o
	}
	return p.tileObstacle(from, to, w.Tile)
}

// directionNames are the ways of a piece, by the tile under it.
var directionNames = [3]string{
	noTile:    "without a tile under it goes straight",
	blackTile: "on a black tile goes diagonally",
	grayTile:  "on a gray tile goes straight or diagonally",
}

// wrongDirection asks whether the tile under the piece lets it go along a line, and whether it
// goes too far over empty cells.
func (p *Position) wrongDirection(from, to uint8, l line) engine.Obstacle {
	tile := p.cells[from&63] % 3
	switch {
	case from == to:
		return obstacle(engine.Range, cellOf(to), "The piece stands on %s already.", CellName(cellOf(to)))
	case arrows[tile]&l.arrow == 0:
		return obstacle(engine.Range, cellOf(from), "A piece %s.", directionNames[tile])
	}
	for sq := from + l.dir; sq != to; sq += l.dir {
		switch {
		case !board.has(sq): // a cell of another rank with the same difference
			return obstacle(engine.Range, cellOf(from), "A piece %s.", directionNames[tile])
		case p.empty().has(sq):
			return obstacle(engine.Range, cellOf(sq), "The piece goes one cell, and farther only over own pieces: %s is empty.", CellName(cellOf(sq)))
		}
	}
	return engine.Obstacle{}
}

// stopped asks for pieces that the mover can neither jump nor take.
func (p *Position) stopped(from, to, dir uint8) engine.Obstacle {
	us := p.turn & 1
	for sq := from + dir; ; sq += dir {
		switch {
		case p.pieces[us^1].has(sq):
			return obstacle(engine.InTheWay, cellOf(sq), "A piece of %s stands on %s, and nothing is captured or jumped.", sideNames[us^1], CellName(cellOf(sq)))
		case sq == to && p.pieces[us].has(sq):
			return obstacle(engine.InTheWay, cellOf(sq), "An own piece stands on %s: it is jumped, to the cell behind it.", CellName(cellOf(sq)))
		case sq == to:
			return engine.Obstacle{}
		}
	}
}

// tileObstacle says why a tile may not be laid after a move that is legal without one.
func (p *Position) tileObstacle(from, to uint8, tile string) engine.Obstacle {
	cell, err := ParseCell(tile[:min(2, len(tile))])
	letter := tile[min(2, len(tile)):]
	if err != nil || letter != "" && letter != tileLetters[blackTile] && letter != tileLetters[grayTile] {
		return obstacle(engine.OfTile, noCell, "A tile is a cell of the board and b for black or g for gray.")
	}
	us, at, name := p.turn&1, squareOf(cell), CellName(cell)
	hand := p.hands[us]
	for kind := uint8(blackTile); kind <= grayTile; kind++ {
		if letter == tileLetters[kind] && !hand.holds(kind) {
			return obstacle(engine.OfTile, noCell, "%s has no %s tile left.", sideNames[us], tileNames[kind])
		}
	}
	switch {
	case !hand.holds(blackTile) && !hand.holds(grayTile):
		return obstacle(engine.OfTile, noCell, "%s has no tile left.", sideNames[us])
	case p.tileSquares(p.empty()&p.bare(), from, to).has(at):
		return engine.Obstacle{}
	case !p.bare().has(at):
		return obstacle(engine.OfTile, cell, "%s has a tile already, and tiles never move.", name)
	case at == to:
		return obstacle(engine.OfTile, cell, "The piece goes to %s: a tile goes on a cell without a piece.", name)
	case at == from:
		return obstacle(engine.OfTile, cell, "In this variant no tile goes on %s, which the piece leaves.", name)
	}
	return obstacle(engine.OfTile, cell, "A piece stands on %s: a tile goes on a cell without one.", name)
}
