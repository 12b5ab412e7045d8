// Package cotulenh plays Cờ Tư Lệnh, Vietnamese commander chess: 11 files by 12
// ranks, 19 pieces a side, stacks of up to three, air defense, and turns in which
// a stack is deployed member by member.
//
// # Representation
//
// The board is a 16x16 mailbox: square = rank*16 + file, rank 12 of the printed
// board is internal rank 0, so a12 = 0, k12 = 10, a1 = 176, k1 = 186. The cells
// beyond file k and rank 1 are dead. A square is a uint8, so a [256] array needs
// no bounds check, and a ray walked one uint8 addition at a time meets a dead cell
// before it could wrap around.
//
// A cell holds the dense code of the whole stack on it (type Stack, 0 to 284):
// every composition the rules allow, with every pattern of heroic members, red
// first, then blue. Tables over codes answer all questions about a stack: its
// lead, its members, what is left when one leaves, what it becomes with another.
// The codes are also what datasets store.
//
// Beside the cells a position keeps a list of squares a side, occupancy bits, the
// zones of air defense, both commanders' squares, and whether each commander is
// known to be safe. Do changes them step by step and logs each change; Undo plays
// the log backwards, so that even the order of the lists comes back.
//
// # Steps and turns
//
// A move of the engine is one step: a stack or a single piece moves, or one
// member is deployed from a stack. The first deploy step opens a session; only
// members of that stack may go on, and commit ends the turn. When no member or no
// legal step is left, the turn commits by itself.
//
// # Scores
//
// For searches a position has a static score: what the stacks are worth where they
// stand, and how safe the commanders are, in hundredths of an infantry. The
// numbers were fitted to games; they are frozen in testdata/scores.txt, since every
// dataset of a player that looks ahead depends on them.
//
// # Files
//
//	square.go    squares, directions, terrain
//	stack.go     types, members, the 285 stack codes and their tables
//	ray.go       where a piece on a square could go on an empty board
//	zone.go      air defense: levels, discs, the walk through zones
//	position.go  the state: cells, lists, zones, and the log that Undo plays back
//	hash.go      Zobrist keys
//	attack.go    who attacks a commander, commanders that face each other, danger
//	step.go      the effect of a step, promotions, Do and Undo
//	session.go   deployment: what may go on, what may commit
//	generate.go  pseudo-legal steps
//	legal.go     which of them are legal
//	random.go    one uniform legal step without the list
//	outcome.go   ends of the game
//	captures.go  the legal steps that take something
//	evaluate.go  the static score; weights.go has its numbers, tally.go keeps its sums
//	exchange.go  what captures gain
//	verify.go    whether a step is legal
//	notation.go  the text of a position; read.go reads it
//	move.go      the text of a step, and a step taken apart
//	parts.go     a position taken apart, for datasets
//	game.go      names and sizes
package cotulenh
