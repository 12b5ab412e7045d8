package ingest

import (
	"context"
	"io"
	"runtime"

	"selfplay/datasets/journal"
	"selfplay/datasets/movetext"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// Size of a batch: large enough that passing it on costs nothing, small enough that all
// processors have one.
const (
	batchGames = 64
	batchBytes = 256 << 10
)

// batch holds consecutive texts of one file, and later their records.
type batch struct {
	input int    // of Read's paths
	file  string // for names of bad games
	texts []movetext.Text
	bytes int // of the texts

	records  []byte // encoded, without game numbers, one after the other
	ends     []int  // of the records
	plies    uint64
	tags     bool // of any game
	policies bool
	edited   uint64 // names of players
	bad      []Bad
	err      error

	done chan struct{} // closed when the records are made
}

// batches passes texts to parsers and hands the batches out in order.
type batches struct {
	ctx   context.Context
	jobs  chan *batch // to the parsers
	order chan *batch // to the collector, in the order of the texts
	next  *batch
}

// add adds a text of a file of an input.
func (b *batches) add(input int, file string, t movetext.Text) error {
	if b.next != nil && (b.next.input != input || b.next.file != file) {
		if err := b.send(); err != nil {
			return err
		}
	}
	if b.next == nil {
		b.next = &batch{input: input, file: file, done: make(chan struct{})}
	}
	b.next.texts = append(b.next.texts, t)
	b.next.bytes += t.Size()
	if len(b.next.texts) == batchGames || b.next.bytes >= batchBytes {
		return b.send()
	}
	return nil
}

// send passes the batch on. It waits while all processors have work.
func (b *batches) send() error {
	if b.next == nil {
		return nil
	}
	for _, to := range []chan *batch{b.order, b.jobs} {
		select {
		case to <- b.next:
		case <-b.ctx.Done():
			return context.Cause(b.ctx)
		}
	}
	b.next = nil
	return nil
}

// parsers starts goroutines that turn batches into records, until jobs is closed.
func parsers(g goroutine.Group, jobs <-chan *batch, o Options) {
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error {
			parser, err := o.Form.NewParser(o.Game, o.Variant)
			for b := range jobs {
				if b.err = err; err == nil {
					b.err = goroutine.Catch(func() error { b.parse(parser); return nil })
				}
				close(b.done)
			}
			return nil
		})
	}
}

// parse makes the records.
func (b *batch) parse(p *movetext.Parser) {
	r := new(engine.Record)
	for _, t := range b.texts {
		if err := p.Parse(t, r); err != nil {
			b.bad = append(b.bad, newBad(b.file, t, err))
			continue
		}
		b.records = journal.AppendRecord(b.records, r)
		b.ends = append(b.ends, len(b.records))
		b.plies += uint64(len(r.Actions))
		b.edited += uint64(p.EditedNames())
		b.tags, b.policies = b.tags || len(r.Tags) > 0, b.policies || len(r.PolicyAction) > 0
	}
	b.texts = nil // frees their memory
}

// read passes all texts of all inputs on.
func (b *batches) read(paths []string, f Form, inputs *[]Input) error {
	for i, path := range paths {
		input, err := readInput(path, f.Exts, func(file string, r io.Reader) error {
			for t, err := range f.Split(r) {
				if err != nil {
					return &readError{file, err}
				}
				if err := b.add(i, file, t); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		*inputs = append(*inputs, *input)
	}
	return b.send()
}
