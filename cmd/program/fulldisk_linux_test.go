package program

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"selfplay/internal/must"
)

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
