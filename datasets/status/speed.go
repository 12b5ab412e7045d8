package status

import (
	"math"
	"time"
)

// addSpeed adds the rate and the time left. Each task has shards of its own, so the slowest
// task decides. The time left is unknown while the work of a task waits for a process.
func (s *Status) addSpeed() {
	var slowest int64
	known := s.Alive
	for i := range s.Tasks {
		t := &s.Tasks[i]
		s.GamesPerS += t.GamesPerS
		t.ETA = timeLeft(t.Target-min(t.Target, t.GamesDone), t.GamesPerS)
		if t.ETA == nil {
			known = false
			continue
		}
		slowest = max(slowest, *t.ETA)
	}
	s.GamesPerS = round(s.GamesPerS)
	if known && len(s.Tasks) > 0 {
		s.ETA = &slowest
	}
}

// addPace replaces rate and time left of a dataset in a store, where only commits show what other
// machines do: more games were committed in time d. Without any, the rate of this machine stays.
func (s *Status) addPace(more uint64, d time.Duration) {
	if !s.Store || more == 0 || d <= 0 {
		return
	}
	s.GamesPerS = round(float64(more) / d.Seconds())
	s.ETA = timeLeft(s.Target-min(s.Target, s.Games), s.GamesPerS)
}

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
