package disk

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/internal/must"
)

// TestSweepSparesTheLiving: a sweep under a shared lock removes the temporary files of
// dead processes only.
func TestSweepSparesTheLiving(t *testing.T) {
	d := Dir{Root: t.TempDir(), FS: OS{}}
	must.Do(t, d.MakeFolders(TempFolder))
	other := must.Get(NewLease(d))(t)
	defer other.Release()
	me := must.Get(NewLease(d))(t)
	defer me.Release()
	d.Owner = me.owner
	keep := []string{other.owner + ".positions-train-00000.parquet", me.owner + ".plan.json", me.owner + LeaseSuffix, other.owner + LeaseSuffix}
	drop := []string{"1-dead.positions-train-00000.parquet", "1-dead.lock", "2-gone.plan.json", "positions-train-00002.parquet"}
	for _, name := range append(drop, keep[:2]...) {
		must.Do(t, os.WriteFile(d.Path(TempFolder+"/"+name), []byte("half a file"), 0o644))
	}
	for _, shared := range []bool{true, false} {
		must.Do(t, d.Sweep(shared))
		names, _ := d.List(TempFolder)
		left := strings.Join(names, " ")
		for _, name := range drop {
			if strings.Contains(left, name) {
				t.Errorf("%s is still there", name)
			}
		}
		for i, name := range keep {
			if found := strings.Contains(left, name); found != (shared || i == 1 || i == 2) {
				t.Errorf("shared %t: %s found: %t", shared, name, found)
			}
		}
	}
}

// TestLeaseEndsWithItsProcess: a killed process holds no lease.
func TestLeaseEndsWithItsProcess(t *testing.T) {
	root := os.Getenv("SELFPLAY_TEST_LEASE")
	if root != "" { // the process that is killed
		must.Get(NewLease(Dir{Root: root, FS: OS{}}))(t)
		os.Stdout.WriteString("leased!\n")
		select {}
	}
	d := Dir{Root: t.TempDir(), FS: OS{}}
	process := exec.Command(os.Args[0], "-test.run=^TestLeaseEndsWithItsProcess$")
	process.Env = append(os.Environ(), "SELFPLAY_TEST_LEASE="+d.Root)
	out := must.Get(process.StdoutPipe())(t)
	must.Do(t, process.Start())
	out.Read(make([]byte, 8))
	if h := findHolder(d); h.PID != process.Process.Pid {
		t.Errorf("holder %+v, want process %d", h, process.Process.Pid)
	}
	process.Process.Kill()
	process.Wait()
	if h := findHolder(d); h.PID != 0 {
		t.Errorf("holder %+v, want none", h)
	}
	must.Do(t, d.Sweep(true))
	if names, _ := d.List(TempFolder); len(names) != 0 {
		t.Errorf("%q are left", names)
	}
}

// TestLockFileExcludesOthers: until it is unlocked; the file stays. A link is not locked.
func TestLockFileExcludesOthers(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	unlock, held, err := TryLockFile(name)
	if err != nil || !held {
		t.Fatalf("held %t, %v", held, err)
	}
	if _, held, err := TryLockFile(name); err != nil || held {
		t.Errorf("locked twice: held %t, %v", held, err)
	}
	must.Do(t, unlock())
	unlock, held, err = TryLockFile(name)
	if err != nil || !held {
		t.Fatalf("after unlock: held %t, %v", held, err)
	}
	must.Do(t, unlock())
	link := name + "-link"
	if err := os.Symlink(name, link); err == nil {
		if _, held, err := TryLockFile(link); held || !errors.Is(err, errNotRegular) {
			t.Errorf("a link: held %t, %v", held, err)
		}
	}
}

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
