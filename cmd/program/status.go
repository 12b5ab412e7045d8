package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"selfplay/datasets"
	"selfplay/datasets/status"
	"selfplay/encode"
)

// Intervals between the looks of --watch: on a terminal, where the status is redrawn, and
// elsewhere, where each look is a line.
const (
	redrawInterval = 2 * time.Second
	appendInterval = 30 * time.Second
	minInterval    = 100 * time.Millisecond
)

func statusCommand() *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "say how far a run is and whether it is alive, from another terminal or machine",
		ArgsUsage: "DIR",
		Description: `Reads the files of the dataset only: it takes no lock and writes nothing. A process of this
machine is known to be alive by its lock. A process of another machine that shares the files is
known by its lock, or by its heartbeat where locks do not reach that far: alive means that the
heartbeat is at most 90 s old.

Of a dataset in an object store only the commit records can be seen from every machine: processes,
journals and failures are those of this machine, and the rate is that of the commits between two
looks. --watch then looks until all games are committed, whether a process is known or not.

With --watch the exit code tells how the run ended: 0 if all games are committed, 1 if it
failed, 3 if it was stopped or killed before its end, and also if --watch itself is interrupted.
Without --watch it is 0 if the status could be read.

Examples:
selfplay status /data/night
selfplay status --watch /data/night
selfplay status --json /data/night
`,
		Flags: append(storeFlags(),
			jsonFlagFor("print one line of JSON, with --watch one at each look"),
			&cli.BoolFlag{Name: "watch", Category: groupOutput, Usage: "look again and again until no process works on the dataset, or until a dataset in a store has all games"},
			&cli.DurationFlag{Name: "interval", Category: groupOutput, Usage: "look again after this `TIME`, such as 10s", DefaultText: "2s on a terminal, else 30s"},
		),
		Action: runStatus,
	}
}

func runStatus(c *cli.Context) error {
	dir, err := dirArg(c)
	if err != nil {
		return err
	}
	interval := c.Duration("interval")
	if c.IsSet("interval") && (interval < minInterval || !c.Bool("watch")) {
		return usagef("interval %v: want --watch and at least %v", interval, minInterval)
	}
	w, err := status.Open(dir)
	if err != nil {
		return err
	}
	v := newStatusView(c, dir)
	if interval == 0 {
		interval = v.interval()
	}
	if c.Bool("watch") {
		return explainDamage(c, dir, watchStatus(c.Context, w, v, interval))
	}
	s, err := w.Look()
	if err != nil {
		return explainDamage(c, dir, err)
	}
	return v.once(s)
}

// watchStatus shows the status until no process is alive. In a store, where those of other machines are not
// seen, it shows it until all games are committed. It returns how the run ended.
func watchStatus(ctx context.Context, w *status.Watcher, v *statusView, interval time.Duration) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		s, err := w.Look()
		if err != nil {
			return err
		}
		if err := v.show(s); err != nil || isOver(s) {
			return errors.Join(err, endOf(s, v.dir))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("watch %s: %w", v.dir, context.Cause(ctx))
		}
	}
}

// isOver reports whether there is nothing more to watch.
func isOver(s *status.Status) bool { return !s.Alive && (!s.Store || s.State == status.Done) }

// endOf returns the error for how a run ended.
func endOf(s *status.Status, dir string) error {
	switch s.State {
	case status.Done:
		return nil
	case status.Failed:
		return fmt.Errorf("watch %s: the run failed", dir)
	default:
		return fmt.Errorf("watch %s: %s: %w; the same command resumes", dir, s.State, datasets.ErrIncomplete)
	}
}

// statusView shows statuses on stdout: as JSON, as a block of text that is redrawn, or as
// lines that are appended.
type statusView struct {
	c        *cli.Context
	dir      string
	json     bool
	terminal *os.File // nil if stdout is none, or one that cannot move the cursor
	lines    int      // of the block on the terminal
	width    int      // of the terminal when the block was drawn
}

func newStatusView(c *cli.Context, dir string) *statusView {
	v := &statusView{c: c, dir: dir, json: c.Bool("json")}
	f, ok := bytesWriter(c.App.Writer).(*os.File)
	if ok && !v.json && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd())) {
		v.terminal = f
	}
	return v
}

func (v *statusView) interval() time.Duration {
	if v.terminal != nil {
		return redrawInterval
	}
	return appendInterval
}

// once shows a single status.
func (v *statusView) once(s *status.Status) error {
	if v.json {
		return encode.NewJSON(v.c.App.Writer).Encode(s)
	}
	width, _ := v.size()
	return v.write(statusText(s, v.c, v.dir, width))
}

// show shows one status of several.
func (v *statusView) show(s *status.Status) error {
	switch {
	case v.json:
		return v.once(s)
	case v.terminal != nil:
		return v.redraw(s)
	case !isOver(s):
		return v.write([]string{time.Now().Format(time.TimeOnly) + " " + statusLine(s)})
	}
	return v.once(s) // the last one says more
}

func (v *statusView) write(lines []string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(v.c.App.Writer, line); err != nil {
			return err
		}
	}
	return nil
}

// size returns the columns and lines to use: those of the terminal, or 80 columns.
func (v *statusView) size() (width, height int) {
	if v.terminal != nil {
		if width, height, err := term.GetSize(int(v.terminal.Fd())); err == nil && width > 0 {
			return max(width-1, minStatusWidth), max(height-1, 1)
		}
	}
	return 80, 24
}

// redraw draws the status over the last one. It leaves out the lines that do not fit. After a
// change of the width, the old lines are broken in other places, so it clears the screen.
func (v *statusView) redraw(s *status.Status) error {
	width, height := v.size()
	lines := statusText(s, v.c, v.dir, width)
	lines = lines[:min(len(lines), height)]
	text := ""
	switch {
	case v.lines > 0 && width != v.width:
		text = "\x1b[2J\x1b[H"
	case v.lines > 0:
		text = fmt.Sprintf("\x1b[%dA", v.lines)
	}
	for _, line := range lines {
		text += line + "\x1b[K\n"
	}
	v.lines, v.width = len(lines), width
	_, err := v.terminal.WriteString(text + "\x1b[J")
	return err
}
