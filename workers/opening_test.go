package workers

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
)

func TestBookOrderIsAPermutationOfTheSeed(t *testing.T) {
	order := bookOrder(100, 1)
	if slices.Equal(order, bookOrder(100, 2)) {
		t.Error("two seeds give the same order")
	}
	if !slices.Equal(order, bookOrder(100, 1)) {
		t.Error("the same seed gives two orders")
	}
	slices.Sort(order)
	for i, n := range order {
		if int(n) != i {
			t.Fatalf("position %d is missing", i)
		}
	}
}

func TestOpeningPliesAreRandomAndUniform(t *testing.T) {
	s := nimSeries(t, "random").playedBy(playFunc(takeOne))
	s.Opening = Opening{MinPlies: 2, MaxPlies: 5}
	count := map[uint16]int{}
	for _, r := range playRecords(t, s, 2, Games(0, 400)...) {
		count[r.OpeningPlies]++
		for ply, rank := range r.MoveRanks {
			if random := ply < int(r.OpeningPlies); random != (rank == engine.RankRandom) {
				t.Fatalf("game %d, opening of %d plies: ply %d has rank %d", r.Game, r.OpeningPlies, ply, rank)
			}
		}
	}
	for plies := range uint16(8) {
		if n := count[plies]; (n > 60) != (plies >= 2 && plies <= 5) {
			t.Errorf("%d of 400 games have an opening of %d plies", n, plies)
		}
	}
}

func TestGamesUseEveryBookPositionEquallyOften(t *testing.T) {
	s := nimSeries(t, "random")
	for i := range 7 {
		s.Opening.Book = append(s.Opening.Book, fmt.Sprint(1000+i))
	}
	count := map[string]int{}
	for _, r := range playRecords(t, s, 2, Games(0, 14)...) {
		count[r.Start]++
	}
	for _, text := range s.Opening.Book {
		if count[text] != 2 {
			t.Errorf("%d of 14 games start at %s, want 2", count[text], text)
		}
	}
}

// takeOne is a player that always takes one stone.
func takeOne(pos engine.Position, _ *rand.PCG, d *Decision) bool {
	*d = Decision{Move: 1, Rank: engine.RankBest}
	if pos.Outcome() != engine.Ongoing {
		return false
	}
	pos.Do(1)
	return true
}
