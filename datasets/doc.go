// Package datasets turns games into files: it owns the plan of a dataset, its
// shards, the commit protocol, the two file formats, and reading it all back. It
// knows no game; what plays and what makes rows of a record is handed to Make.
//
// # What a dataset is
//
//	plan.json                      everything the bytes depend on, written first
//	positions/train-00000.parquet  one row a decision
//	games/train-00000.parquet      one row a game, enough to replay it
//	README.md croissant.json       card for people and for programs, and totals,
//	manifest.json                  derived from the records
//	.selfplay/commits/00000.json   the record of a shard
//	.selfplay/journal/             finished games of unfinished shards
//	.selfplay/target.json          how many games were asked for
//	.selfplay/retired/ tmp/ lock   shards being replaced, files being written
//	.selfplay/failures.jsonl       games that panicked, if any did
//
// Shard s holds games s*K to s*K+K-1 of the plan's K games a shard and is a
// function of the plan and s alone; so every dataset of a plan is equal to every
// other, byte for byte, however many processors made it and however often it was
// killed. Number of games is not in the plan: a larger target continues the set.
// The last shard may be short; when a larger target makes it full it is made
// again as a whole (retire.go), so that an extended dataset is the one that is
// made in one go. A smaller target never takes anything away.
//
// Games are whole; a filter of the plan may leave out rows of them. It works where
// rows are made of games, so a shard has all its games even if it has no row, and
// its record counts what was left out, by the parts of the filter. Rows of another
// plan can be made of the same games (source.go): a Source hands them to Make in
// place of a player, and gives the bytes that playing them would give.
//
// # Invariants
//
//	I1  A file with its final name is complete.
//	I2  A shard counts if and only if its commit record exists and matches: sizes,
//	    SHA-256, rows, row digests, plan.
//	I3  No clock, host, worker or map order is in any byte outside .selfplay/.
//	I4  Nothing is modified in place.
//
// They hold after a kill or a power cut at any moment. A shard is written in tmp/,
// closed, synced, opened again and checked, published under its name if that is
// free, and only then recorded, the same way. A file without a record is left of
// such a kill: the shard is made again and must come out the same
// (ErrNondeterminism if not). Its games are not played again: each was written to
// a journal as it was finished, and the journals go when the shard is committed.
//
// One process writes, under a lock that dies with it, or several Tasks share the
// lock, each for its own shards; readers need none. Tasks may even make the same
// shard: a file is published only where there is none, and an equal one will do.
// What concerns the whole is for who has the lock alone: retiring, manifest, card.
//
// # Files
//
// Plan, description and names: plan.go, description.go, planfile.go, names.go,
// metadata.go. Making: make.go, run.go (one call of Make), task.go (a part of it),
// shard.go (one shard), datafile.go (one file), check.go (read again before it
// counts). Bookkeeping:
// commit.go, dropped.go (rows left out), target.go, retire.go, lock.go, claim.go
// (whose temporaries are whose), journal.go, journal_record.go, space.go (of the disk),
// failure.go, storage.go (every operation on files). Before anything: trial.go (what
// it would take). Derived: finalize.go, manifest.go, card.go, card_info.go, croissant.go. Reading:
// open.go, pick.go (some rows), source.go (games for another dataset), verify.go, verify_whole.go,
// verify_shard.go, repair.go, replay.go, games.go (records as rows). Formats: table.go (what
// they share), parquet_*.go, arrow_*.go, zstd.go, digest.go. Outside of datasets:
// rowfile.go (rows in single files), draft.go (how such a file gets its name).
//
// # Formats
//
// Both tables are encode.Tables, and so are the columns on disk: an integer of 8
// to 64 bits, a bool, an array of fixed length, a list, a string; nothing is
// ever null. Arrays are fixed-size lists that pandas, Polars, DuckDB and PyTorch
// read as such, or bytes (Packed). See parquet_leaf.go for pages, digest.go for
// the digest that is the same in every format.
//
// A change of any byte of a data file for the same plan raises WriterVersion; golden
// files hold them in place. What earlier versions wrote is read for ever. Card and
// croissant.json may be worded better without: the manifest has the sums of those that
// are there.
package datasets
