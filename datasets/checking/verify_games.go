package checking

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
)

// storedGames are the games of one source that are in the sample.
type storedGames struct {
	path     string
	games    []uint64                                  // in ascending order
	record   func(game uint64) (*engine.Record, error) // called in this order; valid until the next call
	extended func() bool                               // a run has replaced the file meanwhile
	close    func()
}

// storedGames opens a source. The result has a path also if there is an error.
func (v *verifier) storedGames(s gameSource) (storedGames, error) {
	if s.journal != "" {
		return v.journaledGames(s)
	}
	c, err := record.Read(v.d, v.h, s.shard)
	if err != nil {
		return storedGames{path: plan.CommitName(s.shard)}, err
	}
	next, stop := iter.Pull2(datasets.New(v.d, v.h).Games(c.Parts()...))
	return storedGames{
		path:     c.Files[plan.GamesFile].Name,
		games:    slices.DeleteFunc(plan.Numbers(c.FirstGame, c.Games), v.isLeftOut),
		record:   func(game uint64) (*engine.Record, error) { return skipTo(next, game) },
		extended: func() bool { return v.extended(c) },
		close:    stop,
	}, nil
}

// journaledGames returns the finished games of a journal.
func (v *verifier) journaledGames(s gameSource) (storedGames, error) {
	stored, err := journal.ReadFile(v.d, s.journal, v.h.Hash, s.shard, s.first, s.first+s.games)
	if errors.Is(err, fault.ErrNondeterminism) {
		err = fault.Corrupt("%w", err)
	}
	return storedGames{
		path:     s.journal,
		games:    slices.DeleteFunc(slices.Sorted(maps.Keys(stored.Finished)), v.isLeftOut),
		record:   func(game uint64) (*engine.Record, error) { return stored.Finished[game], nil },
		extended: func() bool { return false }, // the games were read before they were played
		close:    func() {},
	}, err
}

// isLeftOut reports whether a game is not in the sample.
func (v *verifier) isLeftOut(game uint64) bool { return !inSample(game, v.Sample) }

// skipTo returns the record of a game, which follows after others.
func skipTo(next func() (*engine.Record, error, bool), game uint64) (*engine.Record, error) {
	for {
		r, err, ok := next()
		switch {
		case err != nil:
			return nil, err
		case !ok || r.Game > game:
			return nil, fault.Corrupt("game %d is missing", game)
		case r.Game == game:
			return r, nil
		}
	}
}

// compare compares a game that was played again with the stored one. A difference is
// ErrCorrupt.
func (s *storedGames) compare(played *engine.Record) error {
	stored, err := s.record(played.Game)
	if err != nil {
		return err
	}
	a, b := encode.NewTable(gamerow.Columns()), encode.NewTable(gamerow.Columns())
	gamerow.Append(a, stored)
	gamerow.Append(b, played)
	for col, c := range a.Columns {
		if x, y := a.Cell(col, 0), b.Cell(col, 0); !bytes.Equal(x, y) {
			return fault.Corrupt("game %d: playing it again gives another %s%s", played.Game, c.Name, firstDifference(c, x, y))
		}
	}
	return nil
}

// firstDifference says where two different cells of a list differ first.
func firstDifference(c encode.Column, x, y []byte) string {
	if c.Len != encode.Var || c.Kind == encode.String {
		return ""
	}
	i := 0
	for i < min(len(x), len(y)) && x[i] == y[i] {
		i++
	}
	return fmt.Sprintf(", first at index %d", i/c.Kind.Size())
}

// gameSource is a file that holds finished games.
type gameSource struct {
	shard   int
	journal string // path of a journal; empty for a committed shard
	first   uint64 // number of the first game that may be in it
	games   uint64 // number of games that may be in it
}
