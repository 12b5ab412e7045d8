// Package cotulenh implements Cờ Tư Lệnh, Vietnamese commander chess. The board has 11
// files and 12 ranks, and each side has 19 pieces. Pieces combine into stacks of
// up to three, air defense limits the enemy's air force, and a turn may deploy a
// stack one member at a time.
//
// # Terms
//
// A member is one piece: a type and a heroic flag. A stack is one to three members
// of one side on one square; a lone piece is a stack of one. The first member is
// the lead: it decides how the stack moves and where it may stand. The others are
// cargo. A slot is the place of a member in its stack, 0 for the lead.
//
// A step is one engine.Move: a whole stack moves, or one member deploys from a
// stack. A turn is one step of a whole stack, or one session.
//
// A session is an open deployment. Its first deploy step fixes the origin square;
// only members of the stack on the origin may continue. Commit is a step of its own
// and ends the turn. The turn also commits automatically when no member is left to
// deploy or no legal step but commit remains. The members that stay on the origin
// are the remnant.
//
// # Representation
//
// The board is a 16x16 mailbox: square = rank*16 + file, where internal rank 0 is
// printed rank 12. So a12 = 0, k12 = 10, a1 = 176, k1 = 186. Cells beyond file k or
// rank 1 are dead. A square is a uint8, so an array of 256 needs no bounds check,
// and a ray that adds a uint8 offset reaches a dead cell before it can wrap around.
//
// A cell holds the dense code of the whole stack on it (type Stack, 0 to 284):
// every composition that the rules allow, with every pattern of heroic members,
// red before blue. Tables indexed by code give the lead, the members, the remnant
// after a deployment and the result of a join. Datasets store the same codes.
//
// The kind of a piece is type*2 + heroic. Tables indexed by kind and square hold
// the targets that a piece has on an empty board; terrain is decided there. A stack
// uses the terrain of its lead: a navy stands on water and mixed squares, any other
// lead on land and mixed squares.
//
// Air defense is a map per side from each square to the stacks whose zone covers
// it. A zone is a disc around a missile, navy or anti-air lead. An air force that
// enters one zone can only capture there and is lost with its target (suicide); a
// second zone, or leaving the first one, ends its ray. A heroic air force ignores
// air defense.
//
// Around a square, the squares on its eight rays within five steps are one word (type
// rays). A few shifts and multiplications make the word of the occupied squares from the
// occupancy bits; a table and a few operations on words give what a mover can reach.
//
// Besides the cells, a position keeps each side's list of squares, occupancy bits,
// air defense, the squares of the commanders, and whether each commander is
// attacked. Do updates all of them and logs each changed cell; Undo replays the log
// backwards, which restores even the order of the lists.
//
// Package bitboard is a second engine of the game. What both engines must agree on is
// exported here: the bits of a step, keys, texts, terrain and scores.
//
// # Units
//
// The half-move clock counts turns since the last capture, the full-move number
// counts from 1 after blue's turns; both stop at 65535. Ranges and air-defense
// levels are in squares. Scores are in centi-units; 100 is about one infantry.
// They were fitted to games and are frozen in testdata/scores.txt, because
// datasets of searching players depend on them.
//
// # Sources
//
// The rules are those of the TypeScript engine in github.com/mnoyd/cotulenh-monorepo
// at commit fd0a130, the published engine, in all but nine points. Tests cite its
// known traps by number (TR-1 to TR-44) and these rulings as H1 to H9:
//
//	H1  Air defense depends on the current board only. Attackers to promote are
//	    found with the zones before the promotions of the step; danger is tested
//	    with the zones after them.
//	H2  A member keeps the heroism that it has on the board, in sessions too.
//	H3  In a session a member may also join an earlier member where that one landed,
//	    at any distance, if the lead there does not change.
//	H4  A member that captured without moving is used up and stays on the origin. A
//	    member lost in a suicide is gone.
//	H5  Commit is legal if the remnant may stand on the origin and the own commander
//	    is safe.
//	H6  A deploy step is legal only if some continuation can commit. A side without
//	    its commander has no steps.
//	H7  The half-move clock is 0 after a turn in which any step captured.
//	H8  The game ends at the start of a turn: commander captured, no legal step,
//	    half-move clock at 100, third repetition, in this order.
//	H9  A session is written as the current board plus a seventh field.
package cotulenh
