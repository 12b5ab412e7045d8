package enginetest

import (
	"math/rand/v2"

	"selfplay/engine"
)

// Finished is an engine.Journal of finished games: nothing is kept before the end.
type Finished func(*engine.Record) error

func (Finished) Resume(*engine.Record) (*engine.Unfinished, error) { return nil, nil }
func (Finished) Keep(*engine.Record, *rand.PCG) error              { return nil }
func (f Finished) Finish(rec *engine.Record) error                 { return f(rec) }
