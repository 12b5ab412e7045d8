package shuffle

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"selfplay/datasets/spill"
	"selfplay/encode"
)

// part is the rows with some range of keys, one after the other as they came: in a file,
// or in memory if there is only one part.
type part struct {
	f    *spill.File
	held []byte
}

// newPart returns a part in a temporary file.
func newPart(dir string, buffer int) (*part, error) {
	f, err := spill.New(dir, "shuffle-", buffer)
	return &part{f: f}, err
}

func (p *part) add(row []byte) error {
	if p.f == nil {
		p.held = append(p.held, row...)
		return nil
	}
	_, err := p.f.Write(row)
	return err
}

// load brings the rows into memory.
func (p *part) load() error {
	if p.f == nil {
		return nil
	}
	r, err := p.f.Reader()
	if err != nil {
		return err
	}
	p.held = make([]byte, r.Size())
	_, err = io.ReadFull(r, p.held)
	return err
}

func (p *part) close() error {
	if p.f == nil {
		return nil
	}
	return p.f.Close()
}

// place is where a row of a part begins, behind its key.
type place struct {
	key uint64
	at  int
}

// placeSize is what a row takes besides its own bytes: the key in front of it, and its
// place.
const placeSize = 8 + 16

// sortedPart is a part in memory in the order of its keys.
type sortedPart struct {
	held   []byte
	places []place
	err    error
}

// sort loads the part, drops its file and sorts the rows.
func (p *part) sort(columns []encode.Column) sortedPart {
	if err := errors.Join(p.load(), p.close()); err != nil {
		return sortedPart{err: err}
	}
	s := sortedPart{held: p.held}
	for at := 0; at < len(s.held); {
		k := binary.LittleEndian.Uint64(s.held[at:])
		at += 8
		s.places = append(s.places, place{k, at})
		for _, c := range columns {
			_, at = s.cell(c, at)
		}
	}
	slices.SortFunc(s.places, func(a, b place) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) })
	return s
}

// cell returns the cell of a column that begins at a byte, and where the next one does.
func (s *sortedPart) cell(c encode.Column, at int) (cell []byte, next int) {
	size := max(c.Len, 1) * c.Kind.Size()
	if c.Len == encode.Var {
		size = int(binary.LittleEndian.Uint32(s.held[at:]))
		at += 4
	}
	return s.held[at : at+size], at + size
}

// appendTo appends rows from up to to.
func (s *sortedPart) appendTo(t *encode.Table, from, to int) {
	for _, p := range s.places[from:to] {
		at := p.at
		for col, c := range t.Columns {
			var cell []byte
			cell, at = s.cell(c, at)
			t.AddBytes(col, cell)
			if c.Len == encode.Var {
				t.End(col)
			}
		}
		t.Rows++
	}
}
