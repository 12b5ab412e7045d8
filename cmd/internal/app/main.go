package app

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Main is the main function of a program: it runs it until it is over. The first of
// SIGINT, SIGTERM and SIGHUP ends the context of run, the second the process.
func Main(run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int) {
	LimitMemory()
	ctx := untilSignal()
	os.Exit(run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// untilSignal returns a context that the first signal ends. To leave the second to the
// system would not do: a shell starts what it runs in the background of a script with
// SIGINT ignored, and so it would be again. The exit code is what a shell says of a
// process that the signal has killed: 130 for SIGINT, 143 for SIGTERM.
func untilSignal() context.Context {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	all := make(chan os.Signal, 2)
	signal.Notify(all, signals...)
	ctx, _ := signal.NotifyContext(context.Background(), signals...)
	go func() {
		<-all
		os.Exit(128 + int((<-all).(syscall.Signal)))
	}()
	return ctx
}
