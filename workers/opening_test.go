package workers

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
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

// TestStartsAreDrawnByTheGame: games of Chess960 begin at starts that their random source draws, the
// games of a pair at the same one, and any number of workers plays the same games.
func TestStartsAreDrawnByTheGame(t *testing.T) {
	play := func(start string, size int, games uint64) (texts []string) {
		s := seriesOf(t, encode.Chess(), "random")
		s.Variant, s.MaxPlies, s.Pairs, s.Opening = "chess960", 2, true, Opening{Start: start, MaxPlies: 1}
		must.Do(t, s.Validate())
		for _, r := range playRecords(t, s, size, Games(0, games)...) {
			texts = append(texts, r.Start)
		}
		return texts
	}
	random := play("random", 1, 40)
	if !slices.Equal(random, play("random", 2, 40)) {
		t.Error("two workers draw other starts than one")
	}
	different := map[string]bool{}
	for i, text := range random {
		different[text] = true
		if text != random[i&^1] {
			t.Errorf("games of a pair begin at %s and %s", random[i&^1], text)
		}
		if rank := text[:8]; !strings.HasSuffix(text, "/"+strings.ToUpper(rank)+" w KQkq - 0 1") {
			t.Errorf("the sides begin differently: %s", text)
		}
	}
	if len(different) < 18 {
		t.Errorf("%d starts of 20 pairs", len(different))
	}
	same := 0
	for _, text := range play("double", 1, 40) {
		if strings.HasSuffix(text, "/"+strings.ToUpper(text[:8])+" w KQkq - 0 1") {
			same++
		}
	}
	if same > 2 {
		t.Errorf("%d of 40 games of double begin alike", same)
	}
	for _, text := range play("959", 1, 4) {
		if text != "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1" {
			t.Errorf("number 959 is %s", text)
		}
	}
}

// TestStartsAreChecked: ways that no variant has, and a start beside a book.
func TestStartsAreChecked(t *testing.T) {
	for _, c := range []struct{ variant, start, book, want string }{
		{"chess960", "double", "", ""},
		{"chess960", "960", "", "random, double or a number from 0 to 959"},
		{"chess960", "07", "", "random, double or a number from 0 to 959"},
		{"chess960", "other", "", "random, double or a number from 0 to 959"},
		{"chess960", "random", "8/8/8/8/8/8/8/8 w - - 0 1", "positions of the book"},
		{"", "random", "", "all games of chess begin at the same position"},
	} {
		s := Series{Game: encode.Chess(), Variant: c.variant, Opening: Opening{Start: c.start}}
		if c.book != "" {
			s.Opening.Book = []string{c.book}
		}
		err := s.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
		restored := s
		if again := restored.Restore(s.Settings(), s.Opening.Book); (again == nil) != (err == nil) || err == nil && restored.Opening.Start != c.start {
			t.Errorf("%+v: restored as %q, %v", c, restored.Opening.Start, again)
		}
	}
}
