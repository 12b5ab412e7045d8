// Package gameindex answers questions about the games of one dataset: which games match a filter,
// in which order, how often each value occurs, and where a position or a material occurs. It
// serves people and programs that browse datasets of any size.
//
// # Index
//
// An [Index] keeps 28 bytes of each committed game in memory, column by column:
//
//	result, reason   uint8   as in the games table
//	plies            uint16  decisions of the game
//	drop, drop_ply   uint16  largest loss of expected result from a ply to the next; see below
//	lead_first, lead_second
//	                 uint16  largest lead in material of the side that moves first, and of the other
//	players          uint32  number of the pair of players
//	opening          uint16  the first [OpeningPlies] actions, one column each
//
// Shard and row of a game follow from its place. One table says what a column is: by which name
// people and programs know it, how it is sorted, counted and stored (column.go). [Index.Update]
// adds the shards that have been committed since, and replaces those that a repair or a longer run
// has made anew. Each shard is added as a whole, and a query sees one state of the index from its
// beginning to its end.
//
// The index is saved in a file outside the dataset: an Arrow file in which a row is a shard, and a
// sum of its bytes (file.go). It is a cache: a file that is damaged, of another plan, another model
// or another version counts as missing, and a shard whose games file has another SHA-256 is read
// again. Saving replaces the whole file, so any number of processes may use the same one.
//
// # Drops
//
// A drop is a loss of expected result, the chance of a win plus half of that of a draw, from a ply to
// the next or from the last one to the result, in 10,000ths, by the model of wins, draws and losses in the metadata of the dataset
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
//	shard.go      Game; the columns of a shard, the state that queries see, and its pairs of players
//	column.go     Column; what each column is
//	update.go     Update and Close; build.go shards that are read, failure.go or not
//	file.go       the index file, written; file_read.go read
//	filter.go     Filter, and which games of a shard match
//	select.go     Selection: the games that match; work that goroutines divide
//	page.go       sorted pages of games; keys.go values to sort by and to count
//	histogram.go  how often each value of a column occurs
//	opening.go    opening lines and their continuations
//	target.go     Target: positions and materials to look for
//	find.go       Find, its result, and where it continues
//	search.go     which shards and groups are searched; worker.go how
package gameindex
