package program

import (
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
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
			&cli.StringFlag{Name: "check", Category: app.Game, Usage: "compare scores with those in `FILE`, one JSON object per line"},
			app.JSONFlagFor("print one line of JSON"),
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
		return app.Usage("want one network: selfplay net FILE, or the name of a network of the program: %s", strings.Join(nets.Names(), ", "))
	}
	data, err := networks.Read(c.Args().First())
	if err != nil {
		return app.Usage("net %s: %v", c.Args().First(), err)
	}
	game, n, err := readNet(app.Catalog(c).Games, data)
	if err != nil {
		return app.Usage("net %s: %v", c.Args().First(), err)
	}
	f := describeNet(game, n, len(data))
	if path := c.String("check"); path != "" {
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
