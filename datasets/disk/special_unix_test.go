//go:build unix

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"selfplay/datasets/internal/fault"
	"selfplay/internal/must"
)

// plant puts a link to a missing file, a link to a file or a pipe in the place of a file.
// It returns the folder that the links point to.
func plant(t *testing.T, kind, name string) (outside string) {
	t.Helper()
	outside = t.TempDir()
	target := filepath.Join(outside, "target")
	os.Remove(name)
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	switch {
	case err != nil:
	case kind == "pipe":
		err = syscall.Mkfifo(name, 0o644)
	case kind == "link to a file":
		err = errors.Join(os.WriteFile(target, []byte("mine"), 0o644), os.Symlink(target, name))
	default:
		err = os.Symlink(target, name)
	}
	must.Do(t, err)
	return outside
}

// plants are the kinds of plant, with the files that must be outside after the test.
var plants = map[string][]string{"pipe": nil, "link": nil, "link to a file": {"target"}}

// TestPlantedFilesAreRefused: locks and logs that are no regular files are neither followed nor
// removed.
func TestPlantedFilesAreRefused(t *testing.T) {
	for at, try := range map[string]func(t *testing.T, d Dir){
		LockName: func(t *testing.T, d Dir) {
			for _, shared := range []bool{false, true} {
				must.Fail(Acquire(d, shared))(t, errNotRegular, "")
			}
		},
		"target.partial/" + pendingLock: func(t *testing.T, d Dir) { must.Fail(NewPending(d.Path("target")))(t, nil, "") },
		TempFolder + "/1-ab.lock": func(t *testing.T, d Dir) {
			if h := findHolder(d); h.PID != 0 {
				t.Errorf("holder %+v", h)
			}
			must.Do(t, errors.Join(d.Sweep(true), d.Sweep(false)))
		},
		"failures.jsonl": func(t *testing.T, d Dir) { must.Fail(OpenAppend(d.Path("failures.jsonl")))(t, errNotRegular, "") },
	} {
		for kind, want := range plants {
			t.Run(at+" "+kind, func(t *testing.T) {
				d := Dir{Root: t.TempDir(), FS: OS{}}
				outside := plant(t, kind, d.Path(at))
				try(t, d)
				mustHold(t, outside, want...)
				mustHold(t, filepath.Dir(d.Path(at)), filepath.Base(at))
			})
		}
	}
}

func TestPipesAndDevicesAreNotRead(t *testing.T) {
	d := Dir{Root: t.TempDir(), FS: OS{}}
	plant(t, "pipe", d.Path("pipe"))
	must.Do(t, os.Symlink("/dev/zero", d.Path("zero")))
	for _, name := range []string{"pipe", "zero"} {
		must.Fail(d.ReadFile(name))(t, fault.ErrCorrupt, "not a regular file")
		must.Fail(ReadRegular(d.Path(name), 10))(t, errNotRegular, "")
	}
}

func TestHugeFilesAreNotRead(t *testing.T) {
	d := Dir{Root: t.TempDir(), FS: OS{}}
	f := must.Get(os.Create(d.Path("huge")))(t)
	must.Do(t, errors.Join(f.Truncate(1<<40), f.Close()))
	must.Fail(d.ReadFile("huge"))(t, fault.ErrCorrupt, "more than 268435456 bytes")
	for size, want := range map[int]bool{9: true, 10: true, 11: false} {
		must.Do(t, os.WriteFile(d.Path("small"), make([]byte, size), 0o644))
		data, err := ReadRegular(d.Path("small"), 10)
		if (err == nil) != want || want && len(data) != size {
			t.Errorf("%d bytes: %d read, %v", size, len(data), err)
		}
	}
}

// TestErrorsOfALockNameTheRemedy: some network file systems cannot lock files.
func TestErrorsOfALockNameTheRemedy(t *testing.T) {
	for _, cause := range []error{syscall.ENOSYS, syscall.ENOLCK, syscall.EOPNOTSUPP} {
		file := newFlock(filepath.Join(t.TempDir(), "lock"))
		_, err := tryLock(file, func() (bool, error) { return false, cause })
		if !errors.Is(err, cause) || !strings.Contains(err.Error(), "cannot lock files") || !strings.Contains(err.Error(), "a directory of its own") {
			t.Errorf("%v", err)
		}
	}
	if err := explainLock(syscall.EACCES); err != syscall.EACCES {
		t.Errorf("%v", err)
	}
}
