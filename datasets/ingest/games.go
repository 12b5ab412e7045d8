package ingest

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"iter"

	"selfplay/datasets/journal"
	"selfplay/datasets/spill"
	"selfplay/engine"
)

// indexStep is the number of games between two entries of the index.
const indexStep = 64

// Games are the games of inputs, numbered from 0 without a gap, in a temporary file. Several
// goroutines may use them.
type Games struct {
	Inputs []Input // in the order in which they were read
	Plies  uint64
	Edited uint64 // names of players that were cut or cleaned; see movetext.Parser.EditedNames
	// Tags and Policies say whether any game has some.
	Tags, Policies bool

	counts []Input // games and bad games, by input
	games  uint64
	size   int64   // of the file
	index  []int64 // where the games 0, 64, 128 and so on begin
	file   *spill.File
	r      io.ReaderAt

	sent journal.Sender
}

// writeBuffer is the size of the buffer in front of the temporary file.
const writeBuffer = 1 << 20

func newGames(dir string) (*Games, error) {
	f, err := spill.NewFile(dir, "selfplay-import-", writeBuffer)
	if err != nil {
		return nil, fmt.Errorf("keep games: %w", err)
	}
	return &Games{file: f}, nil
}

// add appends the games of a batch: each as its length, a uvarint, and its record.
func (g *Games) add(b *batch) error {
	begin := 0
	for _, end := range b.ends {
		if g.games%indexStep == 0 {
			g.index = append(g.index, g.size)
		}
		var head [binary.MaxVarintLen64]byte
		n := binary.PutUvarint(head[:], uint64(end-begin))
		for _, part := range [][]byte{head[:n], b.records[begin:end]} {
			if _, err := g.file.Write(part); err != nil {
				return fmt.Errorf("keep games: %w", err)
			}
			g.size += int64(len(part))
		}
		g.games++
		begin = end
	}
	g.Plies += b.plies
	g.Edited += b.edited
	g.Tags, g.Policies = g.Tags || b.tags, g.Policies || b.policies
	g.counts[b.input].Games += uint64(len(b.ends))
	g.counts[b.input].Bad += uint64(len(b.bad))
	return nil
}

// finish ends writing.
func (g *Games) finish() error {
	for i := range g.Inputs {
		g.Inputs[i].Games, g.Inputs[i].Bad = g.counts[i].Games, g.counts[i].Bad
	}
	if err := refuseTwice(g.Inputs); err != nil {
		return err
	}
	r, err := g.file.Reader()
	if err != nil {
		return fmt.Errorf("keep games: %w", err)
	}
	g.r = r
	return nil
}

// Games returns the number of games.
func (g *Games) Games() uint64 { return g.games }

// Settings returns what a plan says about the inputs.
func (g *Games) Settings(f Form) (list []string) {
	for i := range g.Inputs {
		list = append(list, g.Inputs[i].Setting(f))
	}
	return list
}

// Close removes the temporary file.
func (g *Games) Close() error { return g.file.Close() }

// Progress returns how many games Play has sent, and their plies.
func (g *Games) Progress() (games, plies uint64) { return g.sent.Progress() }

// from yields the games with number first and above. A record has its own memory.
func (g *Games) from(first uint64) iter.Seq2[*engine.Record, error] {
	return func(yield func(*engine.Record, error) bool) {
		if first >= g.games {
			return
		}
		at := g.index[first/indexStep]
		r := bufio.NewReaderSize(io.NewSectionReader(g.r, at, g.size-at), 64<<10)
		var data []byte
		for game := first / indexStep * indexStep; game < g.games; game++ {
			n, err := binary.ReadUvarint(r)
			if err == nil {
				data = append(data[:0], make([]byte, n)...)
				_, err = io.ReadFull(r, data)
			}
			var rec *engine.Record
			if err == nil && game >= first {
				rec, err = journal.ParseRecord(data)
			}
			switch {
			case err != nil:
				yield(nil, fmt.Errorf("read kept game %d: %w", game, err))
				return
			case rec == nil:
				continue
			}
			if rec.Game = game; !yield(rec, nil) {
				return
			}
		}
	}
}

// Play sends the records of games, whose numbers ascend, to sink. See datasets.Play.
func (g *Games) Play(ctx context.Context, games []uint64, _ engine.Journal, sink func(*engine.Record) error) error {
	return g.sent.Send(ctx, g.from(games[0]), games, sink)
}
