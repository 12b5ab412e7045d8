// Package checking finds damage in datasets and repairs it. Verify compares everything on disk with the
// plan, the commit records and the manifest, and at higher levels replays the games or plays them again.
// Repair takes damaged shards out of a dataset as a whole, so that a run can make them again.
//
//   - verify.go, verifier.go, report.go: levels, options and the report
//   - verify_whole.go, verify_records.go, verify_manifest.go, verify_documents.go, verify_folders.go: the dataset as a whole
//   - verify_shard.go, replay.go: files of a shard, and its rows
//   - verify_journals.go: games in journals, which are replayed
//   - verify_play.go, verify_games.go: games that are played again
//   - repair.go, repairer.go, repair_classify.go: what is damaged, what stays
//   - repair_steps.go, repair_derived.go: what is done about it
package checking
