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
	files   []publishedFile
	server  *monitor.Server // nil without an address
	stop    func() error
}

// publishedFile is a file that is updated during a run.
type publishedFile struct {
	*monitor.File
	render func(status.Run) []byte
	failed bool // the last update failed, which was logged
}

// open reserves the files and the address, and writes nothing to a file: the run may yet
// find that another one has the dataset.
func (p publishing) open(out string, t *status.Tracker, log *slog.Logger) (*publisher, error) {
	u := &publisher{tracker: t, log: log}
	for _, f := range []struct {
		path, prefix string
		render       func(status.Run) []byte
	}{{p.status, `{"state":`, statusOf}, {p.metrics.File, "# HELP selfplay_", metricsOf}} {
		if f.path == "" {
			continue
		}
		file, err := openPublished(f.path, f.prefix, out)
		if err != nil {
			return nil, app.Usage("%v", err)
		}
		u.files = append(u.files, publishedFile{File: file, render: f.render})
	}
	if p.metrics.Addr != "" {
		var err error
		if u.server, err = monitor.Listen(p.metrics.Addr); err != nil {
			return nil, app.Usage("serve metrics: %v: choose another --metrics", err)
		}
	}
	return u, nil
}

// openPublished refuses a file inside the dataset: it would be damage there.
func openPublished(path, prefix, out string) (*monitor.File, error) {
	if _, err := os.Stat(out); err == nil {
		if inside, err := output.LiesIn(path, out); err != nil || inside {
			return nil, fmt.Errorf("write %s: it lies in the dataset %s", path, out)
		}
	}
	return monitor.NewFile(path, []byte(prefix))
}

// start begins to publish.
func (u *publisher) start() {
	if u.server != nil {
		u.server.Serve(func() []byte { return metricsOf(u.tracker.Look()) })
		u.log.Info("metrics", "url", u.server.URL())
	}
	u.stop = goroutine.Every(publishInterval, publishInterval, u.update)
}

// end publishes the last state and closes the address.
func (u *publisher) end() {
	if err := u.stop(); err != nil {
		u.log.Error("publish", "err", err)
	}
	u.update()
	if err := u.close(); err != nil {
		u.log.Warn("close metrics", "err", err)
	}
}

// close closes the address.
func (u *publisher) close() error {
	if u.server == nil {
		return nil
	}
	return u.server.Close()
}

// update writes all files, if the run has begun. A failure does not end the run: it is logged
// once, until an update succeeds.
func (u *publisher) update() {
	s := u.tracker.Look()
	if !s.Begun() {
		return
	}
	for i := range u.files {
		f := &u.files[i]
		err := f.Replace(f.render(s))
		if err != nil && !f.failed {
			u.log.Warn("publish", "err", err)
		}
		f.failed = err != nil
	}
}

// statusOf returns the content of the status file.
func statusOf(s status.Run) []byte {
	var b bytes.Buffer
	_ = encode.NewJSON(&b).Encode(s) // a Run has only values that JSON has
	return b.Bytes()
}
