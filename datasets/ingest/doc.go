// Package ingest reads games of other programs from files and archives, so that they can
// become a dataset. It reads every input once, with several goroutines, and keeps the games
// in a temporary file: package datasets then asks for them shard by shard, as it asks a pool
// of players.
//
// A game is taken whole or not at all. Games that the rules do not allow, or whose text is
// broken, are counted and named; those without moves are counted. Notes count what records do not have. An input that cannot be read to its end is an error: then
// nothing is taken.
//
// The games depend on the bytes of the inputs and on their order alone. A plan names the
// SHA-256 of every input; see Input.Setting.
//
//	ingest.go  Read: the games of all inputs
//	input.go   Input: a file with its SHA-256
//	unpack.go  compressed files and archives
//	batch.go   texts become records, with several goroutines
//	games.go   Games: what was read, as a source for making.Make
//	forms.go   formats of games
package ingest
