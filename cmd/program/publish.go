package program

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/monitor"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets/output"
	"selfplay/datasets/status"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// publishInterval is the time between two updates of a file.
const publishInterval = 2 * time.Second

func publishFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "status-file", Category: app.Logging, Usage: "keep the summary in `FILE`, one JSON object, during the run and after it"},
		&cli.StringFlag{Name: "metrics", Category: app.Logging, Usage: "`ADDR|FILE` of Prometheus metrics: an address to serve them at, such as 127.0.0.1:9100, or a file that ends in .prom"},
	}
}

// logEvery is the flag of logEveryFlag.
const logEvery = "log-every"

// logEveryFlag is for commands that other programs start and watch by the lines on stderr.
func logEveryFlag() cli.Flag {
	return &cli.DurationFlag{Name: logEvery, Category: app.Logging, Value: progress.LogInterval,
		Usage: "without a terminal, write a line of progress every `TIME`",
		Action: func(_ *cli.Context, interval time.Duration) error {
			if interval < minLogInterval {
				return app.Usage("log-every %s: want at least %s", interval, minLogInterval)
			}
			return nil
		}}
}

// minLogInterval keeps lines readable.
const minLogInterval = 100 * time.Millisecond

// publishing says where a run publishes its state. The zero value is nowhere.
type publishing struct {
	status  string // path
	metrics monitor.Target
}

// publishingFrom reads publishFlags.
func publishingFrom(c *cli.Context) (p publishing, err error) {
	p.status = c.String("status-file")
	if c.IsSet("status-file") && p.status == "" {
		return p, app.Usage("status-file: the name of the file is empty")
	}
	if !c.IsSet("metrics") {
		return p, nil
	}
	if p.metrics, err = monitor.ParseTarget(c.String("metrics")); err != nil {
		return p, app.Usage("metrics %v", err)
	}
	if p.status != "" && absolute(p.status) == absolute(p.metrics.File) {
		return p, app.Usage("flags --status-file and --metrics name the same file: %s", p.status)
	}
	return p, nil
}

// publisher publishes the state of one run.
type publisher struct {
	tracker *status.Tracker
	log     *slog.Logger
	files   []func(status.Run) // update a file
	server  *monitor.Server    // nil without an address
	stop    func() error
}

// open reserves the files and the address, and writes nothing to a file: the run may yet
// find that another one has the dataset.
func (p publishing) open(out string, t *status.Tracker, log *slog.Logger) (u *publisher, err error) {
	u = &publisher{tracker: t, log: log}
	if p.status != "" {
		err = u.addFile(p.status, `{"state":`, out, statusOf)
	}
	if p.metrics.File != "" && err == nil {
		err = u.addFile(p.metrics.File, "# HELP selfplay_", out, metricsOf)
	}
	if p.metrics.Addr != "" && err == nil {
		if u.server, err = monitor.Serve(p.metrics.Addr, func() []byte { return metricsOf(t.Look()) }); err != nil {
			err = fmt.Errorf("serve metrics: %w: choose another --metrics", err)
		}
	}
	if err != nil {
		return nil, app.Usage("%v", err)
	}
	return u, nil
}

// addFile adds a file that begins with prefix. It refuses one inside the dataset: it would be damage
// there. A failed update does not end the run: it is logged once, until an update succeeds.
func (u *publisher) addFile(path, prefix, out string, render func(status.Run) []byte) error {
	if _, err := os.Stat(out); err == nil {
		inside, err := output.LiesIn(path, out)
		if err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		if inside {
			return fmt.Errorf("write %s: it lies in the dataset %s", path, out)
		}
	}
	file, err := monitor.NewFile(path, []byte(prefix))
	failed := false
	u.files = append(u.files, func(r status.Run) {
		err := file.Replace(render(r))
		if err != nil && !failed {
			u.log.Warn("publish", "err", err)
		}
		failed = err != nil
	})
	return err
}

// start begins to publish.
func (u *publisher) start() {
	if u.server != nil {
		u.log.Info("metrics", "url", u.server.URL)
	}
	u.stop = goroutine.Every(publishInterval, publishInterval, u.update)
}

// end publishes the last state and closes the address.
func (u *publisher) end() {
	if err := u.stop(); err != nil {
		u.log.Error("publish", "err", err)
	}
	u.update()
	if err := u.server.Close(); err != nil {
		u.log.Warn("close metrics", "err", err)
	}
}

// update updates all files, if the run has begun.
func (u *publisher) update() {
	r := u.tracker.Look()
	if !r.Begun() {
		return
	}
	for _, update := range u.files {
		update(r)
	}
}

// statusOf returns the content of the status file.
func statusOf(s status.Run) []byte {
	var b bytes.Buffer
	_ = encode.NewJSON(&b).Encode(s) // a Run has only values that JSON has
	return b.Bytes()
}
