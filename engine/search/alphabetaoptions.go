package search

import (
	"errors"
	"fmt"
)

// AlphaBetaOptions limit and configure AlphaBeta. Depth or Nodes must be above 0.
type AlphaBetaOptions struct {
	Depth   int    // turns to search before quiescence, at most MaxDepth; 0 means no limit but Nodes
	Nodes   uint64 // node limit: the iteration that reaches it is completed; 0 means no limit but Depth
	Hash    int    // size of the transposition table in MiB, at most MaxHash; 0 means no table. 1 MiB fits the cache and suffices for 50,000 nodes
	Multi   int    // number of best moves with exact scores (multi-PV); 0 means 1
	Shuffle bool   // shuffle the root moves first, so that src decides between equal scores
	// Exact turns off the features that change scores. Scores in a table depend on the path, so an exact
	// search has none. Nodes is a hard limit: an iteration that reaches it is discarded.
	Exact bool
	// Keep uses what earlier searches of a game left in the table: see NewGame.
	Keep   bool
	Hard   uint64  // node limit inside an iteration, not of an exact search; 0 means none. A search that has no exact move yet goes on until Abort
	Scorer Scorer  // source of static scores, of this searcher alone; nil means Evaluate
	Abort  Abort   // ends the search early
	Off    Feature // features to disable, for tests and measurements
}

// Limits of the options.
const (
	MaxDepth = 64
	MaxHash  = 1 << 16
)

// Feature is a set of AlphaBeta techniques.
type Feature uint32

// The features that Off can disable. These save time and do not change scores.
const (
	Aspiration   Feature = 1 << iota // aspiration windows around the previous iteration's score
	Gains                            // ordering captures by Gain
	Killers                          // killer moves
	History                          // history heuristic
	Continuation                     // quiet moves are ordered by the move before, and by placement
)

// These change scores.
const (
	ReverseFutility    Feature = 1 << (iota + 8) // a static score far above beta ends a node
	Razoring                                     // a static score far below alpha leaves quiescence
	NullMove                                     // a node that fails high although the side passes
	Futility                                     // quiet moves are skipped far below alpha
	LateMovePruning                              // the last quiet moves are skipped
	GainPruning                                  // losing moves are skipped
	LateMoveReductions                           // later moves are searched to a smaller depth first
	InternalReduction                            // nodes without a table move are searched to a smaller depth
	CheckExtension                               // nodes in check are searched one turn deeper
	Delta                                        // captures far below alpha are skipped in quiescence
	CanonicalOrder                               // steps of a turn are played in one order only
	HangingPruning                               // quiet moves to attacked squares are skipped
	TableScores                                  // a score of the table replaces a static score that it bounds
	Recurrence                                   // an earlier position of the game or the path counts as a draw
	Stability                                    // Nodes is less while the best move stays, and more when it changes
	endOfFeatures

	changingScores = endOfFeatures - ReverseFutility
)

// tableEntries returns the size of the transposition table in entries. A small search
// fills a small part of a table, and a small table stays in the cache of the processor.
func (o AlphaBetaOptions) tableEntries() uint64 {
	const perNode, least = 4, 1 << 10
	entries := uint64(o.Hash) << 20 / entrySize
	if o.Nodes > 0 && !o.Keep {
		entries = min(entries, max(perNode*o.Nodes, least))
	}
	return entries
}

// TableBytes returns the size of the transposition table of each search.
func (o AlphaBetaOptions) TableBytes() uint64 { return wholeTable(o.tableEntries()) * entrySize }

// Validate returns an error for the first option out of range.
func (o AlphaBetaOptions) Validate() error {
	switch {
	case o.Depth < 0 || o.Depth > MaxDepth:
		return fmt.Errorf("set depth %d: want 0 to %d", o.Depth, MaxDepth)
	case o.Depth == 0 && o.Nodes == 0:
		return errors.New("set depth and nodes: want at least one of them above 0")
	case o.Hash < 0 || o.Hash > MaxHash:
		return fmt.Errorf("set hash %d: want 0 to %d MiB", o.Hash, MaxHash)
	case o.Hash > 0 && o.Exact:
		return fmt.Errorf("set hash %d: scores in a table depend on the path: want 0 for an exact search", o.Hash)
	case o.Hard > 0 && o.Exact:
		return fmt.Errorf("set hard %d: the node limit of an exact search is hard already: want 0", o.Hard)
	case o.Hard > 0 && o.Hard < o.Nodes:
		return fmt.Errorf("set hard %d: want at least nodes, %d", o.Hard, o.Nodes)
	case o.Keep && o.Hash == 0:
		return errors.New("set keep: only a search with a table keeps it")
	case o.Multi < 0:
		return fmt.Errorf("set multi %d: want 0 or more", o.Multi)
	}
	return nil
}
