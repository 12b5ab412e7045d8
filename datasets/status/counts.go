package status

import (
	"math"
	"time"

	"selfplay/datasets/record"
)

// Finished adds the games in journals. A finished game is committed or journaled, never both.
type Finished struct {
	record.Counts
	Journaled uint64 `json:"journaled"`  // finished, in journals of unfinished shards
	GamesDone uint64 `json:"games_done"` // both
}

// add adds a shard.
func (f *Finished) add(s record.ShardCount) {
	f.Target += s.Games
	f.Shards++
	f.Games += s.Committed
	f.setJournaled(f.Journaled + s.Journaled)
	if s.Committed == s.Games {
		f.ShardsDone++
	}
}

// setJournaled sets the number of games in journals.
func (f *Finished) setJournaled(games uint64) { f.Journaled, f.GamesDone = games, f.Games+games }

// missing returns the number of games that are not finished.
func (f *Finished) missing() uint64 { return f.Target - min(f.Target, f.GamesDone) }

// timeLeft returns the time for a number of games in seconds, nil if it is unknown.
func timeLeft(games uint64, perS float64) *int64 {
	if games == 0 {
		return new(int64)
	}
	left := float64(games) / perS
	if perS <= 0 || left > math.MaxInt64/float64(time.Second) {
		return nil
	}
	return seconds(time.Duration(left * float64(time.Second)))
}

// round rounds a measured number to six decimals.
func round(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// perSecond returns n per second.
func perSecond(n uint64, d time.Duration) float64 {
	return float64(n) / max(d, time.Microsecond).Seconds()
}

// tenths rounds to one decimal.
func tenths(v float64) float64 { return math.Round(10*v) / 10 }

// seconds returns a duration in whole seconds, at least 0: clocks of machines differ.
func seconds(d time.Duration) *int64 {
	n := max(0, int64(d.Round(time.Second)/time.Second))
	return &n
}
