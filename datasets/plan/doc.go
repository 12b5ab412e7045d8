// Package plan describes what a dataset is to contain: the plan with its hash, the meaning of its
// numbers, and the names of its shards and files. A plan is everything that the bytes of a dataset
// depend on, except the number of games. It is stored in plan.json, which is written first and never
// changes. The package plays no game and knows no rules.
//
// Games are numbered from 0. Shard s has the games s*K to s*K+K-1, where K is Plan.ShardGames; the last
// shard may be short. A game belongs to one split, so a shard has one part or two: its games of each split.
//
// The JSON of plan.json is canonical: hashes are SHA-256 of it. A field keeps its name and its place. A
// new field is omitted while it is empty, so that hashes of other plans stay. FormatVersion counts
// the changes that other programs cannot read.
//
// Each file uses only files above it in this list.
//
//   - names.go: names of files, tables and splits
//   - description.go: columns, results and other numbers of a game
//   - networks.go: networks that playing the games takes
//   - evaluators.go: models of users that playing the games takes
//   - split.go: which games belong to which split
//   - plan.go: the plan, its defaults and its hash
//   - diff.go: the settings in which two plans differ
//   - shards.go: the games, parts and files of a shard
//   - derivation.go: plans of games that were imported or searched again
//   - file.go: the content of plan.json
//   - json.go: its text
//   - metadata.go: columns and metadata of a data file
package plan
