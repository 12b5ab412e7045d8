// Package journal keeps the games of an open shard, so that a run that was killed repeats
// only the searches, or the fast games, it had under way.
//
// Each process that works on a shard appends to a journal of its own: games in the order in
// which they finish, and before that the decisions of games whose players think long. Of a game
// under way the journal with the most decisions counts. A later run of the shard reads all of them ([Read]). The
// journals of a committed shard are removed ([Drop], [Sweep]).
//
// # Format
//
// A journal is .selfplay/journal/<shard>.<id>.log, with a shard of at least five decimal
// digits and a random id of 16 hexadecimal digits:
//
//	header  "selfplay journal 1 <plan hash> <shard>\n"
//	frames  length uint32 | CRC-32C of header and body uint32 | body
//	body    0 | record: a finished game
//	        1 | n | random source, 20 bytes | record: decisions of a game under way
//
// The checksum covers the header, so a frame is valid only under the plan, which includes
// the seed, and the shard that it was written for. The record has the number of its game.
// That of decisions continues the lists of the frames before in this journal, which have n
// decisions; the first one, with n = 0, has the opening too. The random source is that of
// the game after its last ply, as math/rand/v2 encodes a PCG.
//
// In a record numbers are uvarints. Texts and lists begin with their length, a uvarint,
// and the elements of a list have the width of their type. Fixed-width numbers are little
// endian.
//
//	game, start, first player, second player, opening plies, result, reason,
//	actions, move ranks, best, scores, nodes, policy sizes, policy actions, policy weights,
//	old best, old scores, old nodes, tags
//
// Tags are texts, as many as the rest of the record has.
//
// A reader ignores a journal with another header, and everything from the first frame on
// that is incomplete or fails its checksum: a process may have been killed in the middle
// of a frame, or a power cut may have lost data that was never synced.
//
// # Durability
//
// A frame survives a kill of the process as soon as [Writer.Add] or [Writer.AddDecisions] returns. It survives a
// power cut after the next sync, at most one sync interval and one game later.
package journal
