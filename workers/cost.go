package workers

import "sync"

// Cost is what the decisions of one player cost.
type Cost struct {
	Decisions uint64
	Nodes     uint64 // of searches
	CPU       int64  // nanoseconds, by the clock of the series or of an External
}

// add counts a decision.
func (c *Cost) add(cpu int64, d *Decision) {
	c.Decisions++
	c.Nodes += uint64(d.Nodes)
	c.CPU += cpu
}

// plus returns the sum of two costs.
func (c Cost) plus(other Cost) Cost {
	return Cost{c.Decisions + other.Decisions, c.Nodes + other.Nodes, c.CPU + other.CPU}
}

// costs are the costs of a pool, by player.
type costs struct {
	mu     sync.Mutex
	player [2]Cost
}

// add adds the costs of a game.
func (c *costs) add(game *[2]Cost) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range game {
		c.player[i] = c.player[i].plus(game[i])
	}
}

// Costs returns what the decisions of the two players of the series cost in all games that
// Play has passed to a sink, the current one included. Without a clock in the series they
// are zero.
func (p *Pool) Costs() [2]Cost {
	p.costs.mu.Lock()
	defer p.costs.mu.Unlock()
	return p.costs.player
}
