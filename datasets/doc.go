// Package datasets reads datasets of self-play games; this comment is the map of all packages that make
// them, read them, verify them and repair them. They know no game: the caller passes functions that play
// games and turn them into rows.
//
// # Directory
//
//	plan.json                      everything the bytes depend on; written first, after nets/
//	nets/HEX.safetensors           networks of players, if they have any
//	positions/train-00000.parquet  one row per decision, that is per ply
//	games/train-00000.parquet      one row per game, enough to replay it
//	README.md                      dataset card, for people
//	croissant.json                 MLCommons Croissant description, for programs
//	manifest.json                  totals, and the sums of all files
//	.selfplay/commits/00000.json   commit record of a shard
//	.selfplay/journal/             finished games of unfinished shards
//	.selfplay/target.json          number of games of the last run
//	.selfplay/runs/                heartbeats of the processes of an unfinished dataset
//	.selfplay/tmp/                 files that are being written, and leases
//	.selfplay/lock                 lock of the writer
//	.selfplay/failures.jsonl       games that panicked, if any
//
// The card, croissant.json and the manifest are derived files: they follow from the plan
// and the commit records and can be written again at any time.
//
// # Plans and shards
//
// A shard holds K games, where K is Plan.ShardGames. Shard s holds the games s*K to
// s*K+K-1 and is a function of the plan and s alone. Two datasets of one plan are
// therefore equal byte for byte, on any number of processors and after any number of
// kills.
//
// The number of games is not part of the plan. A larger target extends the dataset; a
// smaller one removes nothing. The last shard may be short; then the names of its data files
// hold its number of games. If a larger target makes it longer, the games are taken as they are, and
// the longer shard takes the place of the short one, so that an extended
// dataset equals one that was made in a single run.
//
// The filter of a plan drops rows, not games. A shard has all its games even if it has no
// row. Its commit record counts the dropped rows for each part of the filter. Other rows
// can be made of the same games: a Source passes the games of a finished dataset to making.Make,
// and the result equals the one that playing them again would give.
//
// # Invariants
//
//	I1  A file with its final name is complete.
//	I2  A shard counts if and only if its commit record exists and matches the plan and
//	    the files: sizes, SHA-256, row counts, row digests.
//	I3  Clock, host, worker count and map order affect no byte outside .selfplay/.
//	I4  No file is modified in place.
//
// Rows that count never vanish before their successor counts. All this holds after a kill or a power cut at any moment.
//
// # Life of a shard
//
//  1. Play delivers games. Each finished game goes to a journal at once, so that it is
//     never played again.
//  2. The rows of the games are written to two files of each split in .selfplay/tmp/.
//  3. The files are synced, closed, opened again and checked.
//  4. They are published under their final names, which must be free. An existing
//     file must be equal; otherwise the error is ErrNondeterminism.
//  5. The commit record is published in the same way. From here on the shard counts.
//  6. The journals of the shard are removed.
//
// A shard that gets more games has its record replaced at step 5, in one step, and its shorter
// files removed after it: package record describes the steps.
//
// A kill between 4 and 5 leaves files without a record. The next run makes the shard
// again and compares. If the plan is approximate, which means that playing again gives other games, it takes
// over the games in these files instead; so does a second task that makes the shard.
//
// # Processes
//
// One run holds the lock of a dataset exclusively, or several tasks share it, each for
// its own shards. Two tasks may make the same shard: the second one finds equal files.
// Writing derived files needs the exclusive lock. Readers need no
// lock. The lock ends with its process. See package disk.
//
// A dataset may lie in an object store: its root is a URL then, of a scheme that the program
// has registered with package disk. Locks do not reach other machines there, so every run works
// as a task does, and Repair refuses. Finalize and tasks that run at the same time notice each other by
// the target: see package making. See disk.Register.
//
// # Files of this package
//
//   - Datasets: open.go, refresh.go, info.go.
//   - Their columns, rows and games: part.go.
//   - Their games, to make other rows of them: source.go, play.go (functions that play games or make rows).
//   - Errors of all packages that make, read and check datasets: errors.go.
//
// # Packages below and above
//
// The parts of a dataset, lowest first:
//
//   - plan: what the dataset is to contain, and the names of its files.
//   - record: what it has: commit records, target, manifest.
//   - derived: card, croissant.json, and writing the manifest.
//   - datasets: readers.
//   - making: Make, Finalize, tasks, estimates.
//   - checking: Verify and Repair.
//
// Package colfile writes and reads the data files, in Parquet and Arrow, and computes row
// digests; gamerow has the rows of the games table. Package disk has locks, leases, and publishing of
// files. Package journal keeps finished games, heartbeat says which processes are alive. All of them
// return the errors of this package.
//
// These packages use datasets: rows (how games become rows), scan (reading with several
// goroutines), query (rows that match conditions), rowstream (rows for training), status (how far a run is), tablefile and movetext (rows and games in other formats), ingest (games of
// other programs), output (files and folders outside datasets), convert, sample, mix, shuffle and dedup (what they are
// named after).
// Packages stats and wdl compute statistics of records, and spill keeps data that exceeds
// memory; they know no dataset.
//
// # Formats
//
// Both tables are encode.Tables. A column on disk is an integer of 8 to 64 bits, a bool,
// an array of fixed length, a list or a string. No value is ever null. Arrays are
// fixed-size lists, which pandas, Polars, DuckDB and PyTorch read directly, or byte
// strings (Packed).
//
// A change to any byte of a data file for the same plan needs a higher WriterVersion;
// golden files guard this. Until 1.0.0 plan.Prerelease is raised in its place. The texts of
// the card and of croissant.json may change without a new version, because the manifest holds
// the sums of the texts that were written.
package datasets
