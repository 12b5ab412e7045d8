package record

import (
	"iter"
	"slices"

	"selfplay/internal/goroutine"
)

// Bookkeeping is read in blocks: several shards at once, because a read of network storage takes
// long, and few enough to keep memory small.
const (
	blockShards  = 512
	blockReaders = 16
)

// ReadAhead yields what read returns for each of shards, in their order. It calls read for
// several shards at once, and for shards that follow the last one that it yields.
func ReadAhead[S, T any](shards []S, read func(s S) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for block := range slices.Chunk(shards, blockShards) {
			for _, r := range readBlock(block, read) {
				if !yield(r.value, r.err) {
					return
				}
			}
		}
	}
}

// blockResult is the result of one read.
type blockResult[T any] struct {
	value T
	err   error
}

// readBlock reads shards. A panic of read is the error of every shard.
func readBlock[S, T any](shards []S, read func(s S) (T, error)) []blockResult[T] {
	results := make([]blockResult[T], len(shards))
	g := goroutine.New()
	for first := range min(blockReaders, len(shards)) {
		g.Go(func() error {
			for i := first; i < len(shards); i += blockReaders {
				results[i].value, results[i].err = read(shards[i])
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		for i := range results {
			results[i].err = err
		}
	}
	return results
}
