package heartbeat

import "time"

// A speed is measured over the shortest window that has at least minWindow and minGames,
// because searched games may take minutes each, or over everything that is known.
const (
	minWindow = 2 * time.Minute
	minGames  = 20
	maxPoints = 360 // of a speedometer: half an hour of beats
)

// speedometer measures games per second from a count that is read now and then.
type speedometer struct {
	points []point // oldest first
}

// point is a count of games at a time.
type point struct {
	at    time.Time
	games uint64
}

// add adds a count. Above maxPoints, it drops every other point.
func (s *speedometer) add(at time.Time, games uint64) {
	if s.points = append(s.points, point{at, games}); len(s.points) <= maxPoints {
		return
	}
	kept := s.points[:0]
	for i, p := range s.points {
		if i%2 == 0 {
			kept = append(kept, p)
		}
	}
	s.points = kept
}

// rate returns the games per second and the window they were counted in; 0 before the
// second point.
func (s *speedometer) rate() (perS float64, window time.Duration) {
	if len(s.points) < 2 {
		return 0, 0
	}
	last := s.points[len(s.points)-1]
	first := s.points[0]
	for _, p := range s.points {
		if last.at.Sub(p.at) < minWindow || last.games-p.games < minGames {
			break
		}
		first = p
	}
	window = last.at.Sub(first.at)
	if window <= 0 {
		return 0, 0
	}
	return float64(last.games-first.games) / window.Seconds(), window
}
