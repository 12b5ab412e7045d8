package program

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplay/internal/must"
)

// soak is how long TestSoak watches a run: see make torture.
var soak = flag.Duration("soak", 2*time.Second, "watch the memory and files of a run for this time")

// reading is what a process holds at one moment.
type reading struct{ kib, files int }

// held reads what a process holds.
func held(t *testing.T, pid int) reading {
	t.Helper()
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	status := must.Get(os.ReadFile(filepath.Join(proc, "status")))(t)
	files := must.Get(os.ReadDir(filepath.Join(proc, "fd")))(t)
	_, rest, alive := strings.Cut(string(status), "VmRSS:")
	if !alive { // a zombie has no VmRSS
		t.Fatalf("process %d has ended", pid)
	}
	kib := must.Get(strconv.Atoi(strings.Fields(rest)[0]))(t)
	return reading{kib, len(files)}
}

// TestSoak: a run that makes shard after shard holds no more memory and no more open
// files in the last third of its time than in the second.
func TestSoak(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"run", "--quiet", "--game", "cotulenh", "--games", "2000000", "--shard-games", "20", "--out", out,
		"--player", "0.5*random + 0.3*ab:depth=1,hash=1 + 0.2*mcts:sims=16", "--columns", "+legal,+hash"}
	process, stderr := start(t, args...)
	var seen []reading
	for end := time.Now().Add(*soak); time.Now().Before(end); time.Sleep(*soak / 200) {
		seen = append(seen, held(t, process.Process.Pid))
	}
	process.Process.Signal(syscall.SIGTERM)
	if code := processCode(process.Wait()); code != 3 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	third := len(seen) / 3
	before, after := peak(seen[third:2*third]), peak(seen[2*third:])
	shards := must.Get(os.ReadDir(filepath.Join(out, "positions")))(t)
	t.Logf("%v, %d shards: first third %v, second %v, last %v", *soak, len(shards), peak(seen[:third]), before, after)
	if slack := before.kib / 10; *soak >= time.Minute && after.kib > before.kib+slack {
		t.Errorf("memory went up from %d to %d KiB", before.kib, after.kib)
	}
	if after.files > before.files+8 { // a shard has up to four open for a moment
		t.Errorf("open files went up from %d to %d", before.files, after.files)
	}
}

// peak returns the maximum of each figure.
func peak(seen []reading) reading {
	most := func(a, b reading) int { return a.kib - b.kib }
	files := slices.MaxFunc(seen, func(a, b reading) int { return a.files - b.files }).files
	return reading{slices.MaxFunc(seen, most).kib, files}
}

func (r reading) String() string { return fmt.Sprintf("%d MiB and %d files", r.kib>>10, r.files) }

// ownMounts is set in a process with a mount namespace of its own.
const ownMounts = "TEST_SELFPLAY_OWN_MOUNTS"

// TestFullFileSystem fills a real file system, a small tmpfs, enlarges it a little and
// resumes the run, until the dataset is complete.
func TestFullFileSystem(t *testing.T) {
	if os.Getenv(ownMounts) == "" {
		inOwnMounts(t)
		return
	}
	dir := t.TempDir()
	whole, disk := filepath.Join(dir, "whole"), filepath.Join(dir, "disk")
	mustRun(t, shortRun(whole, 2)...)
	want := tree(t, whole)
	must.Do(t, os.Mkdir(disk, 0o755))
	for _, minFree := range []string{"0", "64KiB", ""} { // the last one is 2 %
		full, step := 0, times(512, 32)
		out := filepath.Join(disk, "out")
		for kib := step; ; kib += step {
			mustMount(t, disk, kib, kib > step)
			args := shortRun(out, 1+full%4)
			if minFree != "" {
				args = append(args, "--min-free", minFree)
			}
			o := selfplay("", args...)
			if o.code == 0 {
				break
			}
			full++
			if o.code != 1 || o.stdout != "" || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, "free some space, then run the same command again") {
				t.Fatalf("%d KiB: %+v", kib, o)
			}
			if left, err := os.ReadDir(filepath.Join(out, ".selfplay", "tmp")); err == nil && len(left) > 0 {
				t.Fatalf("%d KiB: %d temporaries are left", kib, len(left))
			}
		}
		if full < 2 {
			t.Errorf("--min-free %s: the disk was full %d times", minFree, full)
		}
		t.Logf("--min-free %q: full %d times", minFree, full)
		mustEqual(t, tree(t, out), want)
		mustBeClean(t, out)
		must.Do(t, syscall.Unmount(disk, 0))
	}
}

// mustMount mounts a tmpfs, or changes its size.
func mustMount(t *testing.T, dir string, kib int, again bool) {
	t.Helper()
	var flags uintptr
	if again {
		flags = syscall.MS_REMOUNT
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, fmt.Sprintf("size=%dk", kib)); err != nil {
		t.Skipf("mount tmpfs: %v", err)
	}
}

// inOwnMounts runs the test in a process with a mount namespace of its own.
func inOwnMounts(t *testing.T) {
	t.Helper()
	exe := must.Get(os.Executable())(t)
	process := exec.Command(exe, "-test.v", "-test.run", "^"+t.Name()+"$", fmt.Sprintf("-torture=%t", *torture))
	process.Env = append(os.Environ(), ownMounts+"=1")
	process.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	var report strings.Builder
	process.Stdout, process.Stderr = &report, &report
	if err := process.Start(); err != nil {
		t.Skipf("start a process with its own mounts: %v", err)
	}
	err := process.Wait()
	t.Log(report.String())
	switch {
	case err != nil:
		t.Error(err)
	case strings.Contains(report.String(), "--- SKIP"):
		t.Skip("the file system could not be mounted")
	}
}

func TestMemAvailable(t *testing.T) {
	for text, want := range map[string]uint64{
		"MemTotal:       16 kB\nMemFree:        1 kB\nMemAvailable:   12 kB\nBuffers: 3 kB\n": 12 << 10,
		"MemTotal: 16 kB\nMemFree: 1 kB\n":      0, // kernels before 3.14
		"MemTotal: 16 kB\nMemAvailable: x kB\n": 0,
		"":                                      0,
	} {
		if got := memAvailable(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if systemMemory() == 0 {
		t.Error("this system has no MemAvailable")
	}
}
