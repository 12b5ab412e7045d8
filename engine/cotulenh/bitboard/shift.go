package bitboard

// Shifts move every square of a set one step. Squares that leave the board are dropped. A
// step along a rank lands in the unused files, or leaves the word, and never reaches
// another rank's squares: a Board has five unused bits between two ranks.

// North moves the set towards rank 12.
func (b Board) North() Board {
	return Board{b.A>>16 | b.B<<48, b.B>>16 | b.C<<48, b.C >> 16}
}

// South moves the set towards rank 1.
func (b Board) South() Board {
	return Board{b.A << 16, b.B<<16 | b.A>>48, b.C<<16 | b.B>>48}
}

// East moves the set towards file k.
func (b Board) East() Board { return Board{b.A << 1, b.B << 1, b.C << 1}.And(Valid) }

// West moves the set towards file a.
func (b Board) West() Board { return Board{b.A >> 1, b.B >> 1, b.C >> 1}.And(Valid) }

// NorthWest moves the set one step north and one west.
func (b Board) NorthWest() Board { return b.North().West() }

// NorthEast moves the set one step north and one east.
func (b Board) NorthEast() Board { return b.North().East() }

// SouthEast moves the set one step south and one east.
func (b Board) SouthEast() Board { return b.South().East() }

// SouthWest moves the set one step south and one west.
func (b Board) SouthWest() Board { return b.South().West() }

// shifts lists the shifts in the order of cotulenh.Directions.
var shifts = [8]func(Board) Board{
	Board.North, Board.East, Board.South, Board.West,
	Board.NorthWest, Board.NorthEast, Board.SouthEast, Board.SouthWest,
}

// Shift moves the set one step in a direction, numbered as in cotulenh.Directions.
func (b Board) Shift(direction int) Board { return shifts[direction](b) }
