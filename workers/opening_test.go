package workers

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
)

func TestBookOrderTakesEachPositionOnce(t *testing.T) {
	order := bookOrder(100, 1)
	if slices.Equal(order, bookOrder(100, 2)) {
		t.Error("two seeds have one order")
	}
	if !slices.Equal(order, bookOrder(100, 1)) {
		t.Error("one seed has two orders")
	}
	slices.Sort(order)
	for i, n := range order {
		if int(n) != i {
			t.Fatalf("position %d is missing", i)
		}
	}
}

// opened plays games of a series and returns their records.
func opened(t *testing.T, s Series, games uint64) (list []engine.Record) {
	t.Helper()
	p := Start(s, 2)
	defer p.Close()
	err := p.Play(t.Context(), Games(0, games), nil, func(r *engine.Record) error {
		kept := *r
		kept.Actions, kept.MoveRanks = slices.Clone(r.Actions), slices.Clone(r.MoveRanks)
		list = append(list, kept)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestGamesBeginWithDrawnPlies(t *testing.T) {
	s := series(t, "random").playedBy(playFunc(takeOne))
	s.Opening = Opening{MinPlies: 2, MaxPlies: 5}
	count := map[uint16]int{}
	for _, r := range opened(t, s, 400) {
		count[r.OpeningPlies]++
		for ply, rank := range r.MoveRanks {
			if drawn := ply < int(r.OpeningPlies); drawn != (rank == engine.RankRandom) {
				t.Fatalf("game %d, opening of %d plies: ply %d has rank %d", r.Game, r.OpeningPlies, ply, rank)
			}
		}
	}
	for plies := range uint16(8) {
		if n := count[plies]; (n > 60) != (plies >= 2 && plies <= 5) {
			t.Errorf("%d of 400 games begin with %d plies", n, plies)
		}
	}
}

func TestGamesBeginInTheBook(t *testing.T) {
	s := series(t, "random")
	for i := range 7 {
		s.Opening.Book = append(s.Opening.Book, fmt.Sprint(1000+i))
	}
	count := map[string]int{}
	for _, r := range opened(t, s, 14) {
		count[r.Start]++
	}
	for _, text := range s.Opening.Book {
		if count[text] != 2 {
			t.Errorf("%d of 14 games begin at %s, want 2", count[text], text)
		}
	}
}

// takeOne takes one stone.
func takeOne(pos engine.Position, _ *rand.PCG, d *Decision) bool {
	*d = Decision{Move: 1, Rank: engine.RankBest}
	if pos.Outcome() != engine.Ongoing {
		return false
	}
	pos.Do(1)
	return true
}
