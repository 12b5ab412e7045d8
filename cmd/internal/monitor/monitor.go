// Package monitor publishes what a long command does to other programs: in a file that is
// replaced whole again and again, or as Prometheus metrics over HTTP. It knows nothing about
// datasets.
//
// The text format has about twenty lines of rules, so it is written here. The Prometheus
// client library would add seven modules for it.
//
//	monitor.go  Every: a function at regular intervals
//	file.go     File: a small file, replaced whole
//	text.go     Metric, and the Prometheus text format
//	target.go   the value of --metrics: an address or a file
//	server.go   Server: metrics over HTTP
//
// Source of the format: https://prometheus.io/docs/instrumenting/exposition_formats/
package monitor

import (
	"time"

	"selfplay/internal/goroutine"
)

// Every calls f in a goroutine of its own, once per interval, until stop is called. stop
// waits for a call that has begun, and returns an error if f panicked.
func Every(interval time.Duration, f func()) (stop func() error) {
	done := make(chan struct{})
	caller := goroutine.New()
	caller.Go(func() error {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				f()
			case <-done:
				return nil
			}
		}
	})
	return func() error {
		close(done)
		return caller.Wait()
	}
}
