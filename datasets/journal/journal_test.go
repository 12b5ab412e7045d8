package journal

import (
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
)

// searchedRecord is a record with something in every field.
func searchedRecord(game uint64) *engine.Record {
	return &engine.Record{
		Game: game, Start: "some text", Actions: []uint16{1, 65535, 3}, Best: []uint16{1, 2, 3}, MoveRanks: []uint8{0, 255, 1},
		Scores: []int16{-32768, 0, 32767}, Nodes: []uint32{0, 1 << 31, 7}, PolicySize: []uint16{2, 0, 1},
		PolicyAction: []uint16{1, 2, 3}, PolicyWeight: []uint16{9, 8, 7}, OpeningPlies: 4, Players: [2]string{"random", "ab:depth=2"},
		Outcome: engine.Outcome{Result: engine.SecondWins, Reason: engine.Checkmate},
	}
}

func journalDir(t *testing.T) disk.Dir {
	t.Helper()
	d := disk.Dir{Root: t.TempDir(), FS: disk.OS{}}
	if err := d.FS.MkdirAll(d.Path(Folder)); err != nil {
		t.Fatal(err)
	}
	return d
}

// write writes a journal of games and returns its name.
func writeJournal(t *testing.T, d disk.Dir, games ...uint64) string {
	t.Helper()
	j, err := Create(d, "plan", 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range games {
		if err := j.Add(searchedRecord(game)); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Keep(); err != nil {
		t.Fatal(err)
	}
	return j.name
}

// gamesIn reads the journals of shard 7, whose first game is 70.
func gamesIn(t *testing.T, d disk.Dir) (games []uint64) {
	t.Helper()
	list, err := Read(d, "plan", 7, 70, 80)
	if err != nil {
		t.Fatal(err)
	}
	for game, r := range list {
		if !reflect.DeepEqual(r, searchedRecord(game)) {
			t.Fatalf("%+v came back", r)
		}
	}
	return slices.Sorted(maps.Keys(list))
}

// TestJournal: what was written is read, of all journals together, in whatever order.
func TestJournal(t *testing.T) {
	d := journalDir(t)
	writeJournal(t, d, 70, 71)
	writeJournal(t, d)
	writeJournal(t, d, 74, 72, 71, 69, 80)
	if got, want := gamesIn(t, d), []uint64{70, 71, 72, 74}; !reflect.DeepEqual(got, want) {
		t.Errorf("games %v, want %v", got, want)
	}
	if list, err := Read(d, "another plan", 7, 70, 80); err != nil || len(list) > 0 {
		t.Errorf("another plan has %d games, %v", len(list), err)
	}
	if list, err := Read(d, "plan", 8, 70, 80); err != nil || len(list) > 0 {
		t.Errorf("another shard has %d games, %v", len(list), err)
	}
	if err := Drop(d, 7); err != nil || gamesIn(t, d) != nil {
		t.Errorf("the journals are still there, %v", err)
	}
}

// TestJournalIsCutAnywhere: a journal that ends anywhere, or whose bytes are wrong
// from anywhere on, has the games before.
func TestJournalIsCutAnywhere(t *testing.T) {
	d := journalDir(t)
	name := d.Path(writeJournal(t, d, 70, 71, 72))
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for n := range len(whole) + 1 {
		for _, flip := range []bool{false, true} {
			data := append([]byte(nil), whole[:n]...)
			if flip && n > 0 {
				data = append([]byte(nil), whole...)
				data[n-1] ^= 0x40
			}
			if err := os.WriteFile(name, data, 0o644); err != nil {
				t.Fatal(err)
			}
			got := len(gamesIn(t, d))
			if !flip && got < last || got > 3 || n == len(whole) && !flip && got != 3 {
				t.Fatalf("%d of %d bytes, flipped %t: %d games", n, len(whole), flip, got)
			}
			if !flip {
				last = got
			}
		}
	}
}

// TestJournalsDisagree: a game that went two ways is no game of a dataset.
func TestJournalsDisagree(t *testing.T) {
	d := journalDir(t)
	writeJournal(t, d, 70)
	j, err := Create(d, "plan", 7)
	if err != nil {
		t.Fatal(err)
	}
	r := searchedRecord(70)
	r.Actions[0]++
	if err := errors.Join(j.Add(r), j.Keep()); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(d, "plan", 7, 70, 80); !errors.Is(err, fault.ErrNondeterminism) {
		t.Errorf("%v, want ErrNondeterminism", err)
	}
}

// BenchmarkJournal is what a game of 500 plies costs.
func BenchmarkJournal(b *testing.B) {
	d := disk.Dir{Root: b.TempDir(), FS: disk.OS{}}
	if err := d.FS.MkdirAll(d.Path(Folder)); err != nil {
		b.Fatal(err)
	}
	j, err := Create(d, "plan", 7)
	if err != nil {
		b.Fatal(err)
	}
	r := &engine.Record{Players: [2]string{"random", "random"}, Actions: make([]uint16, 500), MoveRanks: make([]uint8, 500)}
	b.ReportAllocs()
	for b.Loop() {
		r.Game++
		if err := j.Add(r); err != nil {
			b.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		b.Fatal(err)
	}
}

// FuzzJournal: no bytes make the reader panic, and a record that it reads is written
// as it was.
func FuzzJournal(f *testing.F) {
	frame := appendRecord(nil, searchedRecord(1))
	f.Add(frame)
	f.Add(appendRecord(nil, &engine.Record{}))
	src := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		damaged := append([]byte(nil), frame...)
		damaged[src.IntN(len(damaged))] ^= 1 << src.IntN(8)
		f.Add(damaged)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := parseRecord(data); err == nil {
			again, err := parseRecord(appendRecord(nil, r))
			if err != nil || !reflect.DeepEqual(again, r) {
				t.Errorf("%+v became %+v, %v", r, again, err)
			}
		}
		if err := addGames(map[uint64][]byte{}, append([]byte(header("p", 1)), data...), header("p", 1)); err != nil && !errors.Is(err, fault.ErrNondeterminism) {
			t.Error(err)
		}
	})
}
