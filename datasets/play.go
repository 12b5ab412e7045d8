package datasets

import (
	"context"
	"selfplay/encode"
	"selfplay/engine"
)

// Play plays the given games, which are in ascending order.
//
// It passes each game to journal as soon as the game ends, in any order, and to sink in
// game order. Both calls come from the goroutine that called Play. journal may be nil; if it
// is not, Play may also let games go on from it and keep games under way in it, from any goroutine.
// The record belongs to the callee until it returns; Play may reuse it afterwards.
//
// Make calls Play once per shard, from up to Options.OpenShards goroutines at once, so Play
// must be safe for concurrent use. It returns the first error of journal or sink, or the
// error of ctx. An error that is ErrIncomplete means that Play was asked to stop: Make
// then begins no further shard, and open shards end when their own Play returns.
type Play func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error

// RowFunc appends the rows of a record to a table of Description.Columns. It adds the
// number of dropped rows to dropped, which has one element for each part of Plan.Filter.
//
// The rows must be a function of the record alone. A RowFunc may keep buffers between
// calls: each one is used by a single goroutine. It must not keep rec, t or dropped.
type RowFunc func(rec *engine.Record, t *encode.Table, dropped []uint64) error
