// Package journal keeps the finished games of an open shard, so that a run that was
// killed repeats only the games it had under way.
//
// Each process that works on a shard appends to a journal of its own, in the order in
// which the games finish. A later run of the shard reads all of them ([Read]). The
// journals of a committed shard are removed ([Drop], [Sweep]).
//
// # Format
//
// A journal is .selfplay/journal/<shard>.<id>.log, with a shard of at least five decimal
// digits and a random id of 16 hexadecimal digits:
//
//	header  "selfplay journal 1 <plan hash> <shard>\n"
//	frames  one per game: length uint32 | CRC-32C of header and record uint32 | record
//
// The checksum covers the header, so a frame is valid only under the plan, which includes
// the seed, and the shard that it was written for. The record has the number of its game.
//
// In a record numbers are uvarints. Texts and lists begin with their length, a uvarint,
// and the elements of a list have the width of their type. Fixed-width numbers are little
// endian.
//
//	game, start, first player, second player, opening plies, result, reason,
//	actions, move ranks, best, scores, nodes, policy sizes, policy actions, policy weights
//
// A record of a game that keeps the findings of an earlier search ends with three more lists:
// old best, old scores, old nodes.
//
// A reader ignores a journal with another header, and everything from the first frame on
// that is incomplete or fails its checksum: a process may have been killed in the middle
// of a frame, or a power cut may have lost data that was never synced.
//
// # Durability
//
// A frame survives a kill of the process as soon as [Writer.Add] returns. It survives a
// power cut after the next sync, at most one sync interval and one game later.
package journal
