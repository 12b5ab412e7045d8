package disk

import (
	"os"
	"slices"
	"testing"

	"selfplay/internal/must"
)

func TestProbeSeesWhetherALeaseIsHeld(t *testing.T) {
	d := Dir{Root: t.TempDir(), FS: OS{}}
	lease := must.Get(NewLease(d))(t)
	must.Do(t, os.WriteFile(d.Path(TempFolder+"/1-dead.lock"), nil, 0o444))
	for owner, want := range map[string]LeaseState{lease.owner: LeaseHeld, "1-dead": LeaseFree, "2-none": LeaseGone} {
		if got := ProbeLease(d, owner); got != want {
			t.Errorf("%s: state %d, want %d", owner, got, want)
		}
	}
	if owners, err := LeaseOwners(d); err != nil || len(owners) != 2 || !slices.Contains(owners, "1-dead") {
		t.Errorf("owners %q, %v", owners, err)
	}
	lease.Release()
	if got := ProbeLease(d, lease.owner); got != LeaseGone {
		t.Errorf("after the release: state %d, want %d", got, LeaseGone)
	}
}

// TestProbesDisturbNoWriter takes locks and leases while another goroutine probes without a
// pause.
func TestProbesDisturbNoWriter(t *testing.T) {
	d := Dir{Root: t.TempDir(), FS: OS{}}
	must.Do(t, d.MakeFolders(TempFolder))
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-done:
				return
			default:
				owners, _ := LeaseOwners(d)
				for _, owner := range owners {
					ProbeLease(d, owner)
				}
			}
		}
	}()
	for i := range 300 {
		l, err := Acquire(d, i%2 == 0)
		if err != nil {
			t.Errorf("acquire %d: %v", i, err)
			break
		}
		if got := ProbeLease(d, l.Owner()); got != LeaseHeld {
			t.Errorf("acquire %d: state %d, want %d", i, got, LeaseHeld)
		}
		l.Release()
	}
	close(done)
	<-stopped
}
