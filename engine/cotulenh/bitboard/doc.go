// Package bitboard is a second engine of Cờ Tư Lệnh. It plays the rules of package
// cotulenh on sets of squares instead of a mailbox, and gives the same steps in the same
// order, the same hashes, texts, scores and random draws. docs/lab/bitboards.md compares the
// two; the mailbox is the default.
//
// # Representation
//
// A Board is a set of squares in three 64-bit words. The design document that proposes
// bitboards for this game puts the 132 squares into two words, which hold only 128, and
// numbers them rank*11 + file. Boards use the square numbers of package cotulenh, rank*16 +
// file from a12 = 0: four ranks of 16 bits to a word, 192 bits in all. The five unused bits
// of each rank keep shifts from wrapping, and no square needs a conversion.
//
// A position keeps for each side the occupied squares and a board for each type of lead,
// and one board of heroic leads. What a stack consists of is in an array of stack codes by
// square, because a Board cannot say it. Each side also has a list of its stacks. The lists
// serve only the order of steps, which must be that of the mailbox.
//
// # Rays
//
// Rays is the view from one square: 64 bits, one byte per direction, one bit per distance
// up to five. A Board becomes Rays by the method of kindergarten bitboards; subtraction then
// finds the first stack of all eight rays at once, and the bits come out in the order in
// which steps are listed. Only a commander moves farther; it counts the free squares of its
// lines by the first bit.
//
// Attack tables are precomputed by kind of piece and square. A kind is type*2 + heroic.
// Terrain is decided there.
//
// # Air defense
//
// Circles around providers are precomputed. Nothing else is stored: the providers are boards
// of leads, and the providers that cover a square are an intersection with circles around
// it. For an air force, tables by offset give what each provider does to its eight rays.
//
// # Shared with package cotulenh
//
// The bits of a step, stack codes, terrain, Zobrist keys, texts and the tables of the static
// score. All else, above all generation, attacks, air defense, legality and sessions, is
// written again for boards. Rulings are cited as there (H1 to H9).
//
// # Sources
//
//	Isenberg, "Kindergarten Bitboards", chessprogramming.org             rays.go
//	Warren, "Hacker's Delight", parallel subtraction of bytes            rays.go
package bitboard
