package chessdata

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"

	"selfplay/engine/chess"
)

// binpackBlock is the size in bytes from which on a block ends with its chain.
const binpackBlock = 1 << 20

// BinpackWriter writes positions as binpack. A position that follows from the one before, by its
// move and with the opposite result, continues its chain. So rows of games in order are small
// where the best move is the one that was played; other rows are chains of one position. It
// belongs to one goroutine.
type BinpackWriter struct {
	w     io.Writer
	block []byte      // chains; the last one is open
	count int         // where the number of further positions of the open chain is in block
	more  uint16      // that number
	free  uint        // unused bits of the last byte of block
	last  Row         // of the open chain, if block is not empty
	next  chess.Parts // the position after the last one
	known bool        // whether there is one
}

// NewBinpackWriter returns a writer to w.
func NewBinpackWriter(w io.Writer) *BinpackWriter { return &BinpackWriter{w: w} }

// Write writes a position. After an error of w it must not be called again; a position that the
// format has no room for changes nothing.
func (b *BinpackWriter) Write(r *Row) error {
	if ply := plyOf(&r.Position); ply > binpackPly {
		return fmt.Errorf("ply %d: the format counts to %d", ply, binpackPly)
	}
	p, m := &r.Position, &r.Move
	choices := choicesOf(p, m.From^flip)
	number := choices.number(p, m)
	if number >= 0 && b.known && *p == b.next && r.Result == -b.last.Result && b.more < math.MaxUint16 {
		b.add(r, choices.n, number)
	} else if err := b.begin(r); err != nil {
		return err
	}
	b.last = *r
	if b.known = number >= 0; b.known {
		b.next, b.known = after(p, m)
	}
	return nil
}

// add adds a position to the open chain. number is that of its move among n choices.
func (b *BinpackWriter) add(r *Row, n, number int) {
	own, _ := sideSets(&r.Position)
	b.bits(uint16(below(own, r.Move.From^flip)), bitsOf(bits.OnesCount64(own)))
	b.bits(uint16(number), bitsOf(n))
	b.score(zigzag(r.Score + b.last.Score))
	b.more++
	binary.BigEndian.PutUint16(b.block[b.count:], b.more)
}

// begin begins a chain.
func (b *BinpackWriter) begin(r *Row) (err error) {
	if len(b.block) >= binpackBlock {
		if err := b.flush(); err != nil {
			return err
		}
	}
	if b.block, err = appendStem(b.block, r); err != nil {
		return err
	}
	b.count, b.more, b.free = len(b.block), 0, 0
	b.block = append(b.block, 0, 0)
	return nil
}

// Close writes the last block. It does not close w.
func (b *BinpackWriter) Close() error {
	if len(b.block) == 0 {
		return nil
	}
	return b.flush()
}

func (b *BinpackWriter) flush() error {
	header := binary.LittleEndian.AppendUint32([]byte(binpackMagic), uint32(len(b.block)))
	if _, err := b.w.Write(header); err != nil {
		return err
	}
	_, err := b.w.Write(b.block)
	b.block, b.known = b.block[:0], false
	return err
}

// bitsOf returns the number of bits that n choices take.
func bitsOf(n int) uint { return uint(bits.Len(uint(max(n, 1) - 1))) }

// bits appends the low n bits of a number, up to 8.
func (b *BinpackWriter) bits(number uint16, n uint) {
	if n > b.free {
		b.block[len(b.block)-1] |= byte(number >> (n - b.free) & (1<<b.free - 1))
		n, b.free = n-b.free, 8
		b.block = append(b.block, 0)
	}
	b.free -= n
	b.block[len(b.block)-1] |= byte(number & (1<<n - 1) << b.free)
}

// score appends a difference of scores.
func (b *BinpackWriter) score(difference uint16) {
	for {
		group := difference & (1<<binpackGroup - 1)
		difference >>= binpackGroup
		if difference == 0 {
			b.bits(group, binpackGroup+1)
			return
		}
		b.bits(group|1<<binpackGroup, binpackGroup+1)
	}
}
