package dedup

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/datasets/spill"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// TestKeysComeBackInOrder: equal keys are in the same part and in the order in which they
// were added, in memory and from files. No file is left behind.
func TestKeysComeBackInOrder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const rows = 200_000
	for _, memory := range []int64{MinMemory, 4 * MinMemory, 1 << 30} {
		k := must.Get(newKeys(memory, rows))(t)
		src := rand.New(rand.NewPCG(1, 2))
		first, want := map[xxh3.Uint128]uint64{}, 0
		for i := range uint64(rows) {
			key := xxh3.Hash128(binary.LittleEndian.AppendUint64(nil, src.Uint64N(rows/2)))
			if _, seen := first[key]; !seen {
				first[key] = i
				want++
			}
			must.Do(t, k.add(key, i))
		}
		if files := tempFiles(t); len(files) > 0 && runtime.GOOS == "linux" {
			t.Errorf("a kill would leave %v", files)
		}
		got, n, last := 0, 0, uint64(0)
		var seen map[xxh3.Uint128]bool
		err := k.each(func() { seen, last = map[xxh3.Uint128]bool{}, 0 }, func(key xxh3.Uint128, tag uint64) {
			if n++; tag < last {
				t.Fatalf("row %d comes after row %d", tag, last)
			}
			last = tag
			if !seen[key] {
				seen[key] = true
				if got++; first[key] != tag {
					t.Fatalf("the first row is %d, want %d", tag, first[key])
				}
			}
		})
		if err != nil || n != rows || got != want {
			t.Errorf("memory %d: %d keys, %d distinct, want %d: %v", memory, n, got, want, err)
		}
		t.Logf("memory %d: %d parts", memory, k.parts.Len())
		if k.parts.InFiles() != (memory < 1<<23) {
			t.Errorf("memory %d: in files: %t", memory, k.parts.InFiles())
		}
		must.Do(t, k.close())
	}
	if files := tempFiles(t); len(files) > 0 {
		t.Errorf("temporary files are left: %v", files)
	}
}

// tempFiles lists the folder of temporary files.
func tempFiles(t *testing.T) []os.DirEntry {
	t.Helper()
	return must.Get(os.ReadDir(os.TempDir()))(t)
}

// TestGamesMustBeCompleteAndInOrder: Find refuses a gap or a repetition, and an index
// refuses games and row counts that Find did not see.
func TestGamesMustBeCompleteAndInOrder(t *testing.T) {
	shape := rows.New(encode.Contrast(), "", 1, false)
	find := func(size Size, numbers ...uint64) (*Index, error) {
		return Find(t.Context(), shape, func(yield func(*engine.Record, error) bool) {
			for _, n := range numbers {
				if !yield(onePly(n), nil) {
					return
				}
			}
		}, size, MinMemory, new(scan.Counter))
	}
	for _, c := range []struct {
		name  string
		size  Size
		games []uint64
		want  string
	}{
		{"no games", Size{}, nil, ""},
		{"all games", Size{3, 3}, []uint64{0, 1, 2}, ""},
		{"first game missing", Size{2, 2}, []uint64{1, 2}, "read game 1, want game 0"},
		{"middle game missing", Size{2, 2}, []uint64{0, 2}, "read game 2, want game 1"},
		{"game repeated", Size{3, 3}, []uint64{0, 1, 1}, "read game 1, want game 2"},
		{"more rows than announced", Size{3, 2}, []uint64{0, 1, 2}, "read 3 rows, want at most 2"},
	} {
		if _, err := find(c.size, c.games...); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	x := must.Get(find(Size{2, 2}, 0, 1))(t)
	for _, c := range []struct {
		game uint64
		rows int
		want string
	}{
		{0, 1, ""}, {1, 1, ""}, {1, 0, "has 0 rows now, 1 when"}, {0, 2, "has 2 rows now, 1 when"},
		{2, 1, "not among the 2 games"}, {1<<64 - 1, 1, "not among the 2 games"},
	} {
		if _, err := x.firsts(c.game, c.rows); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d rows of game %d: %v, want %q", c.rows, c.game, err, c.want)
		}
	}
}

// onePly returns a game of Contrast that the ply limit ended after its first move.
func onePly(number uint64) *engine.Record {
	g := encode.Contrast()
	pos := g.New("")
	return &engine.Record{
		Game: number, Actions: []uint16{g.Actions.Number(pos.Moves(nil)[0])}, MoveRanks: []uint8{engine.RankRandom},
		Outcome: engine.Outcome{Reason: engine.PlyLimit},
	}
}

func TestTooLittleMemory(t *testing.T) {
	for _, c := range []struct {
		memory int64
		rows   uint64
	}{{0, 1}, {MinMemory - 1, 1}, {MinMemory, 1 << 40}} {
		must.Fail(newKeys(c.memory, c.rows))(t, spill.ErrMemory, "")
	}
}

// TestStepsReachTheNumberOfGames when all are read and compared, half of it when they are
// read.
func TestStepsReachTheNumberOfGames(t *testing.T) {
	for _, rows := range [][]uint64{{5, 9, 70, 1}, {1}, {0, 3}, {100, 100, 101}} {
		n, total := new(scan.Counter), uint64(0)
		s := steps{n: n}
		for _, r := range rows {
			s.read(r)
			total += r
		}
		want := uint64(len(rows))
		if got, _ := n.Progress(); got != want/2 {
			t.Errorf("%v: %d games after reading", rows, got)
		}
		for range total {
			s.compare()
		}
		if got, plies := n.Progress(); got != want || plies > total {
			t.Errorf("%v: %d games and %d rows at the end", rows, got, plies)
		}
	}
}
