package dedup

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
)

// TestKeysComeBackInOrder, equal ones together, in memory and from files, and leave
// nothing behind.
func TestKeysComeBackInOrder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const rows = 200_000
	for _, memory := range []int64{MinMemory, 4 * MinMemory, 1 << 30} {
		k, err := newKeys(memory, rows)
		if err != nil {
			t.Fatal(err)
		}
		src := rand.New(rand.NewPCG(1, 2))
		first, want := map[xxh3.Uint128]uint64{}, 0
		for i := range uint64(rows) {
			key := xxh3.Hash128(binary.LittleEndian.AppendUint64(nil, src.Uint64N(rows/2)))
			if _, there := first[key]; !there {
				first[key] = i
				want++
			}
			if err := k.add(key, i); err != nil {
				t.Fatal(err)
			}
		}
		if there := left(t); len(there) > 0 && runtime.GOOS == "linux" {
			t.Errorf("a kill would leave behind: %v", there)
		}
		got, n, last := 0, 0, uint64(0)
		var seen map[xxh3.Uint128]bool
		err = k.each(func() { seen, last = map[xxh3.Uint128]bool{}, 0 }, func(key xxh3.Uint128, tag uint64) {
			if n++; tag < last {
				t.Fatalf("row %d after %d", tag, last)
			}
			last = tag
			if !seen[key] {
				seen[key] = true
				if got++; first[key] != tag {
					t.Fatalf("row %d comes first, want %d", tag, first[key])
				}
			}
		})
		if err != nil || n != rows || got != want {
			t.Errorf("memory %d: %d keys, %d different, want %d: %v", memory, n, got, want, err)
		}
		t.Logf("memory %d: %d files", memory, len(k.parts))
		if (len(k.parts) > 0) != (memory < 1<<24) {
			t.Errorf("memory %d: %d files", memory, len(k.parts))
		}
		if err := k.close(); err != nil {
			t.Error(err)
		}
	}
	if there := left(t); len(there) > 0 {
		t.Errorf("left behind: %v", there)
	}
}

// left returns what there is among the temporary files.
func left(t *testing.T) []os.DirEntry {
	t.Helper()
	list, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestGamesWithGaps: an index that lacks a game says so, and never tells of the rows of
// another one.
func TestGamesWithGaps(t *testing.T) {
	shape := rows.New(encode.Contrast(), "", 1, false)
	find := func(size Size, numbers ...uint64) (*Index, error) {
		return Find(t.Context(), shape, func(yield func(*engine.Record, error) bool) {
			for _, n := range numbers {
				if !yield(onePly(n), nil) {
					return
				}
			}
		}, size, MinMemory)
	}
	for _, c := range []struct {
		name  string
		size  Size
		games []uint64
		want  string
	}{
		{"none", Size{}, nil, ""},
		{"all", Size{3, 3}, []uint64{0, 1, 2}, ""},
		{"the first is missing", Size{2, 2}, []uint64{1, 2}, "game 1 comes where game 0 should"},
		{"one in between", Size{2, 2}, []uint64{0, 2}, "game 2 comes where game 1 should"},
		{"one twice", Size{3, 3}, []uint64{0, 1, 1}, "game 1 comes where game 2 should"},
		{"more rows than there are", Size{3, 2}, []uint64{0, 1, 2}, "3 rows came, want 2 or fewer"},
	} {
		if _, err := find(c.size, c.games...); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	x, err := find(Size{2, 2}, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		game uint64
		rows int
		want string
	}{
		{0, 1, ""}, {1, 1, ""}, {1, 0, "has 0 rows, had 1"}, {0, 2, "has 2 rows, had 1"}, {2, 1, "none of the 2"}, {1<<64 - 1, 1, "none of the 2"},
	} {
		if _, err := x.firsts(c.game, c.rows); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d rows of game %d: %v, want %q", c.rows, c.game, err, c.want)
		}
	}
}

// onePly is a game of Contrast that was cut off after its first move.
func onePly(number uint64) *engine.Record {
	g := encode.Contrast()
	pos := g.New("")
	return &engine.Record{
		Game: number, Actions: []uint16{g.Actions.Number(pos, pos.Moves(nil)[0])}, MoveRanks: []uint8{engine.RankRandom},
		Outcome: engine.Outcome{Reason: engine.PlyLimit},
	}
}

func TestTooLittleMemory(t *testing.T) {
	for _, c := range []struct {
		memory int64
		rows   uint64
	}{{0, 1}, {MinMemory - 1, 1}, {MinMemory, 1 << 40}} {
		if _, err := newKeys(c.memory, c.rows); !errors.Is(err, ErrMemory) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestKeepRows keeps cells of every shape together.
func TestKeepRows(t *testing.T) {
	columns := []encode.Column{
		{Name: "a", Kind: encode.Uint16}, {Name: "b", Kind: encode.Uint8, Len: 3}, {Name: "c", Kind: encode.Uint16, Len: encode.Var},
	}
	fill := func(rows []int) *encode.Table {
		t := encode.NewTable(columns)
		for _, r := range rows {
			t.AddUint16(0, uint16(r))
			t.Data[1] = append(t.Data[1], byte(r), byte(r+1), byte(r+2))
			for range r % 4 {
				t.AddUint16(2, uint16(r))
			}
			t.End(2)
			t.Rows++
		}
		return t
	}
	src := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		from, all := src.IntN(5), []int{}
		for range from + src.IntN(12) {
			all = append(all, src.IntN(100))
		}
		var bits []bool
		for range all[from:] {
			bits = append(bits, src.IntN(2) == 0)
		}
		want := slices.Clone(all[:from])
		for i, r := range all[from:] {
			if bits[i] {
				want = append(want, r)
			}
		}
		got := fill(all)
		if dropped := keepRows(got, from, func(n int) bool { return bits[n] }); dropped != len(all)-len(want) {
			t.Errorf("%d dropped of %v", dropped, all)
		}
		if w := fill(want); fmt.Sprint(got.Rows, got.Data, got.Ends[2]) != fmt.Sprint(w.Rows, w.Data, w.Ends[2]) {
			t.Fatalf("%v from %d, %v: %v, want %v", all, from, bits, got, w)
		}
	}
}
