package encodetest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"selfplay/encode"
	"selfplay/engine"
)

// repetitionsAreRecounted: in games that return to earlier positions, the column
// repetitions is the number of earlier positions with the same key, in every layout, and
// Game.Repetitions is the number with which the rules end a game.
func repetitionsAreRecounted(tr *trial) error {
	ended := false
	for seed := range uint64(repeatingGames) {
		rec, counts := tr.repeatingGame(rand.New(rand.NewPCG(6, seed)))
		if err := tr.compareRepetitions(rec, counts); err != nil {
			return fmt.Errorf("game %d: %w", seed, err)
		}
		repeated := rec.Outcome.Reason == engine.Repetition
		if last := counts[len(counts)-1]; repeated && last != tr.game.Repetitions {
			return fmt.Errorf("game %d ends by repetition after %d earlier occurrences, want %d", seed, last, tr.game.Repetitions)
		}
		ended = ended || repeated
	}
	if ended != (tr.game.Repetitions > 0) {
		return fmt.Errorf("field Repetitions is %d, but a game that ends by repetition: %t", tr.game.Repetitions, ended)
	}
	return nil
}

// Number and length of the games of repetitionsAreRecounted.
const (
	repeatingGames = 4
	repeatingPlies = 120
)

// repeatingGame plays a game that returns to earlier positions where it can. It returns
// the record, and for every position up to the last the number of earlier ones with its
// key.
func (tr *trial) repeatingGame(src *rand.Rand) (*engine.Record, []int) {
	p, layout := tr.game.New(""), tr.game.Identity()
	key := layout.Key()
	occurred, seen := map[string]int{}, map[uint64]bool{}
	rec := &engine.Record{Outcome: engine.Outcome{Reason: engine.PlyLimit}}
	var counts []int
	for {
		k := string(key(nil, layout.Encode(nil, p), p.Turn()))
		counts = append(counts, occurred[k])
		occurred[k]++
		seen[p.Hash()] = true
		if o := p.Outcome(); o != engine.Ongoing {
			rec.Outcome = o
			return rec, counts
		}
		if len(rec.Actions) == repeatingPlies {
			return rec, counts
		}
		m := returning(p, seen, src)
		rec.Actions = append(rec.Actions, tr.game.Actions.Number(m))
		rec.MoveRanks = append(rec.MoveRanks, engine.RankRandom)
		p.Do(m)
	}
}

// returning returns a legal move to a position that was seen, else a move after which the
// next one can lead to such a position, else any move.
func returning(p engine.Position, seen map[uint64]bool, src *rand.Rand) engine.Move {
	moves := p.Moves(nil)
	src.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	for depth := range 2 {
		for _, m := range moves {
			if leadsTo(p, m, seen, depth) {
				return m
			}
		}
	}
	return moves[0]
}

// leadsTo reports whether m and then as many further moves as depth says can lead to a
// position that was seen.
func leadsTo(p engine.Position, m engine.Move, seen map[uint64]bool, depth int) bool {
	p.Do(m)
	defer p.Undo()
	if depth == 0 {
		return seen[p.Hash()]
	}
	for _, next := range p.Moves(nil) {
		if leadsTo(p, next, seen, depth-1) {
			return true
		}
	}
	return false
}

// compareRepetitions compares the column with the counts, in every layout.
func (tr *trial) compareRepetitions(rec *engine.Record, counts []int) error {
	return tr.layouts(func(l *encode.Layout) error {
		t, err := tr.rows(encode.View{Layout: l, Extra: []string{"repetitions"}}, rec)
		if err != nil {
			return err
		}
		for ply := range rec.Actions {
			got := int(binary.LittleEndian.Uint16(t.Cell(len(t.Columns)-1, ply)))
			if got != counts[ply] {
				return fmt.Errorf("ply %d: %d repetitions, want %d", ply, got, counts[ply])
			}
		}
		return nil
	})
}
