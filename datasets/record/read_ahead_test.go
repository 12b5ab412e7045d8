package record

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
)

// TestReadAheadKeepsTheOrder for lists that fill no block, a whole one, and more.
func TestReadAheadKeepsTheOrder(t *testing.T) {
	for _, n := range []int{0, 1, blockReaders, blockShards, 2*blockShards + 3} {
		list := make([]int, n)
		for i := range list {
			list[i] = 3 * i
		}
		next := 0
		for text, err := range ReadAhead(list, func(s int) (string, error) { return fmt.Sprint(s), nil }) {
			if want := fmt.Sprint(list[next]); text != want || err != nil {
				t.Fatalf("%d of %d is %q, %v, want %s", next, n, text, err, want)
			}
			next++
		}
		if next != n {
			t.Errorf("%d values of %d", next, n)
		}
	}
}

// TestReadAheadStopsWithItsReader: at most one block is read in vain.
func TestReadAheadStopsWithItsReader(t *testing.T) {
	list := make([]int, 5*blockShards)
	list[5] = 1
	var calls atomic.Int64
	read := func(s int) (int, error) {
		calls.Add(1)
		if s == 1 {
			return 0, errors.New("bad")
		}
		return s, nil
	}
	values := 0
	for _, err := range ReadAhead(list, read) {
		if err != nil {
			break
		}
		values++
	}
	if values != 5 || calls.Load() != blockShards {
		t.Errorf("%d values of %d reads, want 5 of %d", values, calls.Load(), blockShards)
	}
}

func TestReadAheadReturnsPanics(t *testing.T) {
	for _, err := range ReadAhead([]int{1, 2, 3}, func(s int) (int, error) { panic(s) }) {
		if err == nil {
			t.Error("no error")
		}
	}
}
