package program

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/models"
	"selfplay/cmd/internal/networks"
	"selfplay/encode"
	"selfplay/workers"
)

func benchCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:  "bench",
		Usage: "measure speed, and print a fingerprint that is the same on every machine",
		Description: `Examples:
selfplay bench
selfplay bench --game chess --player ab:depth=2 --seconds 30 --json
`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "game", Category: app.Game, Value: games[0].Name, Usage: "`NAME` of the game"},
			&cli.StringFlag{Name: "variant", Category: app.Game, DefaultText: "the game's first", Usage: "`NAME` of the variant of its rules: " + variantList(games)},
			engineFlag(games),
			&cli.StringFlag{Name: "player", Category: app.Players, Value: "random", Usage: "`PLAYER` of both sides"},
			&cli.Float64Flag{Name: "seconds", Category: app.Output, Value: 10, Usage: "measure for about `N` seconds in all"},
			app.JSONFlag(),
		}, models.Flags()...),
		Action: runBench,
	}
}

// figures are what bench prints. Bytes per row are those of the position files, as in the
// summary of a run.
type figures struct {
	Game            string  `json:"game"`
	PliesPerS       float64 `json:"plies_per_s"`          // play alone, one worker
	ListsPerS       float64 `json:"lists_per_s"`          // full lists of legal moves, one goroutine
	PerftNodesPerS  float64 `json:"perft_nodes_per_s"`    // from the start, one goroutine; the last ply is counted, not played
	RowsPerSList    float64 `json:"rows_per_s_list"`      // a whole dataset, all workers, list boards
	RowsPerSPacked  float64 `json:"rows_per_s_packed"`    // the same with packed boards
	BytesPerRowList float64 `json:"bytes_per_row_list"`   // with list boards
	BytesPerRowPack float64 `json:"bytes_per_row_packed"` // with packed boards
	Fingerprint     string  `json:"fingerprint"`          // of fixed games
}

// timedMeasures is the number of measurements that share --seconds equally.
const timedMeasures = 5

func runBench(c *cli.Context) error {
	if err := app.NoArgs(c); err != nil {
		return err
	}
	set, err := models.From(c)
	if err != nil {
		return err
	}
	defer set.Close()
	s, err := benchSeries(c, set)
	if err != nil {
		return err
	}
	seconds := c.Float64("seconds")
	if !(seconds > 0 && seconds <= 86400) {
		return app.Usage("seconds %v: want more than 0 and at most 86400", seconds)
	}
	f, err := measure(c.Context, s, time.Duration(seconds/timedMeasures*float64(time.Second)))
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return encode.NewJSON(c.App.Writer).Encode(f)
	}
	return f.print(c.App.Writer)
}

// benchSeries returns the games to measure. Their seed is fixed.
func benchSeries(c *cli.Context, set *models.Set) (s workers.Series, err error) {
	if s.Game, s.Variant, err = gameFrom(c); err != nil {
		return s, err
	}
	find := workers.Sources{Networks: networks.Finder(), Models: set.For(s.Game, s.Variant)}
	player, err := ownPlayer(c, &s.Game.Game, c.String("player"), find)
	if err != nil {
		return s, err
	}
	if err := set.RefuseUnused(); err != nil {
		return s, err
	}
	s.Players = [2]workers.PlayerSpec{player, player}
	if err := app.CheckTables(s.Memory(0), app.LowerHash); err != nil {
		return s, err
	}
	s.Seed, s.MaxPlies = 1, s.Game.MaxPlies
	s.Opening = defaultOpening(&s)
	return s, nil
}

// print writes the figures as a table.
func (f *figures) print(w io.Writer) error {
	perSecond := func(n float64) string { return human.Number(uint64(n)) }
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range [][2]string{
		{"game", f.Game},
		{"plies/s, play alone, one worker", perSecond(f.PliesPerS)},
		{"lists of legal moves/s", perSecond(f.ListsPerS)},
		{"perft nodes/s", perSecond(f.PerftNodesPerS)},
		{"rows/s of a dataset, list boards", perSecond(f.RowsPerSList)},
		{"rows/s of a dataset, packed boards", perSecond(f.RowsPerSPacked)},
		{"bytes per row, list boards", fmt.Sprintf("%.2f", f.BytesPerRowList)},
		{"bytes per row, packed boards", fmt.Sprintf("%.2f", f.BytesPerRowPack)},
		{"fingerprint", f.Fingerprint},
	} {
		fmt.Fprintf(t, "%s\t%s\n", line[0], line[1])
	}
	return t.Flush()
}
