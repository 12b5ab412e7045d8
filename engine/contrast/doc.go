// Package contrast implements Contrast, a two-player game on 5 by 5 cells. Each side
// walks five pieces towards the opposite row. Tiles that the players place change the
// directions in which the pieces on them move.
//
// # Representation
//
// The board is a mailbox with stride 8 and a rim of walls, which makes the 5 by 5
// cells a 7 by 7 board: square = 8*(row+1) + column + 1, where row 0 is rank 5. So a5
// = 9, e5 = 13, a1 = 41, e1 = 45. A step is one addition, and a walk meets a wall
// before it leaves the board. A mailbox entry holds the cell code of the 29-element
// array of the datasets, occupant*3 + tile, so the array is copied row by row.
//
// A position also keeps four sets of squares, as 64-bit masks over the same mailbox:
// the pieces of each side, the black tiles and the gray tiles. With them all pieces
// are tested in one direction at once, so counting and drawing moves takes eight
// shifts and no branches. The history has one entry per ply: the hash before the move,
// and the move.
//
// The exported API numbers cells row by row from a5 = 0 to e1 = 24, as in the array.
//
// # Moves
//
// A ply moves one piece and then optionally places one tile. A piece moves one step
// along an arrow of the tile under it and jumps over any unbroken run of own pieces in
// that direction. A cell without a tile has the four orthogonal arrows, a black tile
// the four diagonal ones, a gray tile all eight. There are no captures, and tiles are
// never moved or removed. A base move is a move without its tile.
//
// # Variants
//
// after, the default: a tile goes on any cell without a tile that is empty after the
// piece has moved. The vacated cell qualifies, the destination does not.
//
// before: a tile goes on any cell without a tile that was empty before the piece
// moved. The vacated cell does not qualify. The destination does, but then no tile is
// placed and none is spent. The first published program plays this variant; its author
// changed it later.
//
// # Units
//
// Scores are centi-units: 100 is about one step ahead in the race to the goal row. The
// static score combines the race, the advance of all pieces, the mobility of both
// sides and the tiles in hand. The weights were tuned by matches. testdata/scores.txt
// freezes the scores, because the datasets of every player that searches depend on
// them.
//
// # Sources
//
//	github.com/Terauchi01/Contrast        the array encoding, docs/BOARD_ENCODING.md
//	github.com/Terauchi01/contrast_arena  the rules; its core made the data in testdata
package contrast
