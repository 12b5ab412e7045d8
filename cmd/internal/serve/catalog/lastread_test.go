package catalog

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// young reports whether a value is at most a second old.
func young(_ int, age time.Duration) bool { return age <= time.Second }

// counter returns a read that takes a time and returns how many began.
func counter(d time.Duration) (func() (int, error), *atomic.Int32) {
	n := new(atomic.Int32)
	return func() (int, error) { now := int(n.Add(1)); time.Sleep(d); return now, nil }, n
}

// TestOneReadServesAllWhoAsk.
func TestOneReadServesAllWhoAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var v lastRead[int]
		var asking sync.WaitGroup
		read, began := counter(time.Second / 2)
		for range 100 {
			asking.Go(func() {
				if n, err := v.get(time.Second, young, read); n != 1 || err != nil {
					t.Errorf("read %d, %v", n, err)
				}
			})
		}
		asking.Wait()
		if n := began.Load(); n != 1 {
			t.Errorf("%d reads", n)
		}
	})
}

// TestSlowReadsAreNotAwaited: who asks gets what is known, and waits no longer than a time after
// the read began. The read goes on.
func TestSlowReadsAreNotAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var v lastRead[int]
		read, began := counter(time.Minute)
		get := func(want int, wantErr error, takes time.Duration) {
			t.Helper()
			asked := time.Now()
			if n, err := v.get(time.Second, young, read); n != want || !errors.Is(err, wantErr) || time.Since(asked) != takes {
				t.Errorf("read %d, %v after %v; want %d, %v after %v", n, err, time.Since(asked), want, wantErr, takes)
			}
		}
		get(0, errSlow, time.Second)
		get(0, errSlow, 0)
		time.Sleep(time.Minute)
		get(1, nil, time.Second) // from the read before, while another is under way
		get(1, nil, 0)
		if n := began.Load(); n != 2 {
			t.Errorf("%d reads", n)
		}
		time.Sleep(time.Minute)
	})
}

// TestFailedReadsAreRepeated, and those of a panic.
func TestFailedReadsAreRepeated(t *testing.T) {
	var v lastRead[int]
	broken := errors.New("broken")
	if _, err := v.get(time.Minute, young, func() (int, error) { return 0, broken }); err != broken {
		t.Errorf("%v, want %v", err, broken)
	}
	if _, err := v.get(time.Minute, young, func() (int, error) { panic("broken") }); err == nil {
		t.Error("no error of a panic")
	}
	if n, err := v.get(time.Minute, young, func() (int, error) { return 7, nil }); n != 7 || err != nil {
		t.Errorf("read %d, %v", n, err)
	}
}

// TestRenewReadsAgain: a read that is under way began too early.
func TestRenewReadsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var v lastRead[int]
		var asking sync.WaitGroup
		read, _ := counter(time.Second / 2)
		asking.Go(func() { _, _ = v.get(time.Second, young, read) })
		time.Sleep(time.Second / 4)
		if n, err := v.renew(time.Second, read); n != 2 || err != nil {
			t.Errorf("read %d, %v; want the second", n, err)
		}
		asking.Wait()
	})
}
