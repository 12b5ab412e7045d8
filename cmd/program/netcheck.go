package program

import (
	"bufio"
	"fmt"
	"os"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/ask"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/nnue"
)

// netLine is a line of a check file: what a trainer says of a position.
type netLine struct {
	Position string   `json:"position"`
	Score    int      `json:"score"`
	Actions  []uint16 `json:"actions"` // of all legal moves, on the absolute board; or none
	Logits   []int32  `json:"logits"`
}

// netCheck compares a network with what its trainer says.
type netCheck struct {
	game   encode.Game
	net    *nnue.Network
	p      engine.Featured
	scorer *nnue.Scorer
	moves  []engine.Move
	logits []int32

	policies int // lines with logits
}

// checkNet compares scores and logits with those of a file and returns the number of lines, and
// of those with logits.
func checkNet(game encode.Game, n *nnue.Network, path string) (lines, policies int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0, app.Usage("check %v", err)
	}
	defer file.Close()
	c := &netCheck{game: game, net: n, p: game.New("").(engine.Featured), scorer: nnue.NewScorer(n, 0)}
	wrong, first := 0, ""
	in := bufio.NewScanner(file)
	for in.Scan() {
		lines++
		difference, err := c.line(in.Bytes())
		if err != nil {
			return 0, 0, app.Usage("check %s: line %d: %v", path, lines, err)
		}
		if difference != "" {
			if wrong++; wrong == 1 {
				first = fmt.Sprintf("line %d has %s", lines, difference)
			}
		}
	}
	switch {
	case in.Err() != nil:
		return 0, 0, app.Usage("check %s: line %d: %v", path, lines+1, in.Err())
	case lines == 0:
		return 0, 0, app.Usage("check %s: no lines", path)
	case wrong > 0:
		return 0, 0, fmt.Errorf("check %s: %d of %d lines differ; %s", path, wrong, lines, first)
	}
	return lines, c.policies, nil
}

// line returns how the network differs from a line, "" if it does not.
func (c *netCheck) line(text []byte) (difference string, err error) {
	var want netLine
	if err := ask.Decode(text, &want); err != nil {
		return "", err
	}
	if err := c.p.Set(want.Position); err != nil {
		return "", err
	}
	c.scorer.Begin(c.p)
	if got := c.scorer.Score(); got != want.Score {
		return fmt.Sprintf("%d, the network gives %d", want.Score, got), nil
	}
	return c.policy(&want)
}

// policy compares the logits of a line that has them.
func (c *netCheck) policy(want *netLine) (difference string, err error) {
	switch {
	case len(want.Actions) != len(want.Logits):
		return "", fmt.Errorf("%d actions and %d logits", len(want.Actions), len(want.Logits))
	case len(want.Actions) == 0:
		return "", nil
	case !c.net.HasPolicy():
		return "", fmt.Errorf("logits, and the network has no policy head")
	}
	c.policies++
	given := make(map[uint16]int32, len(want.Actions))
	for i, action := range want.Actions {
		given[action] = want.Logits[i]
	}
	c.moves = c.p.Moves(c.moves[:0])
	c.logits = c.scorer.AppendLogits(c.logits[:0], c.moves)
	if len(given) != len(c.moves) {
		return fmt.Sprintf("logits of %d moves, %d are legal", len(given), len(c.moves)), nil
	}
	for i, m := range c.moves {
		if l, found := given[c.game.Actions.Number(m)]; !found || l != c.logits[i] {
			return fmt.Sprintf("logit %d of %s (listed: %t), the network gives %d", l, c.p.FormatMove(m), found, c.logits[i]), nil
		}
	}
	return "", nil
}
