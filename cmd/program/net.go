package program

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/ask"
	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/networks"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nets"
)

func netCommand() *cli.Command {
	return &cli.Command{
		Name:      "net",
		Usage:     "describe a network, and check its scores",
		UsageText: "FILE|NAME [flags]",
		ArgsUsage: "FILE|NAME",
		Description: `Reads the network as a player with net=FILE does: a file that is not valid, or whose sums could
overflow, is refused.

--check compares the network's scores with those of its trainer: each line of the file is an object
{"position": TEXT, "score": SCORE}. With a policy head it may also have "actions", the numbers of
all legal moves on the absolute board, and "logits", the logit of each in hundredths. The exit code is 1
if anything differs.
`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "check", Category: groupGame, Usage: "compare scores with those in `FILE`, one JSON object per line"},
			jsonFlagFor("print one line of JSON"),
		},
		Action: runNet,
	}
}

// netFacts describes a network for people and scripts.
type netFacts struct {
	Game            string        `json:"game"`
	Features        string        `json:"features"`
	FeaturesVersion int           `json:"features_version"`
	Inputs          int           `json:"inputs"` // features of one view
	Hidden          int           `json:"hidden"`
	Buckets         int           `json:"buckets"`
	Scale           int           `json:"scale"`
	PolicyParts     int           `json:"policy_parts,omitempty"` // parts of moves that the policy head rates
	SHA256          string        `json:"sha256"`
	Bytes           int           `json:"bytes"`
	Version         int           `json:"version"`                    // of inference
	Checked         int           `json:"checked,omitempty"`          // positions with a score
	CheckedPolicies int           `json:"checked_policies,omitempty"` // of them with logits
	Metadata        nnue.Metadata `json:"metadata"`
}

func runNet(c *cli.Context) error {
	if c.NArg() != 1 {
		return usagef("want one network: selfplay net FILE, or the name of a network of the program: %s", strings.Join(nets.Names(), ", "))
	}
	data, err := networks.Read(c.Args().First())
	if err != nil {
		return usagef("net %s: %v", c.Args().First(), err)
	}
	game, n, err := readNet(catalogOf(c).Games, data)
	if err != nil {
		return usagef("net %s: %v", c.Args().First(), err)
	}
	f := describeNet(game, n, len(data))
	path := c.String("check")
	if path != "" {
		if f.Checked, f.CheckedPolicies, err = checkNet(game, n, path); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		return encode.NewJSON(c.App.Writer).Encode(f)
	}
	return f.print(c.App.Writer)
}

// readNet reads a network for the game that it names.
func readNet(games encode.Catalog, data []byte) (game encode.Game, n *nnue.Network, err error) {
	f, err := nnue.ReadFile(data)
	if err != nil {
		return game, nil, err
	}
	if game, err = games.Find(f.Game()); err != nil {
		return game, nil, err
	}
	p, ok := game.New("").(engine.Featured)
	if !ok {
		return game, nil, fmt.Errorf("the game %s has no features", game.Name)
	}
	n, err = f.Network(game.Name, p.FeatureSet())
	return game, n, err
}

func describeNet(game encode.Game, n *nnue.Network, bytes int) *netFacts {
	set, sum := n.Features(), n.Sum()
	return &netFacts{
		Game: game.Name, Features: set.Name, FeaturesVersion: set.Version, Inputs: set.Size, Hidden: n.Hidden(), Buckets: n.Buckets(),
		Scale: n.Scale(), PolicyParts: n.PolicySize(), SHA256: hex.EncodeToString(sum[:]), Bytes: bytes, Version: nnue.Version, Metadata: n.Metadata(),
	}
}

func (f *netFacts) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "game\t%s\n", f.Game)
	fmt.Fprintf(t, "features\t%s, version %d: %s in each view\n", f.Features, f.FeaturesVersion, human.Number(uint64(f.Inputs)))
	fmt.Fprintf(t, "network\t%d accumulators in each view, %s\n", f.Hidden, human.Count(uint64(f.Buckets), "output bucket"))
	fmt.Fprintf(t, "scale\t%d, the score of an output of 1\n", f.Scale)
	if f.PolicyParts > 0 {
		fmt.Fprintf(t, "policy\t%s of moves\n", human.Count(uint64(f.PolicyParts), "part"))
	}
	fmt.Fprintf(t, "file\t%s bytes, sha256:%s\n", human.Number(uint64(f.Bytes)), f.SHA256)
	for _, name := range slices.Sorted(maps.Keys(f.Metadata)) {
		fmt.Fprintf(t, "metadata %s\t%s\n", human.Quoted(name), human.Quoted(f.Metadata[name]))
	}
	if f.Checked > 0 {
		policies := ""
		if f.CheckedPolicies > 0 {
			policies = " and the logits of " + human.Count(uint64(f.CheckedPolicies), "position")
		}
		fmt.Fprintf(t, "checked\t%s%s, all equal\n", human.Count(uint64(f.Checked), "score"), policies)
	}
	return t.Flush()
}

// netLine is a line of a check file: what a trainer says of a position.
type netLine struct {
	Position string   `json:"position"`
	Score    *int     `json:"score"`
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
		return 0, 0, usagef("check scores: %v", err)
	}
	defer file.Close()
	c := &netCheck{game: game, net: n, p: game.New("").(engine.Featured), scorer: nnue.NewScorer(n, 0)}
	wrong, first := 0, ""
	in := bufio.NewScanner(file)
	for in.Scan() {
		lines++
		difference, err := c.line(in.Bytes())
		if err != nil {
			return 0, 0, usagef("check %s: line %d: %v", path, lines, err)
		}
		if difference != "" {
			wrong++
			if wrong == 1 {
				first = fmt.Sprintf("line %d has %s", lines, difference)
			}
		}
	}
	switch {
	case in.Err() != nil:
		return 0, 0, usagef("check %s: line %d: %v", path, lines+1, in.Err())
	case lines == 0:
		return 0, 0, usagef("check %s: no lines", path)
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
	if want.Score == nil {
		return "", errors.New(`no member "score"`)
	}
	c.scorer.Begin(c.p)
	got := c.scorer.Score()
	if got != *want.Score {
		return fmt.Sprintf("%d, the network gives %d", *want.Score, got), nil
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
			return fmt.Sprintf("logit %d of %s (listed: %t), the network gives %d", l, encode.MoveText(c.p, m), found, c.logits[i]), nil
		}
	}
	return "", nil
}
