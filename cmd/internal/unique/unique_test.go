package unique

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"selfplay/encode"
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
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
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
