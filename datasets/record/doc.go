// Package record says what a dataset has: which shards are committed, and what is in their files.
//
// A Commit is the record of one shard. The shard counts if and only if its record exists and matches
// the plan and the files. The manifest repeats the records of all shards, with their totals, for readers
// without .selfplay/. Records and manifest are two witnesses: if they disagree, neither is changed.
// The target is the number of games of the last run.
//
// Whole records take about 1 KB a shard, and a dataset may have 100,000. So a Set keeps a Shard of each
// record, and a manifest is read and written one Entry at a time.
//
//   - Records: commit.go, part.go (what one split has of a shard), commit_text.go (the fast reader of their text), commit_store.go (on disk).
//   - Files of a shard: sums.go (SHA-256), check.go (files that were just written).
//   - All records: read_ahead.go, shard.go (what stays of each), record_set.go, census.go (while a dataset is made).
//   - Manifest: manifest.go, manifest_write.go, manifest_scan.go, manifest_stored.go.
//   - Both compared: evidence.go, bookkeeping.go (what is left without .selfplay/).
//   - Changes: folders.go, target.go, extend.go (shards that get more games), failure.go (games that panicked).
//   - Approximate models: answers.go (to fixed positions).
package record
