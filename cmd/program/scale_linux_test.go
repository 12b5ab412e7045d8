package program

import (
	"flag"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplay/internal/must"
)

// scale is the largest number of shards of TestBookkeepingScales: see make scale.
var scale = flag.Int("scale", 200, "measure the commands that read the bookkeeping with up to this many shards")

// What each command may take, with up to 100,000 shards.
const (
	scaleSeconds = 10  // or as much CPU time, if the machine has other work
	scaleMiB     = 300 // of resident memory
	scaleGrowth  = 1.5 // times the CPU time for each shard, with ten times the shards
)

// cost is what a process took.
type cost struct {
	wall, cpu time.Duration
	mib       int64 // 0 if unknown
}

// TestBookkeepingScales measures plan, resume, finalize, verify, info and status on one dataset
// that grows tenfold twice. Its shards have a game of two plies in each split, so
// nearly all work is bookkeeping.
func TestBookkeepingScales(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	before := map[string]cost{}
	t.Log("| command | shards | wall | CPU | memory |")
	for _, shards := range []int{*scale / 100, *scale / 10, *scale} {
		run := strings.Fields("run --quiet --game contrast --player random --shard-games 2 --validation 0.5 --max-plies 2 --check light --games " + strconv.Itoa(2*shards) + " --out " + out)
		spend(t, run...) // in a process of its own: its memory would count for those that follow
		for _, args := range [][]string{
			append(run, "--dry-run"), run, {"finalize", out}, {"verify", "--quick", out}, {"info", out}, {"status", out},
		} {
			name := args[0]
			if args[len(args)-1] == "--dry-run" {
				name = "plan"
			}
			c := spend(t, args...)
			t.Logf("| %s | %d | %.2f s | %.2f s | %d MiB |", name, shards, c.wall.Seconds(), c.cpu.Seconds(), c.mib)
			if min(c.wall, c.cpu) > scaleSeconds*time.Second || c.mib > scaleMiB {
				t.Errorf("%s of %d shards took %v, %v of CPU time and %d MiB", name, shards, c.wall, c.cpu, c.mib)
			}
			if b := before[name]; b.cpu > time.Second && c.cpu > time.Duration(10*scaleGrowth*float64(b.cpu)) {
				t.Errorf("%s: %v of CPU time with %d shards, %v with a tenth", name, c.cpu, shards, b.cpu)
			}
			before[name] = c
		}
	}
}

// spend runs the program as a process of its own, which must succeed.
func spend(t *testing.T, args ...string) cost {
	t.Helper()
	began := time.Now()
	process, stderr := start(t, args...)
	if err := process.Wait(); err != nil {
		t.Fatalf("%q: %v, stderr %s", args, err, stderr)
	}
	state := process.ProcessState
	usage := state.SysUsage().(*syscall.Rusage)
	c := cost{time.Since(began), state.UserTime() + state.SystemTime(), usage.Maxrss >> 10}
	// A process begins with the maximum of the one that started it. No more than that is unknown.
	var own syscall.Rusage
	must.Do(t, syscall.Getrusage(syscall.RUSAGE_SELF, &own))
	if usage.Maxrss <= own.Maxrss {
		c.mib = 0
	}
	return c
}
