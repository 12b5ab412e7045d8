// Package chess implements chess on the 10x12 mailbox, the board of Sargon (1978) and
// of TSCP: castling, en passant, promotion, check, checkmate, stalemate, and draws by
// the fifty-move rule, threefold repetition and insufficient material.
//
// # Representation
//
// The board is a byte array over the squares of the mailbox: square = 21 + 10*(cell/8)
// + cell%8, where cells number the 8x8 board from a8 = 0 to h1 = 63. A border
// surrounds the board, so a step is one addition and one comparison. Bishops, rooks
// and queens walk their rays until they meet a piece or the border. A square is a
// uint8 and the array has 256 entries, which removes bounds checks.
//
// A position also keeps the same pieces as sets of cells: 64-bit masks by kind and by
// side. The sets answer what the mailbox answers slowly: where the pieces are, and
// where pawns and knights go. Together with tables of the cells between two cells they
// find checkers and pinned pieces. There are no tables of sliding attacks (no magic
// bitboards).
//
// # Moves
//
// Moves generates legal moves without making any. It finds checkers and pinned pieces
// once. In check it lists evasions only; a pinned piece stays on its line; the king
// goes to cells that are not attacked. A move contains everything that Do and Undo
// need, so neither reads the board. Undo needs 24 bytes per ply.
//
// The text of a position is canonical FEN with all six fields. The wire form of a move
// is UCI (e2e4, e1g1, e7e8q); SAN writes standard algebraic notation.
//
// # Chess960
//
// The variant differs in its starts and in castling: castling.go. A position refers to a
// table of its castling moves, so both variants run the same code. The variant starts where
// standard chess does; Start960 has the other starts.
//
// # Units
//
// Scores are centipawns. Clocks: the half-move clock counts plies since the last
// capture or pawn move; texts cap it at 255 and the full-move number at 65535. No rule
// reads further. MaxPlies and Repetitions count plies and occurrences.
//
// # Scores
//
// The static score is tapered material and piece-square tables, plus a bishop pair and
// a tempo bonus. The first Evaluate sums it; from then on Do and Undo update it. Gain
// estimates a capture by static exchange evaluation on its target cell.
//
// # Sources
//
//	chessprogramming.org/10x12_Board    the mailbox; seed_test.go checks its tables
//	chessprogramming.org/Perft_Results  six of the positions in testdata
//	chessprogramming.org/SEE_-_The_Swap_Algorithm
//	chessprogramming.org/Simplified_Evaluation_Function
//	FIDE Laws of Chess                  guidelines II (Chess960); 5.1, 5.2, 9.2, 9.3; draws apply automatically
package chess
