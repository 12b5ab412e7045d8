// Package gameindex answers questions about the games of one dataset: which games match a filter,
// in which order, how often each value occurs, and where a position or a material occurs. It
// serves people and programs that browse datasets of any size.
//
// # Index
//
// An [Index] keeps 24 bytes of each committed game in memory, column by column:
//
//	result, reason   uint8   as in the games table
//	plies            uint16  decisions of the game
//	drop, drop_ply   uint16  largest loss of expected result from a ply to the next; see below
//	players          uint32  number of the pair of players
//	opening          uint16  the first [OpeningPlies] actions, one column each
//
// Shard and row of a game follow from its place. [Index.Update] adds the shards that have been
// committed since, and removes those that a repair or a longer run has superseded. Each shard is
// added as a whole, and a query sees one state of the index from its beginning to its end.
//
// The index is saved in a file outside the dataset (file.go). It is a cache: a file that is
// damaged, of another plan, another model or another version counts as missing, and a shard whose
// games file has another SHA-256 is read again. Saving replaces the whole file, so any number of
// processes may use the same one.
//
// # Drops
//
// A drop is a loss of expected result, the chance of a win plus half of that of a draw, in
// 10,000ths, by the model of wins, draws and losses in the metadata of the dataset
// (encode.Deblunder.LargestDrop). It is unknown, -1, for games without scores and for datasets
// without a model.
//
// # Positions
//
// [Index.Find] looks for the games with a position or a material. It reads the column hash of the
// positions where the dataset has it, and replays games otherwise, shard by shard until a deadline
// or a limit. It then returns what it found and a cursor to continue from.
//
// # Goroutines
//
// All methods may be called by several goroutines. Calls of Update wait for each other. Queries
// use as many goroutines as there are processors.
//
//	index.go      Index: opened, its status, single games
//	update.go     Update and Close; build.go, table.go shards that are read; failure.go or not
//	shard.go      the columns of a shard
//	players.go    names of players and pairs of them
//	file.go       the index file: file_read.go, file_write.go, file_columns.go, section.go
//	game.go       Game: a row of the index
//	filter.go     Filter; match.go applies it to shards
//	select.go     Selection: the games that match
//	page.go       sorted pages of games; keys.go values to sort by and to count
//	histogram.go  how often each value of a column occurs
//	opening.go    opening lines and their continuations
//	target.go     positions to look for; material.go material
//	find.go       Find; search.go which groups are searched, worker.go how, found.go the result
//	cursor.go     where a search continues
package gameindex
