package journal

import (
	"maps"
	"os"
	"slices"
	"testing"

	"selfplay/internal/must"
)

// countIn returns the sorted numbers of the games of shard 7.
func countIn(t *testing.T, c *Counter) []uint64 {
	t.Helper()
	shards := must.Get(c.Games())(t)
	return slices.Sorted(maps.Keys(shards[7]))
}

// TestCounterFollowsAGrowingJournal appends a journal byte by byte: a counter that counts
// after each byte agrees with Read.
func TestCounterFollowsAGrowingJournal(t *testing.T) {
	d := newDir(t)
	writeJournal(t, d, fullRecords(70, 72)...)
	name := d.Path(writeJournal(t, d, fullRecords(71, 72, 73)...))
	whole := must.Get(os.ReadFile(name))(t)
	c := NewCounter(d, "plan")
	for n := range len(whole) + 1 {
		must.Do(t, os.WriteFile(name, whole[:n], 0o644))
		if got, want := countIn(t, c), gamesIn(t, d); !slices.Equal(got, want) {
			t.Fatalf("%d of %d bytes: games %v, want %v", n, len(whole), got, want)
		}
	}
	if got := countIn(t, c); len(got) != 4 {
		t.Errorf("games %v, want four", got)
	}
	must.Do(t, os.Remove(name))
	if got, want := countIn(t, c), []uint64{70, 72}; !slices.Equal(got, want) {
		t.Errorf("after one journal is removed: games %v, want %v", got, want)
	}
}

func TestCounterIgnoresOtherPlansAndDamage(t *testing.T) {
	d := newDir(t)
	name := d.Path(writeJournal(t, d, fullRecords(70, 71, 72)...))
	if got := countIn(t, NewCounter(d, "another plan")); len(got) > 0 {
		t.Errorf("another plan has the games %v", got)
	}
	whole := must.Get(os.ReadFile(name))(t)
	for i := range whole {
		whole[i] ^= 0x40
		must.Do(t, os.WriteFile(name, whole, 0o644))
		if got, want := countIn(t, NewCounter(d, "plan")), gamesIn(t, d); !slices.Equal(got, want) {
			t.Fatalf("byte %d of %d flipped: games %v, want %v", i, len(whole), got, want)
		}
		whole[i] ^= 0x40
	}
}
