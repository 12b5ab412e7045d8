package disk

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestSweepSparesTheLiving: a sweep under a shared lock removes the temporary files of
// dead processes only.
func TestSweepSparesTheLiving(t *testing.T) {
	d := Dir{Root: t.TempDir(), FS: OS{}}
	if err := d.MakeFolders(TempFolder); err != nil {
		t.Fatal(err)
	}
	other, err := NewLease(d)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Release()
	me, err := NewLease(d)
	if err != nil {
		t.Fatal(err)
	}
	defer me.Release()
	d.Owner = me.owner
	keep := []string{other.owner + ".positions-train-00000.parquet", me.owner + ".plan.json", me.owner + LeaseSuffix, other.owner + LeaseSuffix}
	drop := []string{"1-dead.positions-train-00000.parquet", "1-dead.lock", "2-gone.plan.json", "positions-train-00002.parquet"}
	for _, name := range append(drop, keep[:2]...) {
		if err := os.WriteFile(d.Path(TempFolder+"/"+name), []byte("half a file"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, shared := range []bool{true, false} {
		if err := d.Sweep(shared); err != nil {
			t.Fatal(err)
		}
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
		if _, err := NewLease(Dir{Root: root, FS: OS{}}); err != nil {
			t.Fatal(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
	out.Read(make([]byte, 8))
	if h := findHolder(d); h.PID != process.Process.Pid {
		t.Errorf("holder %+v, want process %d", h, process.Process.Pid)
	}
	process.Process.Kill()
	process.Wait()
	if h := findHolder(d); h.PID != 0 {
		t.Errorf("holder %+v, want none", h)
	}
	if err := d.Sweep(true); err != nil {
		t.Error(err)
	}
	if names, _ := d.List(TempFolder); len(names) != 0 {
		t.Errorf("%q are left", names)
	}
}
