package status

import (
	"testing"
	"time"

	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// TestRowRateIsThatOfPliesPlayed: rows that a resumed run makes of the games in its journals take no
// time, so they are not counted in its speed. The plies of unfinished games are.
func TestRowRateIsThatOfPliesPlayed(t *testing.T) {
	tracker := Track(100)
	tracker.began = time.Now().Add(-10 * time.Second)
	tracker.Notify(Event{Kind: EventResumed, Target: 100, Share: 100, Missing: 100, Journaled: map[int]uint64{0: 50}})
	rows := tracker.CountRows(func() datasets.RowFunc {
		return func(r *engine.Record, table *encode.Table, _ []uint64) error {
			table.Rows += len(r.Actions)
			return nil
		}
	})()
	for range 51 { // those in journals, and one more
		must.Do(t, rows(&engine.Record{Actions: make([]uint16, 60)}, new(encode.Table), nil))
	}
	tracker.Follow(func(r *Run) { r.Played, r.Plies = 1, 60 })
	if r := tracker.Look(); r.RowsMade != 51*60 || r.RowsPerS < 5.5 || r.RowsPerS > 6 {
		t.Errorf("%d rows made, %v per second of 10 seconds with 60", r.RowsMade, r.RowsPerS)
	}
	tracker.Follow(func(r *Run) { r.Played, r.Plies = 1, 600 }) // the other games under way have 540
	if r := tracker.Look(); r.RowsPerS < 55 || r.RowsPerS > 60 {
		t.Errorf("%v rows per second of 10 seconds with 600 plies", r.RowsPerS)
	}
}
