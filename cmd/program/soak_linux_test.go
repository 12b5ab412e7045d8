package program

import (
	"flag"
	"fmt"
	"os"
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
	if code := exitCode(process.Wait()); code != 3 {
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
