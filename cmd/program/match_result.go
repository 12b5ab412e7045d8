package program

import (
	"fmt"
	"io"
	"math"
	"strings"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/networks"
	"selfplay/workers"
)

// matchResult is what match prints. Elo is that of A over B, with its 95 % interval.
type matchResult struct {
	Game string `json:"game"`
	A    string `json:"a"`
	B    string `json:"b"`
	tally
	Elo     float64 `json:"elo"`
	EloLow  float64 `json:"elo_low"`
	EloHigh float64 `json:"elo_high"`
	LOS     float64 `json:"los"` // probability that A is the stronger player
	SPRT    *sprt   `json:"sprt,omitempty"`
	NodesA  uint64  `json:"nodes_a"`
	NodesB  uint64  `json:"nodes_b"`
	CPUA    float64 `json:"cpu_a"` // seconds, by Clock
	CPUB    float64 `json:"cpu_b"`
	Clock   string  `json:"clock"` // cpu or wall, see threadTime

	ModelCPUA float64 `json:"model_cpu_a,omitempty"` // of the models of users, not in CPUA
	ModelCPUB float64 `json:"model_cpu_b,omitempty"`
}

// setStatistics sets what follows from the tally.
func (r *matchResult) setStatistics() {
	r.Elo, r.EloLow, r.EloHigh = r.elo()
	r.LOS = r.los()
}

// setCosts sets nodes and times of A and B.
func (r *matchResult) setCosts(costs [2]workers.Cost) {
	r.NodesA, r.NodesB = costs[0].Nodes, costs[1].Nodes
	r.CPUA, r.CPUB = seconds(costs[0].CPU), seconds(costs[1].CPU)
	r.Clock = threadClock
}

// setModelCosts sets the CPU time of the models of A and B: each player's share of the questions to them.
func (r *matchResult) setModelCosts(s *workers.Series, costs [2]workers.Cost, counts []workers.ModelCounts) {
	for i, spent := range []*float64{&r.ModelCPUA, &r.ModelCPUB} {
		for _, m := range s.Players[i].Models() {
			for _, c := range counts {
				if c.Name == m.Name && c.Evaluations > 0 {
					*spent += seconds(c.CPU) * float64(costs[i].Asked) / float64(c.Evaluations)
				}
			}
		}
	}
}

// seconds converts nanoseconds.
func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// equalCost is the largest difference of two CPU times that count as equal.
const equalCost = 0.05

func (r *matchResult) print(w io.Writer) error {
	var b strings.Builder
	nameA, nameB := networks.Named(r.A), networks.Named(r.B)
	fmt.Fprintf(&b, "%s against %s: %s, %s, %s (%.1f %%)\n", nameA, nameB,
		human.Count(r.Wins, "win"), human.Count(r.Losses, "loss"), human.Count(r.Draws, "draw"), 100*float64(r.Draws)/float64(2*r.Pairs))
	fmt.Fprintf(&b, "Elo %+.0f (%+.0f to %+.0f, 95 %% confidence, %s), LOS %.1f %%\n",
		r.Elo, r.EloLow, r.EloHigh, human.Count(r.Pairs, "pair"), 100*r.LOS)
	fmt.Fprintf(&b, "pairs: %s with 2 points for %s, %s with 1.5, %s with 1, %s with 0.5, %s with 0\n",
		human.Number(r.Penta[4]), nameA, human.Number(r.Penta[3]), human.Number(r.Penta[2]), human.Number(r.Penta[1]), human.Number(r.Penta[0]))
	if r.SPRT != nil {
		fmt.Fprintln(&b, r.SPRT)
	}
	fmt.Fprintf(&b, "nodes %s and %s, %s time %.2f s and %.2f s%s\n", human.Number(r.NodesA), human.Number(r.NodesB),
		clockName[r.Clock], r.CPUA, r.CPUB, r.equality())
	if r.ModelCPUA > 0 || r.ModelCPUB > 0 {
		fmt.Fprintf(&b, "CPU time of their models %.2f s and %.2f s, counted in the comparison\n", r.ModelCPUA, r.ModelCPUB)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// clockName names the clocks in text.
var clockName = map[string]string{"cpu": "CPU", "wall": "wall"}

// equality says how the CPU time of B compares with that of A. Wall time is no measure: it
// includes the time of other threads.
func (r *matchResult) equality() string {
	cpuA, cpuB := r.CPUA+r.ModelCPUA, r.CPUB+r.ModelCPUB
	if r.Clock != "cpu" || cpuA == 0 || cpuB == 0 {
		return ""
	}
	if math.Abs(cpuA-cpuB) < equalCost*max(cpuA, cpuB) {
		return " (equal)"
	}
	return fmt.Sprintf(" (ratio %.2f)", cpuB/cpuA)
}
