package app

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/KimMachineGun/automemlimit/memlimit"

	_ "selfplay/cmd/internal/byteorder" // refuses big-endian machines
)

// Main runs a program with the arguments of the process and exits with its code. The first
// SIGINT, SIGTERM or SIGHUP cancels the context of run; the second one ends the process. A
// write to a closed stderr cancels the context too.
func Main(run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int) {
	_, _ = memlimit.Set(memlimit.WithRatio(memoryShare)) // without a limit to read, the default stays
	ctx, stop := context.WithCancelCause(untilSignal())
	os.Exit(run(ctx, os.Args, os.Stdin, os.Stdout, openStderr(stop)))
}

// memoryShare is the share of the cgroup's memory that the Go heap may use, unless GOMEMLIMIT
// is set. Without a limit a container may be killed for memory that is only garbage. The rest
// is for stacks, file buffers and what the runtime does not count.
const memoryShare = 0.9

// untilSignal returns a context that the first signal cancels. The second signal is handled
// here and not by the system: a shell starts background processes of a script with SIGINT
// ignored, and the system would ignore it again. The exit code is the one a shell reports
// for a process killed by the signal: 130 for SIGINT, 143 for SIGTERM.
func untilSignal() context.Context {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signals = append(signals, syscall.SIGHUP)
	}
	received := make(chan os.Signal, 2)
	signal.Notify(received, signals...)
	ctx, _ := signal.NotifyContext(context.Background(), signals...)
	go func() {
		<-received
		os.Exit(128 + int((<-received).(syscall.Signal)))
	}()
	return ctx
}
