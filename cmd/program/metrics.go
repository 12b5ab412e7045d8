package program

import (
	"strconv"
	"time"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/monitor"
	"selfplay/datasets/disk"
	"selfplay/datasets/status"
)

// metricsOf returns the state of a run as Prometheus metrics. Alerts use their names: add
// some, rename none. They all name the dataset, because one machine may run several.
func metricsOf(s status.Run) []byte {
	shared := []monitor.Label{{Name: "dataset", Value: s.Out}}
	if s.TaskIndex != nil {
		shared = append(shared, monitor.Label{Name: "task", Value: strconv.Itoa(*s.TaskIndex)})
	}
	list := runMetrics(s)
	if free, _, ok := disk.Space(s.Out); ok {
		list = append(list, metric("selfplay_disk_free_bytes", "Free bytes of the disk of the dataset.", float64(free)))
	}
	if s.ETA != nil {
		list = append(list, metric("selfplay_eta_seconds", "Estimated seconds until the run has all its games. Absent if unknown.", float64(*s.ETA)))
	}
	if s.ExitCode != nil {
		list = append(list, metric("selfplay_exit_code", "Exit code of the run. Absent while it works.", float64(*s.ExitCode)))
		failed := 0.0
		if s.State == status.Failed {
			failed = 1
		}
		list = append(list, metric("selfplay_failed", "1 if the run ended with an error, 0 if it is done or was asked to stop. Absent while it works.", failed))
	}
	return monitor.Text(shared, list)
}

// runMetrics returns what this run did, and what the dataset has.
func runMetrics(s status.Run) []monitor.Metric {
	info := metric("selfplay_run_info", "Constant 1, with facts about the run as labels.", 1)
	info.Labels = []monitor.Label{{Name: "game", Value: s.Game}, {Name: "plan", Value: s.PlanHash}, {Name: "version", Value: app.Version()}}
	running := 0.0
	if s.ExitCode == nil {
		running = 1
	}
	commit := s.LastCommit
	if commit.IsZero() {
		commit = s.Started
	}
	return []monitor.Metric{
		info,
		metric("selfplay_running", "1 while the run works, 0 after it.", running),
		metric("selfplay_start_timestamp_seconds", "Unix time of the start of the run.", unixSeconds(s.Started)),
		metric("selfplay_updated_timestamp_seconds", "Unix time of these numbers.", unixSeconds(s.Updated)),
		metric("selfplay_games_played_total", "Games that this run played.", float64(s.Played)),
		metric("selfplay_plies_played_total", "Plies of the games that this run played.", float64(s.Plies)),
		metric("selfplay_games_recovered_total", "Games that this run found in journals of earlier runs.", float64(s.Recovered)),
		metric("selfplay_rows_made_total", "Rows of positions that this run made, committed or not.", float64(s.RowsMade)),
		metric("selfplay_shards_committed_total", "Shards that this run committed.", float64(s.ShardsNew)),
		metric("selfplay_failures_total", "Games of this run that panicked.", float64(s.Failures)),
		metric("selfplay_last_commit_timestamp_seconds", "Unix time of the last shard that this run committed, or of its start.", unixSeconds(commit)),
		metric("selfplay_last_commit_age_seconds", "Seconds since this run committed a shard, or since its start.", s.Updated.Sub(commit).Seconds()),
		metric("selfplay_workers", "Goroutines that play games.", float64(s.Workers)),
		metric("selfplay_workers_busy", "Goroutines that play a game now.", float64(s.Busy)),
		metric("selfplay_worker_seconds_total", "Seconds that workers spent on the games that this run played.", s.WorkerTime.Seconds()),

		metric("selfplay_dataset_target_games", "Games that the dataset will have.", float64(s.Target)),
		metric("selfplay_dataset_target_shards", "Shards that the dataset will have.", float64(s.Shards)),
		metric("selfplay_dataset_games", "Committed games of the dataset.", float64(s.Games)),
		metric("selfplay_dataset_games_done", "Finished games of the dataset, committed or in journals.", float64(s.GamesDone)),
		metric("selfplay_dataset_rows", "Committed rows of positions of the dataset.", float64(s.Rows)),
		metric("selfplay_dataset_shards", "Committed shards of the dataset.", float64(s.ShardsDone)),
		metric("selfplay_dataset_bytes", "Bytes of the committed files of the dataset.", float64(s.Bytes)),
	}
}

func metric(name, help string, value float64) monitor.Metric {
	return monitor.Metric{Name: name, Help: help, Value: value}
}

// unixSeconds returns a time as Unix seconds.
func unixSeconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
