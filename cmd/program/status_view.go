package program

import (
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"selfplay/cmd/internal/app"
	"selfplay/datasets/status"
	"selfplay/encode"
)

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
	f, ok := app.Bytes(c.App.Writer).(*os.File)
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
			return max(width-1, minWidth), max(height-1, 1)
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
