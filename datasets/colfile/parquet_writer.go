package colfile

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow/go/v17/parquet/metadata"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

var parquetMagic = []byte("PAR1")

// parquetWriter writes a Parquet file from pages that it lays out itself. Arrow writes
// the page headers and the footer. Arrow's column writers are not used: they take
// several times as long per value. Nor is its file writer, whose Close drops the error
// of the footer.
type parquetWriter struct {
	sink      *CountingWriter
	footer    *metadata.FileMetaDataBuilder
	chunks    []*chunk
	groupRows int // rows of a full group
	rows      int // rows in the open group
	groups    int // finished groups
	closed    bool
}

func newParquetWriter(w io.Writer, s Spec) (*parquetWriter, error) {
	kv, err := parquetMetadata(s)
	if err != nil {
		return nil, err
	}
	p := &parquetWriter{
		sink:      &CountingWriter{W: w},
		footer:    metadata.NewFileMetadataBuilder(parquetSchema(s), parquetProperties(), kv),
		groupRows: s.GroupRows,
	}
	for _, c := range s.Columns {
		p.chunks = append(p.chunks, newChunk(newLeaf(c, s.Packed)))
	}
	_, err = p.sink.Write(parquetMagic)
	return p, err
}

// Write appends the rows of t.
func (p *parquetWriter) Write(t *encode.Table) error {
	if p.closed {
		return errClosed
	}
	defer p.borrowScratch()()
	for from := 0; from < t.Rows; {
		n := min(t.Rows-from, p.groupRows-p.rows)
		for i, c := range p.chunks {
			c.add(cut(t, i, from, from+n))
		}
		from += n
		p.rows += n
		if p.rows == p.groupRows {
			if err := p.flushGroup(); err != nil {
				return err
			}
		}
	}
	return nil
}

// borrowScratch lends the chunks scratch memory, and counts the goroutine as busy, until the function
// that it returns is called.
func (p *parquetWriter) borrowScratch() (giveBack func()) {
	s := scratches.Get().(*scratch)
	for _, c := range p.chunks {
		c.scratch = s
	}
	busy.Add(1)
	return func() {
		busy.Add(-1)
		scratches.Put(s)
	}
}

// flushGroup writes the open row group, column by column.
func (p *parquetWriter) flushGroup() error {
	if p.groups > math.MaxInt16 { // the ordinal of a row group is an int16
		return fmt.Errorf("write more than %d row groups: %w", p.groups, fault.ErrUnsupported)
	}
	group := p.footer.AppendRowGroup()
	total := int64(0)
	for i, c := range p.chunks {
		c.flushPage()
		c.settle(true)
		n, err := c.write(p.sink, group.NextColumnChunk(), p.groups, i)
		if err != nil {
			return err
		}
		total += n
		c.reset()
	}
	group.SetNumRows(p.rows)
	if err := group.Finish(total, int16(p.groups)); err != nil {
		return err
	}
	p.groups++
	p.rows = 0
	return nil
}

// Close writes the last row group and the footer.
func (p *parquetWriter) Close() error {
	if p.closed {
		return errClosed
	}
	p.closed = true
	if p.rows > 0 {
		defer p.borrowScratch()()
		if err := p.flushGroup(); err != nil {
			return err
		}
	}
	footer, err := p.footer.Finish()
	if err != nil {
		return err
	}
	n, err := footer.WriteTo(p.sink, nil)
	if err != nil {
		return err
	}
	_, err = p.sink.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(n)), parquetMagic...))
	return err
}
