// Package making makes datasets: Make plays the games of the missing shards, or takes them from a Source,
// and commits one shard after the other, several at once. It knows no game: the caller passes functions
// that play games and turn them into rows. Package datasets describes the life of a shard.
//
//   - One call of Make: make.go, options.go, run.go, run_open.go, run_networks.go, run_heartbeat.go,
//     nested.go, listing.go, task.go, space.go.
//   - Its shards: run_shards.go, run_demand.go, shard.go (one shard), shard_games.go, datafile.go,
//     approximate.go (games that come out differently each time).
//   - Its end: finalize.go, target_store.go.
package making
