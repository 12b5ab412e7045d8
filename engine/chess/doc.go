// Package chess plays chess on the classic 10x12 mailbox, the board of Sargon (1978)
// and of TSCP: castling, en passant, promotion, check, mate and all draws that
// random play meets.
//
// # Representation
//
// The board is a byte a square of the mailbox: square = 21 + 10*(cell/8) + cell%8,
// where the cells of the 8x8 board go from a8 = 0 to h1 = 63. Around it lies a
// border, so that a step is one addition and one comparison: bishops, rooks and
// queens walk their rays over the board until they meet something. A square is a
// uint8 and the board has 256 of them, which takes the bounds checks away.
//
// Beside the board a position keeps the same pieces as sets of cells, 64 bits for
// each kind and each side. They answer what the board answers slowly: where the
// pieces are, where pawns and knights go, and, with tables of what lies between two
// cells, who checks and what is pinned. There are no tables of sliding attacks,
// magic or other: the rays are walked.
//
// # Moves
//
// Moves lists legal moves without playing any: the
// checkers and the pinned pieces are found once; in check only what ends it is
// listed; a pinned piece stays on its line; the king goes where nothing attacks it.
// A move holds everything that Do and Undo need, so that neither reads the board,
// and Undo takes 24 bytes a ply.
//
// The text of a position is FEN, canonical and with all six fields; a move is
// written as in UCI (e2e4, e1g1, e7e8q), or by SAN as players write it.
//
// # Clocks
//
// The half-move clock counts plies since the last capture or pawn move. It is
// written as 255 where it is more, and the full-move number as 65535; no rule looks
// that far.
//
// # Scores
//
// The static score is material and where it stands, from tables, and is summed once:
// from the first question on Do and Undo keep it. What a capture gains is weighed by
// the exchange that may follow on its cell.
//
// # Files
//
//	square.go    squares and cells, steps, what pieces reach on the empty board
//	position.go  the state: board, sets, state word, the memory of Undo
//	hash.go      Zobrist keys
//	attack.go    who attacks a cell, checkers and pins, en passant's legality
//	castle.go    the four castlings
//	do.go        Do and Undo
//	generate.go  the legal moves
//	captures.go  those that take or promote
//	count.go     how many they are
//	random.go    one uniform legal move without the list
//	outcome.go   ends of the game
//	evaluate.go  the static score; tables.go has its figures
//	exchange.go  what captures gain
//	verify.go    whether a move is legal
//	notation.go  the text of a position; read.go reads it
//	move.go      the bits of a move, its text, and a move taken apart
//	san.go       standard algebraic notation
//	parts.go     a position taken apart, for datasets
//	game.go      names and sizes
//
// # Sources
//
//	chessprogramming.org/10x12_Board    the mailbox; seed_test.go repeats its tables
//	chessprogramming.org/Perft_Results  six of the positions in testdata
//	chessprogramming.org/SEE_-_The_Swap_Algorithm
//	FIDE Laws of Chess                  5.1, 5.2, 9.2, 9.3; draws apply by themselves
package chess
