package checking

import (
	"context"
	"maps"
	"path"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
)

// isMissing reports whether a shard has not all games of the target, or had not when the records were read.
func (v *verifier) isMissing(s int) bool { return slices.Contains(v.report.Missing, s) }

// journals returns the journals of the shards that are not committed with all games, but for those to skip.
func (v *verifier) journals(skip func(shard int) bool) (list []gameSource, err error) {
	if !v.isRead(plan.CommitsFolder) { // a journal may be that of a committed shard
		return nil, nil
	}
	paths, err := journal.Paths(v.d)
	for _, name := range paths {
		if s, ok := journal.ShardOf(path.Base(name)); ok && !skip(s) && s < plan.MaxShards {
			first, most := v.h.Plan.GamesOf(s, ^uint64(0))
			list = append(list, gameSource{s, name, first, most})
		}
	}
	return list, err
}

// replayJournals replays the games in the journals of unfinished shards by the rules. Nothing is searched.
func (v *verifier) replayJournals(ctx context.Context) error {
	if v.Level < VerifyDeep {
		return nil
	}
	committed := map[int]bool{}
	for _, name := range v.list(plan.CommitsFolder) {
		if s, ok := plan.ShardOfRecord(name); ok {
			committed[s] = true
		}
	}
	sources, err := v.journals(func(s int) bool { return committed[s] && !v.isMissing(s) })
	for _, s := range sources {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := v.replayJournal(s); err != nil {
			v.problem(ProblemGames, s.shard, s.journal, err)
		}
	}
	return err
}

// replayJournal replays the games of a journal.
func (v *verifier) replayJournal(s gameSource) (err error) {
	defer fault.RecoverCorrupt(&err)
	games, err := journal.ReadFile(v.d, s.journal, v.h.Hash, s.shard, s.first, s.first+s.games)
	if err != nil {
		return err
	}
	rows, t, dropped := v.Rows(), encode.NewTable(v.h.Description.Columns), make([]uint64, len(v.h.Plan.Filter))
	for _, game := range slices.Sorted(maps.Keys(games.Finished)) {
		if err := replayRecord(rows, games.Finished[game], t, dropped); err != nil {
			return err
		}
	}
	for _, game := range slices.Sorted(maps.Keys(games.UnderWay)) {
		if err := replayRecord(rows, asFarAsSearched(&games.UnderWay[game].Record), t, dropped); err != nil {
			return err
		}
	}
	return nil
}

func replayRecord(rows datasets.RowFunc, r *engine.Record, t *encode.Table, dropped []uint64) error {
	t.Reset()
	if err := rows(r, t, dropped); err != nil {
		return fault.Corrupt("game %d: %w", r.Game, err)
	}
	return nil
}

// asFarAsSearched returns the part of a game under way that was searched, as a game that was cut off there: a
// game that is rescored has all its moves from the start.
func asFarAsSearched(r *engine.Record) *engine.Record {
	cut := *r
	n := len(r.Nodes)
	cut.Actions, cut.MoveRanks = r.Actions[:n], r.MoveRanks[:n]
	if len(r.OldNodes) > 0 {
		cut.OldBest, cut.OldScores, cut.OldNodes = r.OldBest[:n], r.OldScores[:n], r.OldNodes[:n]
	}
	cut.Outcome = engine.Outcome{Result: engine.NoResult, Reason: engine.PlyLimit}
	return &cut
}
