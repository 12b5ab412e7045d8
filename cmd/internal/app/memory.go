package app

import "github.com/KimMachineGun/automemlimit/memlimit"

// memoryShare is the share of the cgroup's memory that the Go heap may use. The rest is for
// stacks, file buffers and what the runtime does not count.
const memoryShare = 0.9

// LimitMemory gives the garbage collector the memory limit of the process's cgroup, unless
// GOMEMLIMIT is set. Without it a container may be killed for memory that is only garbage.
// Outside of cgroups it changes nothing.
func LimitMemory() {
	_, _ = memlimit.Set(memlimit.WithRatio(memoryShare)) // without a limit to read, the default stays
}
