package workers_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// writeRows plays the first games of a series and writes their rows to a file, in the order of the
// games: the workers play, the replayer makes rows of each record.
func writeRows(file io.Writer, series workers.Series, games uint64, size int) error {
	view := encode.View{Layout: &series.Game.Layouts[0], Searched: series.Searches(), Seed: series.Seed}
	columns := view.Columns()
	row, err := encode.NewStruct(columns, []string{"game", "ply", "board", "action", "score"}, 0)
	if err != nil {
		return err
	}
	replayer, table := encode.NewReplayer(series.Game, series.Variant, view), encode.NewTable(columns)
	pool := workers.Start(series, size)
	defer pool.Close()
	return pool.Play(context.Background(), workers.Games(0, games), nil, func(rec *engine.Record) error {
		table.Reset()
		err := replayer.Append(rec, table, nil)
		if err != nil {
			return err
		}
		_, err = file.Write(row.Append(nil, table))
		return err
	})
}

// From a plan to a file of rows. The file depends on the plan alone: three workers write the bytes of one.
func Example() {
	game, err := encode.Games().Find("contrast")
	if err != nil {
		panic(err)
	}
	player, err := workers.ParsePlayer(&game.Game, "ab:depth=1,net=none")
	if err != nil {
		panic(err)
	}
	plan := workers.Series{
		Game: game, Players: [2]workers.PlayerSpec{player, player}, Seed: 1,
		Opening: workers.Opening{MinPlies: 2, MaxPlies: 6},
	}
	fmt.Println("plan:", plan.Settings())
	var one, three bytes.Buffer
	err = errors.Join(writeRows(&one, plan, 8, 1), writeRows(&three, plan, 8, 3))
	if err != nil {
		panic(err)
	}
	fmt.Println(one.Len(), "bytes, equal:", bytes.Equal(one.Bytes(), three.Bytes()))
	// Output:
	// plan: [opening-plies=2-6 by random:tile=0.25 v1]
	// 7200 bytes, equal: true
}
