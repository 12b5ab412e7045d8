package journal

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/engine"
	"selfplay/internal/must"
)

// fullRecord returns a record with a value in every field.
func fullRecord(game uint64) *engine.Record {
	return &engine.Record{
		Game: game, Start: "some text", Actions: []uint16{1, 65535, 3}, Best: []uint16{1, 2, 3}, MoveRanks: []uint8{0, 255, 1},
		Scores: []int16{-32768, 0, 32767}, Nodes: []uint32{0, 1 << 31, 7}, PolicySize: []uint16{2, 0, 1},
		PolicyAction: []uint16{1, 2, 3}, PolicyWeight: []uint16{9, 8, 7}, OpeningPlies: 4, Players: [2]string{"random", "ab:depth=2"},
		Outcome: engine.Outcome{Result: engine.SecondWins, Reason: engine.Checkmate},
	}
}

func newDir(tb testing.TB) disk.Dir {
	tb.Helper()
	d := disk.Dir{Root: tb.TempDir(), FS: disk.OS{}}
	must.Do(tb, d.FS.MkdirAll(d.Path(Folder)))
	return d
}

// writeJournal writes a journal of shard 7 and returns its name.
func writeJournal(t *testing.T, d disk.Dir, records ...*engine.Record) string {
	t.Helper()
	j := must.Get(Create(d, "plan", 7, SyncInterval))(t)
	for _, r := range records {
		must.Do(t, j.Add(r))
	}
	must.Do(t, j.Keep())
	return j.name
}

func fullRecords(games ...uint64) (records []*engine.Record) {
	for _, game := range games {
		records = append(records, fullRecord(game))
	}
	return records
}

// gamesIn reads games 70 to 79 of shard 7 and returns their sorted numbers.
func gamesIn(t *testing.T, d disk.Dir) []uint64 {
	t.Helper()
	records := must.Get(Read(d, "plan", 7, 70, 80, false))(t).Finished
	for game, r := range records {
		if !reflect.DeepEqual(r, fullRecord(game)) {
			t.Fatalf("game %d reads as %+v", game, r)
		}
	}
	return slices.Sorted(maps.Keys(records))
}

// TestRecordsKeepTags with and without what an earlier search found.
func TestRecordsKeepTags(t *testing.T) {
	for _, old := range [][]uint16{nil, {1, 2, 3}} {
		r := fullRecord(1)
		r.Tags = []string{"London", "", "1851-06-21"}
		if r.OldBest = old; old != nil {
			r.OldScores, r.OldNodes = []int16{-1, 0, 1}, []uint32{1, 2, 3}
		}
		if got := must.Get(ParseRecord(AppendRecord(nil, r)))(t); !reflect.DeepEqual(got, r) {
			t.Errorf("%+v is read as %+v", r, got)
		}
	}
}

func TestReadReturnsTheGamesOfAllJournals(t *testing.T) {
	d := newDir(t)
	writeJournal(t, d, fullRecords(70, 71)...)
	writeJournal(t, d)
	writeJournal(t, d, fullRecords(74, 72, 71, 69, 80)...)
	if got, want := gamesIn(t, d), []uint64{70, 71, 72, 74}; !slices.Equal(got, want) {
		t.Errorf("games %v, want %v", got, want)
	}
	if games, err := Read(d, "another plan", 7, 70, 80, false); err != nil || len(games.Finished) > 0 {
		t.Errorf("another plan: %d games, %v, want none", len(games.Finished), err)
	}
	if games, err := Read(d, "plan", 8, 70, 80, false); err != nil || len(games.Finished) > 0 {
		t.Errorf("another shard: %d games, %v, want none", len(games.Finished), err)
	}
}

// TestFramesOfAnotherPlanOrShardAreInvalid: a header that is replaced does not make the
// games of another plan, seed or shard valid.
func TestFramesOfAnotherPlanOrShardAreInvalid(t *testing.T) {
	for _, head := range []string{header("another plan", 7), header("plan", 8)} {
		d := newDir(t)
		name := d.Path(writeJournal(t, d, fullRecords(70, 71)...))
		data := must.Get(os.ReadFile(name))(t)
		frames := bytes.TrimPrefix(data, []byte(header("plan", 7)))
		for _, r := range fullRecords(72, 73) {
			frames = appendFrame(frames, head, r)
		}
		must.Do(t, os.WriteFile(name, append([]byte(header("plan", 7)), frames...), 0o644))
		if got, want := gamesIn(t, d), []uint64{70, 71}; !slices.Equal(got, want) {
			t.Errorf("%q: games %v, want %v", head, got, want)
		}
	}
}

func TestDropAndSweepRemoveJournals(t *testing.T) {
	d := newDir(t)
	remove := map[string]func() error{
		"drop":  func() error { return Drop(d, 7) },
		"sweep": func() error { return Sweep(d, map[int]bool{7: true}) },
	}
	for name, f := range remove {
		t.Run(name, func(t *testing.T) {
			writeJournal(t, d, fullRecord(70))
			if err := errors.Join(Drop(d, 8), Sweep(d, map[int]bool{8: true})); err != nil || len(gamesIn(t, d)) != 1 {
				t.Fatalf("the journal of another shard is gone, %v", err)
			}
			if err := f(); err != nil || gamesIn(t, d) != nil {
				t.Errorf("the journal still exists, %v", err)
			}
		})
	}
}

// TestDamagedJournalHasTheGamesBefore cuts a journal at every byte and flips a bit of
// every byte.
func TestDamagedJournalHasTheGamesBefore(t *testing.T) {
	d := newDir(t)
	name := d.Path(writeJournal(t, d, fullRecords(70, 71, 72)...))
	whole := must.Get(os.ReadFile(name))(t)
	gamesOf := func(data []byte) int {
		must.Do(t, os.WriteFile(name, data, 0o644))
		return len(gamesIn(t, d))
	}
	previous := 0
	for n := range len(whole) + 1 {
		got := gamesOf(whole[:n])
		if got < previous || got > 3 || n == len(whole) && got != 3 {
			t.Fatalf("cut to %d of %d bytes: %d games, after %d", n, len(whole), got, previous)
		}
		previous = got
	}
	for i := range whole {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 0x40
		if got := gamesOf(flipped); got >= 3 {
			t.Fatalf("byte %d of %d flipped: %d games, want fewer than 3", i, len(whole), got)
		}
	}
}

func TestDifferentRecordsOfOneGameAreNondeterminism(t *testing.T) {
	d := newDir(t)
	other := fullRecord(70)
	other.Actions[0]++
	writeJournal(t, d, fullRecord(70))
	writeJournal(t, d, other)
	must.Fail(Read(d, "plan", 7, 70, 80, false))(t, fault.ErrNondeterminism, "")
	must.Get(Read(d, "plan", 7, 70, 80, true))(t)
}

// BenchmarkAdd adds games of 500 plies.
func BenchmarkAdd(b *testing.B) {
	j := must.Get(Create(newDir(b), "plan", 7, SyncInterval))(b)
	r := &engine.Record{Players: [2]string{"random", "random"}, Actions: make([]uint16, 500), MoveRanks: make([]uint8, 500)}
	b.ReportAllocs()
	for b.Loop() {
		r.Game++
		must.Do(b, j.Add(r))
	}
	must.Do(b, j.Close())
}

// FuzzJournal parses arbitrary bytes without a panic. A record that parses is written
// back as it was.
func FuzzJournal(f *testing.F) {
	record := AppendRecord(nil, fullRecord(1))
	f.Add(record)
	f.Add(AppendRecord(nil, &engine.Record{}))
	src := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		damaged := bytes.Clone(record)
		damaged[src.IntN(len(damaged))] ^= 1 << src.IntN(8)
		f.Add(damaged)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := ParseRecord(data); err == nil {
			again, err := ParseRecord(AppendRecord(nil, r))
			if err != nil || !reflect.DeepEqual(again, r) {
				t.Errorf("%+v became %+v, %v", r, again, err)
			}
		}
		_, _, _ = parseDecisions(data)
		head := header("p", 1)
		err := newReader(disk.Dir{}, "p", 1, false).add(append([]byte(head), data...))
		if err != nil && !errors.Is(err, fault.ErrNondeterminism) {
			t.Error(err)
		}
	})
}

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
