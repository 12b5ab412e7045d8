// Package positions lets another program play by the rules of a game: it holds n positions, plays one action in each of them at a
// time, and answers with arrays. python/src/selfplay/rules.py is the other side.
//
// Both sides send frames as those of models do (docs/evaluators.md): "SPE1", the kind and the length of the body as uint32, then
// the body. All numbers are little endian.
//
//	kind 1   hello, of this side, first: JSON, see hello
//	kind 16  begin, of the other side: uint32 n, uint32 flags, uint32 ply limit, the text of the first position ("": the start)
//	kind 17  step: uint16[n], the action of each position. Those of finished positions count for nothing
//	kind 18  observation, the answer to begin and step
//	kind 19  line: uint16[], the actions of one game from the first position
//	kind 20  the answer to a line: the texts of its moves, each with a new line
//	kind 21  search, by the player of the command line: see below
//	kind 22  progress of a search, once a second before its answer: uint32 positions searched, uint32 of how many
//	kind 23  results of a search
//	kind 24  look at one position: uint32 flags (2 actions as the side to move sees them, 32 with a drawing), uint32 length of a text,
//	         the text ("": the start), uint16[]: the actions that are played from there; or, with flag 16, the uint32 is the index
//	         of a position of the batch
//	kind 25  sight, the answer to a look: JSON, see sight
//	kind 26  round, in batches whose finished positions stay: uint64[n] seeds, uint16[n] actions, uint8[n] sides, uint8[n] what to
//	         do first: 0 play the action, 1 begin again, 2 nothing at all. Then the player of the command line plays until that side
//	         is to move, or the game has ended. The answer is an observation
//	kind 4   error, in place of an answer: int32 the position at fault, -1 for none, and a text. Nothing has changed
//
// An observation of n positions with m legal actions in all is
//
//	uint32       n, m, bytes of the planes of a position, 0
//	uint32[n+1]  where the actions of each position begin, and the end of the last ones
//	uint16[m]    the legal actions, ascending
//	uint8[n]     the side to move, plus 2 if the step ended a game
//	uint8[n]     the result (engine.Result) and
//	uint8[n]     the reason (engine.Reason) of the game that has ended, 0 for none
//	n * S        the planes of each position as the layout planes has them
//
// A search of n positions, which need not be those of a batch, is
//
//	uint32     n
//	uint32     flags: 2 actions are those that the side to move sees, 16 the positions are those of the batch with their history
//	uint64[n]  the seed of the random choices in each position
//	text       of each position, and moves that lead on from it, each after a tab, with a new line; or, with flag 16, uint32[n]: indexes in the batch, ascending
//
// Several goroutines search, and what they find in a position depends on its seed and on the player, not on the other positions.
// Results of n positions with m entries of policies in all are
//
//	uint32       n
//	uint32[n+1]  where the policy of each position begins, and the end of the last one
//	uint32[n]    nodes, 0 if the player does not search
//	uint16[n]    the action that the player plays
//	uint16[n]    the best action, which need not be played
//	int16[n]     the score of the best action, from the view of the side to move
//	uint8[n]     1 if the game is over or was cut off: everything else is 0
//	uint16[m]    actions of policies
//	uint16[m]    their weights
//	text         of the move that the player plays in each position, with a new line
//
// Several goroutines step a large batch, a part each. Memory is reused: a step allocates nothing.
package positions
