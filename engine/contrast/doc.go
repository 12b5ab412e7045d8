// Package contrast plays Contrast, a game for two on 5 by 5 cells: five pieces a
// side walk to the far row, and the tiles that the players lay decide how the
// pieces on them walk.
//
// # Representation
//
// The board is a mailbox of stride 8 with a rim of walls: square = 8*(row+1) +
// column+1, row 0 is rank 5, so a5 = 9, e5 = 13, a1 = 41, e1 = 45. A step is one
// addition, and a walk meets a wall before it could leave the board. A cell of the
// mailbox holds the code that the 29-element array of the datasets has for it,
// occupant*3 + tile, so that the array is copied row by row.
//
// Beside the cells a position keeps four sets of squares, bits over the same
// mailbox: the pieces of either side, the black tiles, the gray tiles. With them
// all pieces look in one direction at once, which makes counting and drawing moves
// a matter of eight shifts and no branches. Of the history a position keeps one
// entry a ply: the hash before it and the move.
//
// Outside, cells are numbered row by row from a5 = 0 to e1 = 24, as in the array.
//
// # Moves
//
// A ply is one move of the engine: a piece goes from one cell to another, and then
// the mover may lay a tile. A piece goes one step along an arrow of the tile under
// it, over any unbroken run of its own pieces: a bare cell has the four orthogonal
// arrows, a black tile the four diagonal ones, a gray tile all eight. Nothing is
// ever captured, and a tile never leaves its cell.
//
// # Dialects
//
// after, the default: a tile goes on any cell that has none and is empty once the
// piece has moved; so the vacated cell qualifies, the destination does not.
//
// before: a tile goes on any cell that has none and was empty before the piece
// moved; so the vacated cell does not qualify, and the destination does, but then
// nothing is laid and nothing spent. The first published program plays like this;
// its author changed it later.
//
// # Scores
//
// For searches a position has a static score: who is ahead in the race, how far
// all pieces have come, how much each side can move, what tiles are left. The
// numbers were tuned by matches; they are frozen in testdata/scores.txt, since
// every dataset of a player that looks ahead depends on them.
//
// # Sources
//
// The encoding is docs/BOARD_ENCODING.md of the public repository
// Terauchi01/Contrast; the rules are those of Terauchi01/contrast_arena, whose
// core made the conformance data in testdata.
//
// # Files
//
//	square.go    squares, directions, sets of squares
//	position.go  the state, Do and Undo
//	hash.go      Zobrist keys
//	generate.go  legal moves, listed and counted
//	random.go    one random legal move without the list
//	outcome.go   ends of the game
//	evaluate.go  the static score; captures.go the moves that win at once
//	verify.go    whether a move is legal
//	array.go     the 29-element array, and that of 25 which it replaced
//	notation.go  the text of a position; read.go reads it
//	reach.go     what no game leads to
//	move.go      the text of a move, and a move taken apart
//	game.go      names and sizes
package contrast
