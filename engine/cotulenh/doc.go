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
// rays). The occupied ones come from the occupancy bits by a few shifts and multiplications,
// and what a mover can reach from a table and a few operations on words.
//
// Besides the cells, a position keeps each side's list of squares, occupancy bits,
// air defense, the squares of the commanders, and whether each commander is
// attacked. Do updates all of them and logs each changed cell; Undo replays the log
// backwards, which restores even the order of the lists.
//
// # Units
//
// The half-move clock counts turns since the last capture, the full-move number
// counts from 1 after blue's turns; both stop at 65535. Ranges and air-defense
// levels are in squares. Scores are in hundredths of an infantry. They were fitted
// to games and are frozen in testdata/scores.txt, because datasets of searching
// players depend on them.
//
// # Files
//
//	game.go         names and sizes
//	square.go       squares and directions
//	terrain.go      water, mixed and land; what blocks a ray
//	piece.go        piece types, kinds, ranges
//	stack.go        stack codes and their members
//	composition.go  the allowed stacks and the tables indexed by code
//	target.go       the targets of each kind on an empty board
//	attackrange.go  square sets; the squares that an attack can come from
//	rays.go         the squares around a square as one word
//	zone.go         air defense and flights through it
//	coverage.go     the squares that air defense covers, as a set
//	position.go     the state of a game
//	cells.go        changes of cells and of all that is derived from them
//	forget.go       when the attack on a commander has to be found anew
//	undo.go         the log of changes, replayed backwards
//	hash.go         Zobrist keys
//	attack.go       attackers of a square, attacks on the commanders
//	exposure.go     commanders that face each other on an open line
//	move.go         the bits of a step and its text
//	pack.go         a step as numbers, for actions
//	do.go           Do and Undo, effects of a step, end of a turn
//	promote.go      promotions to heroic
//	session.go      the session: state, commit, continuation
//	deploy.go       deploy steps: generation and effect
//	canonical.go    one order of steps that can be played in any order
//	generate.go     pseudo-legal steps of one stack
//	scope.go        what a mover can reach, by what stops it
//	generators.go   steps to the squares of a scope; steps of the commander
//	effect.go       what a mover does on a single target
//	legal.go        legal steps
//	count.go        their number
//	threats.go      which steps are legal without a test by playing
//	evasion.go      steps under attack, steps of the commander
//	verify.go       whether one given step is legal
//	captures.go     legal captures
//	random.go       one uniform legal step without the list
//	candidate.go    the numbering that random steps are drawn from
//	outcome.go      ends of the game
//	evaluate.go     the static score
//	weights.go      its weights and tables
//	tally.go        its sums, kept incrementally
//	features.go     the features of networks
//	exchange.go     the gain of a capture
//	notation.go     writing a position text
//	setup.go        setting a position up
//	read.go         reading a position text
//	placement.go    reading its ranks
//	readsession.go  reading its session
//	parts.go        a position as numbers, for datasets
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
