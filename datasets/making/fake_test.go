package making

import (
	"context"
	"encoding/binary"
	"math/rand/v2"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
)

// The fake game: pieces on 132 cells step to a random cell nearby. It has no rules. A
// board has 138 numbers, two to four of which change per ply, as in real games. Golden
// files hold the texts and the moves.
const (
	fakeCells = 132
	fakeBoard = 138
)

var fakeColumns = []encode.Column{
	{Name: "game", Kind: encode.Uint64, Len: encode.Scalar, Doc: "number of the game"},
	{Name: "ply", Kind: encode.Uint16, Len: encode.Scalar, Doc: "decisions before"},
	{Name: "side", Kind: encode.Uint8, Len: encode.Scalar, Doc: "who decides"},
	{Name: "board", Kind: encode.Uint16, Len: fakeBoard, Doc: "the position"},
	{Name: "action", Kind: encode.Uint16, Len: encode.Scalar, Doc: "move | number", Label: true},
	{Name: "best_action", Kind: encode.Uint16, Len: encode.Scalar, Doc: "best move"},
	{Name: "move_rank", Kind: encode.Uint8, Len: encode.Scalar, Doc: "255 drawn at random"},
	{Name: "searched", Kind: encode.Bool, Len: encode.Scalar, Doc: "whether it was searched"},
	{Name: "score", Kind: encode.Int16, Len: encode.Scalar, Doc: "root score"},
	{Name: "outcome", Kind: encode.Int8, Len: encode.Scalar, Doc: "end of the game"},
	{Name: "reason", Kind: encode.Uint8, Len: encode.Scalar, Doc: "how it ended"},
	{Name: "plies_left", Kind: encode.Uint16, Len: encode.Scalar, Doc: "decisions to come"},
	{Name: "nodes", Kind: encode.Uint32, Len: encode.Scalar, Doc: "nodes searched"},
}

func fakeDescription() plan.Description {
	return plan.Description{
		Title:   "Fake",
		Sides:   [2]string{"red", "blue"},
		Results: []string{"", "red", "blue", "draw"},
		Reasons: engine.Reasons(),
		Actions: fakeCells * fakeCells,
		Columns: fakeColumns,
		Elements: []encode.Element{
			{Name: "cells", Count: fakeCells, Doc: "row-major"},
			{Name: "clock", Count: 1, Doc: "half-moves"},
			{Name: "number", Count: 1, Doc: "full moves"},
			{Name: "reserved", Count: 4, Doc: "0"},
		},
		Metadata: []encode.KeyValue{{Key: "fake.pieces", Value: "1 to 38"}},
	}
}

// fakePlan returns the plan of the fake game. The games 1, 6, 9, 11, 14 and 19 are the first of the validation
// split, so shard 1 has no file of it.
func fakePlan() plan.Plan {
	return plan.Plan{
		Game: "fake", Rules: 1, Players: [2]plan.Player{{Spec: "random", Version: 1}, {Spec: "random", Version: 1}}, Seed: 1, MaxPlies: 200,
		Layout: "compact", LayoutVersion: 1, Actions: 1, ShardGames: 3, Validation: 300,
	}
}

func fakeOptions() Options {
	return Options{Play: fakePlay, Rows: fakeRows, Description: fakeDescription(), OpenShards: 2, Disk: unsynced{}}
}

// unsynced is the machine's disk without syncs, which take time and have no visible
// effect. A memoryDisk tests them.
type unsynced struct{ disk.OS }

func (unsynced) SyncDir(string) error { return nil }

func (d unsynced) Create(name string) (disk.File, error) {
	f, err := d.OS.Create(name)
	return unsyncedFile{f}, err
}

type unsyncedFile struct{ disk.File }

func (unsyncedFile) Sync() error { return nil }

// fakePlay plays games of 20 to 60 plies.
func fakePlay(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
	return fakeGames(ctx, games, 20, 60, journal, sink)
}

// fakeGames plays games of least to most plies, two at a time. The second one of two
// finishes first.
func fakeGames(ctx context.Context, games []uint64, least, most int, journal engine.Journal, sink func(*engine.Record) error) error {
	var two [2]engine.Record
	for len(games) > 0 {
		n := min(len(games), 2)
		for i := n - 1; i >= 0; i-- {
			if err := ctx.Err(); err != nil {
				return err
			}
			playFake(&two[i], games[i], least, most)
			if journal == nil {
				continue
			}
			if err := journal.Finish(&two[i]); err != nil {
				return err
			}
		}
		for i := range n {
			if err := sink(&two[i]); err != nil {
				return err
			}
		}
		games = games[n:]
	}
	return nil
}

// playNothing stops before its first game.
func playNothing(context.Context, []uint64, engine.Journal, func(*engine.Record) error) error {
	return fault.ErrIncomplete
}

// observed returns a Play that passes every finished game to observe.
func observed(play datasets.Play, observe func(*engine.Record)) datasets.Play {
	return func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		return play(ctx, games, enginetest.Finished(func(r *engine.Record) error {
			observe(r)
			if journal == nil {
				return nil
			}
			return journal.Finish(r)
		}), sink)
	}
}

// playFake sets r to a game that depends on its number alone.
func playFake(r *engine.Record, game uint64, least, most int) {
	src := rand.New(rand.NewPCG(1, game))
	r.Reset()
	r.Game = game
	if game%3 == 1 {
		r.Start = "start é"
	}
	var b fakePosition
	b.reset()
	plies := least + src.IntN(most-least)
	for ply := range plies {
		from := src.IntN(fakeCells)
		for b.cells[from] == 0 || int(b.cells[from])%2 != ply%2 {
			from = src.IntN(fakeCells)
		}
		to := (from + 1 + src.IntN(26)) % fakeCells
		if from%2 == 0 && b.cells[to] != 0 { // captures are rare
			to = (to + 1) % fakeCells
		}
		action := from*fakeCells + to
		if !b.play(action) {
			break
		}
		r.Actions = append(r.Actions, uint16(action))
		r.MoveRanks = append(r.MoveRanks, engine.RankRandom)
		if game%4 == 2 {
			r.Best = append(r.Best, uint16(action+ply%2))
			r.Scores = append(r.Scores, int16(ply-30))
			r.Nodes = append(r.Nodes, uint32(ply*1000))
			r.PolicySize = append(r.PolicySize, uint16(ply%3))
			for i := range ply % 3 {
				r.PolicyAction = append(r.PolicyAction, uint16(i))
				r.PolicyWeight = append(r.PolicyWeight, uint16(i*7))
			}
		}
	}
	r.OpeningPlies = uint16(game % 5)
	r.Players = [2]string{"random", "random"}
	r.Outcome = engine.Outcome{Result: engine.Result(game%3 + 1), Reason: engine.CommanderCaptured}
	if game%7 == 6 {
		r.Outcome = engine.Outcome{Result: engine.NoResult, Reason: engine.PlyLimit}
	}
}

type fakePosition struct {
	cells  [fakeBoard]uint16
	pieces [2]int
}

func (b *fakePosition) reset() {
	*b = fakePosition{}
	for i := range 38 {
		b.cells[i*3] = uint16(i + 1)
		b.pieces[(i+1)%2]++
	}
}

// play moves a piece. It reports false if the move would capture the last piece of a
// side.
func (b *fakePosition) play(action int) bool {
	from, to := action/fakeCells, action%fakeCells
	if v := b.cells[to]; v != 0 {
		if b.pieces[v%2] == 1 {
			return false
		}
		b.pieces[v%2]--
		b.cells[132] = 0
	} else {
		b.cells[132]++
	}
	b.cells[to], b.cells[from] = b.cells[from], 0
	b.cells[133]++
	return true
}

// fakeRows returns a RowFunc that replays records.
func fakeRows() datasets.RowFunc {
	var b fakePosition
	return func(r *engine.Record, t *encode.Table, _ []uint64) error {
		b.reset()
		for ply, action := range r.Actions {
			side := engine.Side(ply % 2)
			t.AddUint64(0, r.Game)
			t.AddUint16(1, uint16(ply))
			t.AddUint8(2, uint8(side))
			for _, v := range b.cells {
				t.Data[3] = binary.LittleEndian.AppendUint16(t.Data[3], v)
			}
			t.AddUint16(4, action)
			t.AddUint16(5, action)
			t.AddUint8(6, r.MoveRanks[ply])
			score, nodes, searched := int16(0), uint32(0), uint8(0)
			if len(r.Scores) > 0 {
				score, nodes, searched = r.Scores[ply], r.Nodes[ply], 1
			}
			t.AddUint8(7, searched)
			t.AddUint16(8, uint16(score))
			t.AddUint8(9, uint8(r.Outcome.For(side)))
			t.AddUint8(10, uint8(r.Outcome.Reason))
			t.AddUint16(11, uint16(len(r.Actions)-1-ply))
			t.AddUint32(12, nodes)
			t.Rows++
			b.play(int(action))
		}
		return nil
	}
}
