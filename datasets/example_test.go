package datasets_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
)

// The examples use a game of one heap: players in turn take one to three of ten stones,
// and the player who takes the last one wins. The action is the number of stones taken.
const stones = 10

// playHeap is a datasets.Play. A game depends on its number alone.
func playHeap(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
	var r engine.Record
	for _, game := range games {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.Reset()
		r.Game = game
		side := engine.First
		for left, ply := stones, uint64(0); left > 0; ply++ {
			take := min(left, 1+int(engine.Mix(game+ply)%3))
			left -= take
			r.Actions = append(r.Actions, uint16(take))
			r.MoveRanks = append(r.MoveRanks, engine.RankRandom)
			if left > 0 {
				side = side.Other()
			}
		}
		r.Outcome = engine.Outcome{Result: engine.Win(side), Reason: engine.Goal}
		if journal != nil {
			if err := journal.Finish(&r); err != nil {
				return err
			}
		}
		if err := sink(&r); err != nil {
			return err
		}
	}
	return nil
}

// heapColumns are the columns of the positions table. Every dataset has the first four.
var heapColumns = []encode.Column{
	{Name: "game", Kind: encode.Uint64, Len: encode.Scalar, Doc: "number of the game"},
	{Name: "ply", Kind: encode.Uint16, Len: encode.Scalar, Doc: "earlier decisions of the game"},
	{Name: "side", Kind: encode.Uint8, Len: encode.Scalar, Doc: "side to move"},
	{Name: "board", Kind: encode.Uint8, Len: 1, Doc: "stones in the heap"},
	{Name: "action", Kind: encode.Uint16, Len: encode.Scalar, Doc: "stones taken"},
}

// heapRows is a datasets.RowFunc: it replays a game and appends a row for each decision.
func heapRows(r *engine.Record, t *encode.Table, _ []uint64) error {
	left := stones
	for ply, action := range r.Actions {
		t.AddUint64(0, r.Game)
		t.AddUint16(1, uint16(ply))
		t.AddUint8(2, uint8(ply%2))
		t.AddUint8(3, uint8(left))
		t.AddUint16(4, action)
		t.Rows++
		left -= int(action)
	}
	return nil
}

// makeHeap makes a dataset of 20 games in shards of 8.
func makeHeap(root string) (making.Summary, error) {
	p := plan.Plan{Game: "heap", Rules: 1, Seed: 1, Layout: "heap", LayoutVersion: 1, Actions: 1, ShardGames: 8}
	return making.Make(context.Background(), root, p, 20, making.Options{
		Play: playHeap,
		Rows: func() datasets.RowFunc { return heapRows },
		Description: plan.Description{
			Title:    "Heap",
			Sides:    [2]string{"first", "second"},
			Results:  []string{"", "first", "second", "draw"},
			Reasons:  engine.Reasons(),
			Actions:  4,
			Columns:  heapColumns,
			Elements: []encode.Element{{Name: "heap", Count: 1, Doc: "stones left"}},
		},
	})
}

func ExampleMake() {
	root, err := os.MkdirTemp("", "heap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)

	for range 2 { // the second run finds the dataset complete
		s, err := makeHeap(root)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d shards, %d games, %d rows; %d shards made\n", s.Shards, s.Games, s.Rows, s.Made)
	}
	report, err := checking.Verify(context.Background(), root, checking.VerifyOptions{
		Level: checking.VerifyDeep,
		Rows:  func() datasets.RowFunc { return heapRows },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("ok:", report.OK(), "complete:", report.Complete)
	// Output:
	// 3 shards, 20 games, 107 rows; 3 shards made
	// 3 shards, 20 games, 107 rows; 0 shards made
	// ok: true complete: true
}

func ExampleOpen() {
	root, err := os.MkdirTemp("", "heap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	if _, err := makeHeap(root); err != nil {
		fmt.Println(err)
		return
	}

	ds, err := datasets.Open(root)
	if err != nil {
		fmt.Println(err)
		return
	}
	commits, err := ds.Commits()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range commits {
		fmt.Println(c.Files[0].Name, c.Games, "games")
	}
	for r, err := range ds.Games(commits[2].Parts()...) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("game", r.Game, "moves", r.Actions)
	}
	for t, err := range ds.Positions(commits[2].Parts()[0]) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for row := range 3 {
			action := binary.LittleEndian.Uint16(t.Cell(4, row))
			fmt.Println("heap of", t.Cell(3, row)[0], "stones: take", action)
		}
	}
	// Output:
	// positions/train-00000.parquet 8 games
	// positions/train-00001.parquet 8 games
	// positions/train-00002-4.parquet 4 games
	// game 16 moves [3 1 2 1 1 2]
	// game 17 moves [1 2 1 1 2 3]
	// game 18 moves [2 1 1 2 3 1]
	// game 19 moves [1 1 2 3 2 1]
	// heap of 10 stones: take 3
	// heap of 7 stones: take 1
	// heap of 6 stones: take 2
}
