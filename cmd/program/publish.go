package program

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/datasets/disk"
	"selfplay/datasets/output"
	"selfplay/datasets/status"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// publishInterval is the time between two updates of a file.
const publishInterval = 2 * time.Second

func publishFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "status-file", Category: groupLogging, Usage: "keep the summary in `FILE`, one JSON object, during the run and after it"},
		&cli.StringFlag{Name: "metrics", Category: groupLogging, Usage: "`ADDR|FILE` of Prometheus metrics: an address to serve them at, such as 127.0.0.1:9100, or a file that ends in .prom"},
	}
}

// logEvery is the flag of logEveryFlag.
const logEvery = "log-every"

// logEveryFlag is for commands that other programs start and watch by the lines on stderr.
func logEveryFlag() cli.Flag {
	return &cli.DurationFlag{Name: logEvery, Category: groupLogging, Value: logInterval,
		Usage: "without a terminal, write a line of progress every `TIME`",
		Action: func(_ *cli.Context, interval time.Duration) error {
			if interval < minLogInterval {
				return usagef("log-every %s: want at least %s", interval, minLogInterval)
			}
			return nil
		}}
}

// minLogInterval keeps lines readable.
const minLogInterval = 100 * time.Millisecond

// publishing says where a run publishes its state. The zero value is nowhere.
type publishing struct {
	status  string // path
	metrics metricsTarget
}

// publishingFrom reads publishFlags.
func publishingFrom(c *cli.Context) (p publishing, err error) {
	p.status = c.String("status-file")
	if c.IsSet("status-file") && p.status == "" {
		return p, usagef("status-file: the name of the file is empty")
	}
	if !c.IsSet("metrics") {
		return p, nil
	}
	if p.metrics, err = parseMetricsTarget(c.String("metrics")); err != nil {
		return p, usagef("metrics %v", err)
	}
	if p.status != "" && absolutePath(p.status) == absolutePath(p.metrics.File) {
		return p, usagef("flags --status-file and --metrics name the same file: %s", p.status)
	}
	return p, nil
}

// publisher publishes the state of one run.
type publisher struct {
	tracker *status.Tracker
	log     *slog.Logger
	files   []func(status.Run) // update a file
	server  *metricsServer     // nil without an address
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
		if u.server, err = serveMetrics(p.metrics.Addr, func() []byte { return metricsOf(t.Look()) }); err != nil {
			err = fmt.Errorf("serve metrics: %w: choose another --metrics", err)
		}
	}
	if err != nil {
		return nil, usagef("%v", err)
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
	file, err := newStateFile(path, []byte(prefix))
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

// metricsOf returns the state of a run as Prometheus metrics. Alerts use their names: add
// some, rename none. They all name the dataset, because one machine may run several.
func metricsOf(s status.Run) []byte {
	shared := []metricLabel{{Name: "dataset", Value: s.Out}}
	if s.TaskIndex != nil {
		shared = append(shared, metricLabel{Name: "task", Value: strconv.Itoa(*s.TaskIndex)})
	}
	list := runMetrics(s)
	if free, _, ok := disk.Space(s.Out); ok {
		list = append(list, newMetric("selfplay_disk_free_bytes", "Free bytes of the disk of the dataset.", float64(free)))
	}
	if s.ETA != nil {
		list = append(list, newMetric("selfplay_eta_seconds", "Estimated seconds until the run has all its games. Absent if unknown.", float64(*s.ETA)))
	}
	if s.ExitCode != nil {
		list = append(list, newMetric("selfplay_exit_code", "Exit code of the run. Absent while it works.", float64(*s.ExitCode)))
		failed := 0.0
		if s.State == status.Failed {
			failed = 1
		}
		list = append(list, newMetric("selfplay_failed", "1 if the run ended with an error, 0 if it is done or was asked to stop. Absent while it works.", failed))
	}
	return metricsText(shared, list)
}

// runMetrics returns what this run did, and what the dataset has.
func runMetrics(s status.Run) []metric {
	info := newMetric("selfplay_run_info", "Constant 1, with facts about the run as labels.", 1)
	info.Labels = []metricLabel{{Name: "game", Value: s.Game}, {Name: "plan", Value: s.PlanHash}, {Name: "version", Value: programVersion()}}
	running := 0.0
	if s.ExitCode == nil {
		running = 1
	}
	commit := s.LastCommit
	if commit.IsZero() {
		commit = s.Started
	}
	return []metric{
		info,
		newMetric("selfplay_running", "1 while the run works, 0 after it.", running),
		newMetric("selfplay_start_timestamp_seconds", "Unix time of the start of the run.", unixSeconds(s.Started)),
		newMetric("selfplay_updated_timestamp_seconds", "Unix time of these numbers.", unixSeconds(s.Updated)),
		newMetric("selfplay_games_played_total", "Games that this run played.", float64(s.Played)),
		newMetric("selfplay_plies_played_total", "Plies that this run played, of unfinished games too.", float64(s.Plies)),
		newMetric("selfplay_games_recovered_total", "Games that this run found in journals of earlier runs.", float64(s.Recovered)),
		newMetric("selfplay_rows_made_total", "Rows of positions that this run made, committed or not.", float64(s.RowsMade)),
		newMetric("selfplay_shards_committed_total", "Shards that this run committed.", float64(s.ShardsNew)),
		newMetric("selfplay_failures_total", "Games of this run that panicked.", float64(s.Failures)),
		newMetric("selfplay_last_commit_timestamp_seconds", "Unix time of the last shard that this run committed, or of its start.", unixSeconds(commit)),
		newMetric("selfplay_last_commit_age_seconds", "Seconds since this run committed a shard, or since its start.", s.Updated.Sub(commit).Seconds()),
		newMetric("selfplay_workers", "Goroutines that play games.", float64(s.Workers)),
		newMetric("selfplay_workers_busy", "Goroutines that play a game now.", float64(s.Busy)),
		newMetric("selfplay_worker_seconds_total", "Seconds that workers spent on the games that this run played.", s.WorkerTime.Seconds()),

		newMetric("selfplay_dataset_target_games", "Games that the dataset will have.", float64(s.Target)),
		newMetric("selfplay_dataset_target_shards", "Shards that the dataset will have.", float64(s.Shards)),
		newMetric("selfplay_dataset_games", "Committed games of the dataset.", float64(s.Games)),
		newMetric("selfplay_dataset_games_done", "Finished games of the dataset, committed or in journals.", float64(s.GamesDone)),
		newMetric("selfplay_dataset_rows", "Committed rows of positions of the dataset.", float64(s.Rows)),
		newMetric("selfplay_dataset_shards", "Committed shards of the dataset.", float64(s.ShardsDone)),
		newMetric("selfplay_dataset_bytes", "Bytes of the committed files of the dataset.", float64(s.Bytes)),
	}
}

func newMetric(name, help string, value float64) metric {
	return metric{Name: name, Help: help, Value: value}
}

// unixSeconds returns a time as Unix seconds.
func unixSeconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
