package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
	"selfplay/workers"
)

func benchCommand() *cli.Command {
	return &cli.Command{
		Name:  "bench",
		Usage: "measure this machine, and check that it plays as any other",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "game", Value: encode.Games()[0].Name, Usage: "`NAME` of the game"},
			&cli.StringFlag{Name: "variant", Usage: "`NAME` of the variant"},
			&cli.Float64Flag{Name: "seconds", Value: 10, Usage: "about how long to measure, in all"},
			&cli.StringFlag{Name: "player", Value: "random", Usage: "`PLAYER` of both sides"},
			&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"},
		},
		Action: runBench,
	}
}

// figures are what bench prints.
type figures struct {
	Game            string  `json:"game"`
	PliesPerS       float64 `json:"plies_per_s"`          // play alone, one worker
	ListsPerS       float64 `json:"lists_per_s"`          // full lists of legal moves, one goroutine
	PerftNodesPerS  float64 `json:"perft_nodes_per_s"`    // from the start, the last ply counted, one goroutine
	RowsPerSList    float64 `json:"rows_per_s_list"`      // end to end, all workers
	RowsPerSPacked  float64 `json:"rows_per_s_packed"`    // the same with packed boards
	BytesPerRowList float64 `json:"bytes_per_row_list"`   // of the positions' files
	BytesPerRowPack float64 `json:"bytes_per_row_packed"` // the same with packed boards
	Fingerprint     string  `json:"fingerprint"`          // of fixed games; equal on every machine
}

// measures is how many figures take time; each has an equal share of it.
const measures = 5

func runBench(c *cli.Context) error {
	if err := app.NoArgs(c); err != nil {
		return err
	}
	s, err := benchSeries(c)
	if err != nil {
		return err
	}
	seconds := c.Float64("seconds")
	if !(seconds > 0 && seconds <= 86400) {
		return app.Usage("seconds %v: want more than 0 and at most 86400", seconds)
	}
	f, err := measure(c.Context, s, time.Duration(seconds/measures*float64(time.Second)))
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return encode.NewJSON(c.App.Writer).Encode(f)
	}
	return f.print(c.App.Writer)
}

// benchSeries returns the games that are measured, always from the same seed.
func benchSeries(c *cli.Context) (s workers.Series, err error) {
	if s.Game, s.Variant, err = chosenGame(c); err != nil {
		return s, err
	}
	player, err := workers.ParsePlayer(&s.Game.Game, c.String("player"))
	if err != nil {
		return s, app.Usage("%v", err)
	}
	s.Players = [2]workers.PlayerSpec{player, player}
	s.Seed, s.MaxPlies = 1, s.Game.MaxPlies
	if s.Searches() {
		s.Opening = defaultOpening
	}
	return s, nil
}

// print writes the figures as a table.
func (f *figures) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range [][2]string{
		{"game", f.Game},
		{"plies/s, play alone, one worker", number(uint64(f.PliesPerS))},
		{"lists of legal moves/s", number(uint64(f.ListsPerS))},
		{"perft nodes/s", number(uint64(f.PerftNodesPerS))},
		{"rows/s end to end, list boards", number(uint64(f.RowsPerSList))},
		{"rows/s end to end, packed boards", number(uint64(f.RowsPerSPacked))},
		{"bytes a row, list boards", fmt.Sprintf("%.2f", f.BytesPerRowList)},
		{"bytes a row, packed boards", fmt.Sprintf("%.2f", f.BytesPerRowPack)},
		{"fingerprint", f.Fingerprint},
	} {
		fmt.Fprintf(t, "%s\t%s\n", line[0], line[1])
	}
	return t.Flush()
}
