package gameindex

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"selfplay/engine"
)

// Continuation counts the games that continue an opening with an action.
type Continuation struct {
	Action  uint16
	Games   int
	Results [resultCount]int // by engine.Result
}

// Continuations counts the next actions after the opening of the filter, the most frequent first
// and at most limit. There are none after OpeningPlies.
func (s *Selection) Continuations(ctx context.Context, limit int) ([]Continuation, error) {
	ply := len(s.filter.Opening)
	if ply == OpeningPlies {
		return nil, nil
	}
	counts, err := s.sum(ctx, resultCount*unknown, func(counts []uint32, i int) {
		sh := s.state.shards[i]
		for row, fails := range s.fails[i] {
			if action := sh.opening[ply][row]; fails == 0 && action != unknown {
				counts[resultCount*int(action)+int(sh.result[row])%resultCount]++
			}
		}
	})
	return mostFrequent(counts, limit), err
}

// resultCount is the number of results.
const resultCount = 4

// mostFrequent returns the actions with games, given the number of games of each action and result.
func mostFrequent(counts []int, limit int) (list []Continuation) {
	for action := range unknown {
		n := [resultCount]int(counts[resultCount*action:])
		if games := n[0] + n[1] + n[2] + n[3]; games > 0 {
			list = append(list, Continuation{uint16(action), games, n})
		}
	}
	slices.SortFunc(list, func(a, b Continuation) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Action, b.Action))
	})
	return list[:min(len(list), max(0, limit))]
}

// Opening returns the actions of moves from the start of the game.
func (ix *Index) Opening(moves []string) ([]uint16, error) {
	pos := ix.shape.Game.New(ix.shape.Variant)
	var actions []uint16
	for i, text := range moves {
		m, err := pos.ParseMove(text)
		if err != nil {
			return nil, fmt.Errorf("read opening: move %d: %w", i+1, err)
		}
		actions = append(actions, ix.shape.Game.Actions.Number(m))
		pos.Do(m)
	}
	return actions, nil
}

// OpeningTexts is the inverse of Opening.
func (ix *Index) OpeningTexts(actions []uint16) (moves []string, err error) {
	pos := ix.shape.Game.New(ix.shape.Variant)
	err = replay(&ix.shape.Game, pos, &engine.Record{Actions: actions}, func(_ int, m engine.Move) bool {
		moves = append(moves, pos.FormatMove(m))
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("read opening: %w", err)
	}
	return moves, nil
}
