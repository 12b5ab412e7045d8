package disk

import (
	"os"
	"os/exec"
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
	out, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	must.Do(t, err)
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
