//go:build linux

// Command scale measures the commands that read the bookkeeping of a dataset: plan, resume, finalize, verify, info and
// status, on one dataset that grows tenfold twice. Its shards have a game of two plies in each split, so nearly all
// work is bookkeeping. It prints a table and fails if a command takes more than its limits.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// What each command may take, with up to 100,000 shards.
const (
	mostSeconds = 10  // or as much CPU time, if the machine has other work
	mostMiB     = 300 // of resident memory
	mostGrowth  = 1.5 // times the CPU time for each shard, with ten times the shards
)

// cost is what a process took.
type cost struct {
	wall, cpu time.Duration
	mib       int64
}

func main() {
	shards := flag.Int("shards", 100_000, "measure with up to this many shards")
	flag.Parse()
	if err := measure(*shards); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

// measure builds the program, measures it with three numbers of shards and returns what went beyond a limit.
func measure(most int) error {
	dir, err := os.MkdirTemp("", "selfplay-scale-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, out := filepath.Join(dir, "selfplay"), filepath.Join(dir, "out")
	if text, err := exec.Command("go", "build", "-o", program, "./cmd/selfplay").CombinedOutput(); err != nil {
		return fmt.Errorf("build selfplay: %w: %s", err, text)
	}
	fmt.Println("| command | shards | wall | CPU | memory |\n|---|---|---|---|---|")
	before, beyond := map[string]cost{}, error(nil)
	for _, shards := range []int{most / 100, most / 10, most} {
		run := strings.Fields("run --quiet --game contrast --player random --shard-games 2 --validation 0.5 --max-plies 2 --check light --games " + strconv.Itoa(2*shards) + " --out " + out)
		if _, err := spend(program, run...); err != nil {
			return err
		}
		for _, args := range [][]string{
			append(run, "--dry-run"), run, {"finalize", out}, {"verify", "--quick", out}, {"info", out}, {"status", out},
		} {
			name := args[0]
			if args[len(args)-1] == "--dry-run" {
				name = "plan"
			}
			c, err := spend(program, args...)
			if err != nil {
				return err
			}
			fmt.Printf("| %s | %d | %.2f s | %.2f s | %d MiB |\n", name, shards, c.wall.Seconds(), c.cpu.Seconds(), c.mib)
			beyond = errors.Join(beyond, limits(name, shards, c, before[name]))
			before[name] = c
		}
	}
	return beyond
}

// limits compares what a command took with its limits, and with what it took with a tenth of the shards.
func limits(name string, shards int, c, tenth cost) error {
	if min(c.wall, c.cpu) > mostSeconds*time.Second || c.mib > mostMiB {
		return fmt.Errorf("%s of %d shards took %v, %v of CPU time and %d MiB", name, shards, c.wall, c.cpu, c.mib)
	}
	if tenth.cpu > time.Second && c.cpu > time.Duration(10*mostGrowth*float64(tenth.cpu)) {
		return fmt.Errorf("%s: %v of CPU time with %d shards, %v with a tenth", name, c.cpu, shards, tenth.cpu)
	}
	return nil
}

// spend runs the program, which must succeed, and returns what it took.
func spend(program string, args ...string) (cost, error) {
	began, process := time.Now(), exec.Command(program, args...)
	if text, err := process.CombinedOutput(); err != nil {
		return cost{}, fmt.Errorf("%q: %w: %s", args, err, text)
	}
	state := process.ProcessState
	return cost{time.Since(began), state.UserTime() + state.SystemTime(), int64(state.SysUsage().(*syscall.Rusage).Maxrss) >> 10}, nil
}
