package app

import (
	"math"
	"runtime/debug"

	"github.com/pbnjay/memory"

	"selfplay/cmd/internal/human"
)

// CheckTables returns a usage error if the tables and trees of players may take more memory than there is. Go ends
// a program that runs out of memory with a stack of every goroutine. remedy says what to do.
func CheckTables(bytes uint64, remedy string) error {
	available := availableMemory()
	if bytes <= available {
		return nil
	}
	return Usage("the tables and trees of the players take up to %s, and %s of memory are available: %s",
		human.Size(float64(bytes)), human.Size(float64(available)), remedy)
}

// What to do about tables that are too large.
const (
	LowerHash     = "lower hash or sims"
	FewerWorkers  = "lower hash or sims, or use fewer --workers"
	LargerMachine = "they are part of the plan: use a machine with more memory"
	FewerThreads  = "they are part of the plan: set GOMAXPROCS=1 to play one game at a time, or use a machine with more memory"
)

// availableMemory returns the number of bytes that the program may take: those that the system has
// left, and no more than GOMEMLIMIT, which Main sets to the limit of the cgroup.
func availableMemory() uint64 {
	available := systemMemory()
	if available == 0 {
		available = memory.TotalMemory()
	}
	if available == 0 { // the system does not say
		available = math.MaxUint64
	}
	return min(available, uint64(debug.SetMemoryLimit(-1)))
}
